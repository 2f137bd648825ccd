// A turn's events as the AI SDK's stream parts. One for one: what was held back by the turn is held back here too.
import type { FinishReason, RunEvent, TokenCounts } from "../vocabulary/index.ts";
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
  SharedV3Warning,
} from "./provider-types.ts";

export interface StreamPartsOptions {
  readonly modelId: string;
  readonly warnings: SharedV3Warning[];
}

/** Ends in one `finish`. An aborted turn throws the signal's reason; what the engine throws is thrown on. */
export async function* streamParts(
  events: AsyncIterable<RunEvent>,
  { modelId, warnings }: StreamPartsOptions,
  signal?: AbortSignal,
): AsyncGenerator<LanguageModelV3StreamPart> {
  const notices: { code: string; text: string }[] = [];
  const repairs: string[] = [];
  let invalid = 0;
  let blocks = 0;
  let id = "";
  const next = () => {
    blocks += 1;
    id = String(blocks);
    return id;
  };
  yield { type: "stream-start", warnings };
  for await (const event of events) {
    switch (event.type) {
      case "turn-start":
        yield { type: "response-metadata", id: event.runId, timestamp: new Date(event.at), modelId };
        break;
      case "text-start":
      case "reasoning-start":
        yield { type: event.type, id: next() };
        break;
      case "text-delta":
      case "reasoning-delta":
        yield { type: event.type, id, delta: event.text };
        break;
      case "text-end":
      case "reasoning-end":
        yield { type: event.type, id };
        break;
      case "call-start":
        yield { type: "tool-input-start", id: event.callId, toolName: event.name };
        break;
      case "call-delta":
        yield { type: "tool-input-delta", id: event.callId, delta: event.text };
        break;
      case "call-end": {
        const { callId, name, input } = event;
        yield { type: "tool-input-end", id: callId };
        yield { type: "tool-call", toolCallId: callId, toolName: name, input: JSON.stringify(input) };
        break;
      }
      case "call-repaired":
        repairs.push(event.rule);
        break;
      case "notice":
        notices.push({ code: event.code, text: event.text });
        break;
      case "call-invalid":
        invalid = event.attempts.length;
        break;
      case "turn-end": {
        if (event.finish === "aborted") throw signal?.reason ?? new DOMException("Aborted.", "AbortError");
        const { tokens, attempts } = event.usage;
        const callwright = { attempts, tokens: { ...tokens }, notices, repairs, invalid };
        const providerMetadata: SharedV3ProviderMetadata = { callwright };
        const finishReason = finishReasons[event.finish];
        yield { type: "finish", usage: usageOf(tokens), finishReason, providerMetadata };
        break;
      }
      default:
        // Progress and retries, and what only a run says.
        break;
    }
  }
}

const finishReasons: Readonly<Record<Exclude<FinishReason, "aborted">, LanguageModelV3FinishReason>> = {
  stop: { unified: "stop", raw: "stop" },
  calls: { unified: "tool-calls", raw: "calls" },
  length: { unified: "length", raw: "length" },
  "content-filter": { unified: "content-filter", raw: "content-filter" },
  invalid: { unified: "error", raw: "invalid" },
};

function usageOf(tokens: TokenCounts): LanguageModelV3Usage {
  const { reused, loaded, prefilled, forced, drafted, sampled, reasoning } = tokens;
  const cacheRead = reused + loaded;
  const output = forced + drafted + sampled;
  return {
    inputTokens: { total: cacheRead + prefilled, noCache: prefilled, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: output - reasoning, reasoning },
    raw: { ...tokens },
  };
}
