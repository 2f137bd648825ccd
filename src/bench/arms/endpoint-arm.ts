// Any OpenAI-compatible server as an arm, by one of its own ways of getting calls out of a model.
// Wire: OpenAI chat completions, not streamed.
import { readReply } from "../../decode/read-reply.ts";
import { toOpenAi } from "../../models/remote/openai-message.ts";
import { isJsonObject, type JsonObject, type Message, type ToolDescription } from "../../vocabulary/index.ts";
import type { AnsweredCall, Arm, BenchAnswer, BenchItem } from "../bench-item.ts";
import { readJson } from "../read-json.ts";

/**
 * `auto` and `required`: the server's tools API. `text`: as `auto`, and where the server found no call, its text is read by
 * our parser and repaired. `constrained`: tools told in the system text, and the reply held to a list of calls by
 * `response_format`, which is the best that servers offer models whose calls they cannot read.
 */
export type Route = (typeof routes)[number];

export const routes = ["auto", "required", "text", "constrained"] as const;

export interface EndpointArmOptions {
  readonly name: string;
  /** Up to and including `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly route: Route;
  readonly maxTokens: number;
  readonly seed: number;
  readonly provenance: Readonly<Record<string, unknown>>;
}

/** Greedy. A server that answers with an error gives an answer with that error. */
export function createEndpointArm(options: EndpointArmOptions): Arm {
  const { name, url, route, provenance } = options;
  return {
    name,
    takesTasks: false,
    provenance: { ...provenance, url, route, model: options.model, maxTokens: options.maxTokens },
    async answer(item: BenchItem, signal: AbortSignal): Promise<BenchAnswer> {
      const started = performance.now();
      const read = await ask(options, item, signal).catch((error: unknown): Partial<BenchAnswer> => {
        signal.throwIfAborted();
        return { error: error instanceof Error ? error.message : String(error) };
      });
      return {
        calls: [],
        text: "",
        finish: "none",
        tokens: { prompt: 0, reused: 0, forced: 0, sampled: 0 },
        attempts: 1,
        mends: [],
        ...read,
        milliseconds: { total: performance.now() - started },
      };
    },
    close: async () => {},
  };
}

async function ask(
  options: EndpointArmOptions,
  item: BenchItem,
  signal: AbortSignal,
): Promise<Partial<BenchAnswer>> {
  const { url, apiKey, model, maxTokens, seed, route } = options;
  const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, temperature: 0, seed, max_tokens: maxTokens, ...requestOf(item, route) }),
    signal,
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${body.slice(0, 300)}`);
  const answer = readChatReply(JSON.parse(body) as ChatReply, route);
  return route === "text" && answer.calls.length === 0 ? { ...answer, ...readText(answer, item) } : answer;
}

/** What our parser makes of a reply in which the server found no call. */
function readText(
  { text, finish }: Pick<BenchAnswer, "text" | "finish">,
  { tools }: BenchItem,
): Pick<BenchAnswer, "calls" | "text" | "mends"> {
  const reply = readReply({ text, tools, finish: finish === "length" ? "length" : "stop" });
  return {
    calls: reply.calls.map(({ name, input }) => ({ name, text: JSON.stringify(input) })),
    text: reply.content ?? "",
    mends: reply.repairs.map(({ rule }) => rule),
  };
}

function requestOf(item: BenchItem, route: Route): JsonObject {
  if (route === "constrained" && item.tools.length > 0) {
    const [first, ...rest] = item.messages;
    const system = first?.role === "system" ? [first.content] : [];
    const others = first?.role === "system" ? rest : item.messages;
    const content = [...system, instruction(item.tools)].join("\n\n");
    return {
      messages: [{ role: "system", content }, ...others.map(toWire)],
      response_format: {
        type: "json_schema",
        json_schema: { name: "calls", strict: true, schema: envelope(item.tools) },
      },
    };
  }
  const messages = item.messages.map(toWire);
  if (item.tools.length === 0) return { messages };
  return {
    messages,
    tools: item.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema as JsonObject },
    })),
    tool_choice: route === "required" ? "required" : "auto",
  };
}

/** Past reasoning is shown to no arm. */
function toWire(message: Message): JsonObject {
  return toOpenAi(message, true);
}

function instruction(tools: readonly ToolDescription[]): string {
  const lines = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, parameters: inputSchema }),
  );
  return [
    "You can call these tools:",
    ...lines,
    'Answer with a JSON list of calls, each {"name": …, "arguments": {…}}. Answer [] if no tool fits the request.',
  ].join("\n");
}

function envelope(tools: readonly ToolDescription[]): JsonObject {
  const calls = tools.map(({ name, inputSchema }) => ({
    type: "object",
    properties: { name: { const: name }, arguments: inputSchema },
    required: ["name", "arguments"],
    additionalProperties: false,
  }));
  return { type: "array", items: { anyOf: calls } };
}

interface ChatReply {
  readonly choices?: readonly {
    readonly finish_reason?: string | null;
    readonly message?: {
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly function?: { readonly name?: string; readonly arguments?: unknown };
      }[];
    };
  }[];
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  };
}

function readChatReply(
  { choices, usage }: ChatReply,
  route: Route,
): Pick<BenchAnswer, "calls" | "text" | "finish" | "tokens"> {
  const choice = choices?.[0];
  if (choice?.message === undefined) throw new Error("the reply has no message");
  const text = choice.message.content ?? "";
  const listed = route === "constrained" ? readList(text) : undefined;
  const calls = listed ?? (choice.message.tool_calls ?? []).map(toCall);
  return {
    calls,
    text: listed === undefined ? text : "",
    finish: choice.finish_reason ?? "none",
    tokens: {
      prompt: usage?.prompt_tokens ?? 0,
      reused: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      forced: 0,
      sampled: usage?.completion_tokens ?? 0,
    },
  };
}

function toCall(call: {
  readonly function?: { readonly name?: string; readonly arguments?: unknown };
}): AnsweredCall {
  const given = call.function?.arguments;
  // A string by OpenAI's convention; some servers send the object itself.
  return {
    name: call.function?.name ?? "",
    text: typeof given === "string" ? given : JSON.stringify(given ?? {}),
  };
}

/** The calls of a reply that is a list of them; undefined where it is not, such as one that the token limit cut. */
function readList(text: string): readonly AnsweredCall[] | undefined {
  const list = readJson(text);
  if (!Array.isArray(list) || !list.every(isJsonObject)) return undefined;
  return list.map((call) => ({ name: String(call.name), text: JSON.stringify(call.arguments ?? {}) }));
}
