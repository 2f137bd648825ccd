// Chat in each server's own words: the request with its tools, switches of thinking and bounds, and what of the answer's
// events is read. Ollama: its native /api/chat, which alone can set the window; all others: /v1/chat/completions.
import type { ChatPrompt } from "../../formats/index.ts";
import {
  CallwrightError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolDescription,
} from "../../vocabulary/index.ts";
import type { Sampling } from "../profile.ts";
import { type CompletionEvent, numberOf, promptUsage } from "./completion-dialects.ts";
import type { ServerIdentity } from "./endpoint-facts.ts";
import { toOpenAi } from "./openai-message.ts";
import { ownRoute, type ServerAddress } from "./server-address.ts";

export interface ChatRequest {
  readonly prompt: Omit<ChatPrompt, "toolText" | "answer">;
  readonly sampling: Sampling;
  readonly seed: number;
  readonly maxTokens: number;
  /** What the whole reply is held to. */
  readonly schema?: JsonObject;
  /** Tokens of the window, for servers that are told. */
  readonly contextSize: number;
}

/** A part of a call. A new id, or a new index, is a new call. */
export interface CallPart {
  readonly index: number;
  readonly id?: string;
  readonly name?: string;
  /** A part of the arguments' JSON. */
  readonly text: string;
}

export interface ChatEvent extends Pick<CompletionEvent, "prompt"> {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly CallPart[];
  /** Tokens of the whole reply. */
  readonly tokens?: number;
  readonly end?: "end-of-generation" | "length" | "content-filter";
}

export interface ChatDialect {
  address(server: ServerAddress): string;
  body(request: ChatRequest): JsonObject;
  read(event: JsonObject): ChatEvent;
}

export function chatDialect(identity: ServerIdentity): ChatDialect {
  if (identity.engine === "ollama") return ollama(identity);
  const isHosted = identity.engine === "openai";
  return {
    address: ({ url }) => `${url}/chat/completions`,
    body: (request) => {
      const { prompt, sampling, maxTokens, seed, schema } = request;
      const { reasoning_effort: effort, ...variables } = prompt.variables;
      return {
        model: identity.model,
        messages: prompt.messages.map((message) => toOpenAi(message, isHosted)),
        ...toolFields(prompt),
        ...(schema === undefined
          ? {}
          : {
              response_format: { type: "json_schema", json_schema: { name: "reply", strict: true, schema } },
            }),
        ...samplingFields(sampling, isHosted),
        seed: seed >>> 0,
        ...(isHosted
          ? { max_completion_tokens: maxTokens, store: false }
          : {
              max_tokens: maxTokens,
              ...(Object.keys(variables).length === 0 ? {} : { chat_template_kwargs: prompt.variables }),
            }),
        ...(effort === undefined ? {} : { reasoning_effort: effort }),
        stream: true,
        stream_options: { include_usage: true },
      };
    },
    read: readOpenAi,
  };
}

/** Fields without which a request still asks the same; a server that refuses one of them is asked without it. */
export const optionalFields: readonly string[] = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "presence_penalty",
  "frequency_penalty",
  "seed",
  "stream_options",
  "store",
  "parallel_tool_calls",
  "chat_template_kwargs",
  "reasoning_effort",
];

function toolFields({ tools, toolChoice, parallel }: ChatRequest["prompt"]): JsonObject {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(toTool),
    tool_choice:
      typeof toolChoice === "object" ? { type: "function", function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: parallel,
  };
}

function toTool({ name, description, inputSchema }: ToolDescription): JsonObject {
  const parameters = typeof inputSchema === "boolean" ? { type: "object", properties: {} } : inputSchema;
  return { type: "function", function: { name, description, parameters } };
}

function samplingFields(sampling: Sampling, isHosted: boolean): JsonObject {
  const { temperature, topK, topP, minP, presencePenalty, frequencyPenalty, logitBias } = sampling;
  return {
    temperature,
    top_p: topP,
    // OpenAI's own API knows neither.
    ...(isHosted ? {} : { top_k: topK, min_p: minP }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
    ...(logitBias === undefined ? {} : { logit_bias: logitBias }),
  };
}

function readOpenAi(event: JsonObject): ChatEvent {
  const choice = Array.isArray(event.choices) && isJsonObject(event.choices[0]) ? event.choices[0] : {};
  const delta = isJsonObject(choice.delta) ? choice.delta : {};
  const { usage } = event;
  const { finish_reason: reason } = choice;
  // The field's name differs from server to server.
  const reasoning = textOf(delta.reasoning_content) || textOf(delta.reasoning);
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isJsonObject) : [];
  return {
    ...(reasoning === "" ? {} : { reasoning }),
    text: textOf(delta.content) + textOf(delta.refusal),
    calls: calls.map((call, at) => callPart(call, at)),
    ...(isJsonObject(usage) ? { prompt: promptUsage(usage), tokens: numberOf(usage.completion_tokens) } : {}),
    ...(typeof reason === "string" ? { end: endOf(reason) } : {}),
  };
}

function endOf(reason: string): NonNullable<ChatEvent["end"]> {
  if (reason === "length") return "length";
  return reason === "content_filter" ? "content-filter" : "end-of-generation";
}

function callPart(call: JsonObject, at: number): CallPart {
  const given = isJsonObject(call.function) ? call.function : {};
  const { name, arguments: input } = given;
  return {
    index: typeof call.index === "number" ? call.index : at,
    ...(typeof call.id === "string" && call.id !== "" ? { id: call.id } : {}),
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    // A string by OpenAI's convention; some servers send the object itself.
    text:
      input === undefined || input === null ? "" : typeof input === "string" ? input : JSON.stringify(input),
  };
}

function ollama({ model }: ServerIdentity): ChatDialect {
  return {
    address: (server) => ownRoute(server, "/api/chat"),
    body: ({ prompt, sampling, maxTokens, seed, schema, contextSize }) => {
      const {
        temperature,
        topK,
        topP,
        minP,
        presencePenalty = 0,
        frequencyPenalty = 0,
        logitBias,
      } = sampling;
      if (logitBias !== undefined) {
        throw new CallwrightError("request-invalid", "Ollama takes no bias of tokens: leave logit_bias out.");
      }
      const thinks = thinkSwitch(prompt.variables);
      return {
        model,
        messages: prompt.messages.map(toOllama),
        ...(prompt.tools.length === 0 ? {} : { tools: prompt.tools.map(toTool) }),
        ...(schema === undefined ? {} : { format: schema }),
        ...(thinks === undefined ? {} : { think: thinks }),
        options: {
          // Left out, prompts over a small default lose their beginning without a word.
          num_ctx: contextSize,
          num_predict: maxTokens,
          seed: seed >>> 0,
          temperature,
          top_k: topK,
          top_p: topP,
          min_p: minP,
          presence_penalty: presencePenalty,
          frequency_penalty: frequencyPenalty,
        },
        stream: true,
      };
    },
    read: readOllama,
  };
}

/** Ollama's `think`: an effort where one is named, else whether to. */
function thinkSwitch(variables: JsonObject): JsonValue | undefined {
  const { reasoning_effort: effort, enable_thinking: thinks, thinking = thinks } = variables;
  if (thinking === false) return false;
  return typeof effort === "string" ? effort : thinking;
}

function toOllama(message: Message): JsonObject {
  switch (message.role) {
    case "assistant": {
      const { content, reasoning, calls = [] } = message;
      return {
        role: "assistant",
        content,
        ...(reasoning === undefined ? {} : { thinking: reasoning }),
        ...(calls.length === 0
          ? {}
          : { tool_calls: calls.map(({ name, input }) => ({ function: { name, arguments: input } })) }),
      };
    }
    case "tool":
      return { role: "tool", tool_name: message.name, content: message.content };
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    default:
      return message satisfies never;
  }
}

function readOllama(event: JsonObject): ChatEvent {
  const message = isJsonObject(event.message) ? event.message : {};
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : [];
  const reasoning = textOf(message.thinking);
  const tokens = numberOf(event.prompt_eval_count);
  return {
    ...(reasoning === "" ? {} : { reasoning }),
    text: textOf(message.content),
    calls: calls.map((call, at) => callPart(call, at)),
    ...(event.done === true
      ? {
          prompt: { tokens, cached: 0, milliseconds: numberOf(event.prompt_eval_duration) / 1e6 },
          tokens: numberOf(event.eval_count),
          end: event.done_reason === "length" ? ("length" as const) : ("end-of-generation" as const),
        }
      : {}),
  };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
