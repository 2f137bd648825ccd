// A run as OpenTelemetry spans with the names of the GenAI conventions (semantic-conventions 1.45, "Development"):
// `invoke_agent`, within it one `chat` for each turn and one `execute_tool` for each call. Without an SDK nothing is kept.
import { type Context, context, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { RunEvent } from "../vocabulary/index.ts";

const names = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  conversation: "gen_ai.conversation.id",
  finish: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  errorType: "error.type",
} as const;

export interface TraceOptions {
  readonly model: string;
  readonly conversation?: string;
  /** Arguments and results go into the spans too; they may hold what is private. Default: false. */
  readonly content?: boolean;
}

/** The same events; spans are begun and ended as they pass by. */
export async function* traceRun(
  events: AsyncIterable<RunEvent>,
  options: TraceOptions,
): AsyncGenerator<RunEvent> {
  const tracer = trace.getTracer("callwright");
  const { model, conversation, content = false } = options;
  const common = { [names.provider]: "callwright", [names.model]: model };
  const run = tracer.startSpan("invoke_agent callwright", {
    attributes: {
      ...common,
      [names.operation]: "invoke_agent",
      ...(conversation === undefined ? {} : { [names.conversation]: conversation }),
    },
  });
  const inside: Context = trace.setSpan(context.active(), run);
  const open = new Map<string, Span>();
  const begin = (key: string, name: string, attributes: Readonly<Record<string, string>>) => {
    open.set(key, tracer.startSpan(name, { attributes: { ...attributes } }, inside));
  };
  const end = (key: string, finish: (span: Span) => void) => {
    const span = open.get(key);
    if (span === undefined) return;
    finish(span);
    span.end();
    open.delete(key);
  };
  try {
    for await (const event of events) {
      switch (event.type) {
        case "turn-start":
          begin("turn", `chat ${model}`, { ...common, [names.operation]: "chat" });
          break;
        case "turn-end":
          end("turn", (span) => {
            const { reused, prefilled, loaded, forced, drafted, sampled } = event.usage.tokens;
            span.setAttribute(names.finish, [event.finish]);
            span.setAttribute(names.inputTokens, reused + loaded + prefilled);
            span.setAttribute(names.outputTokens, forced + drafted + sampled);
            if (event.finish === "invalid") fail(span, "invalid");
          });
          break;
        case "tool-start":
          begin(event.callId, `execute_tool ${event.name}`, {
            [names.operation]: "execute_tool",
            [names.toolName]: event.name,
            [names.toolType]: "function",
            [names.toolCallId]: event.callId,
            ...(content ? { [names.toolArguments]: JSON.stringify(event.input) } : {}),
          });
          break;
        case "tool-end":
          end(event.callId, (span) => {
            if (content) span.setAttribute(names.toolResult, event.content);
            if (event.outcome !== "completed") fail(span, event.outcome);
          });
          break;
        case "run-end":
          run.setAttribute(names.finish, [event.reason]);
          if (event.reason === "error") fail(run, "error");
          break;
        default:
      }
      yield event;
    }
  } finally {
    for (const span of open.values()) {
      fail(span, "interrupted");
      span.end();
    }
    run.end();
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute(names.errorType, type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: type });
}
