// Raw completions in each server's own words: what is sent for a span, and what of the answer's events is read.
// llama-server: its native /completion; vLLM and SGLang: OpenAI's /v1/completions with fields of their own.
import { isJsonObject, type JsonObject, type JsonValue } from "../../vocabulary/index.ts";
import type { Sampling } from "../profile.ts";
import type { EndpointFacts } from "./endpoint-facts.ts";
import { ownRoute, type ServerAddress } from "./server-address.ts";

export interface CompletionRequest {
  /** Text, or for llama-server text and token numbers in turn. */
  readonly prompt: JsonValue;
  readonly sampling: Sampling;
  readonly seed: number;
  readonly maxTokens: number;
  /** As GBNF. */
  readonly grammar?: string;
  /** Special tokens whose text is to come back. */
  readonly specials: readonly string[];
}

/** What an event says; all of it may be absent. */
export interface CompletionEvent {
  readonly text?: string;
  readonly tokens?: number;
  readonly progress?: { readonly done: number; readonly total: number };
  /** Tokens of the prompt, and how many of them the server had already. */
  readonly prompt?: { readonly tokens: number; readonly cached: number; readonly milliseconds: number };
  readonly end?: "end-of-generation" | "length";
}

export interface CompletionDialect {
  address(server: ServerAddress): string;
  body(request: CompletionRequest): JsonObject;
  read(event: JsonObject): CompletionEvent;
}

export function completionDialect({ identity, behaviour }: EndpointFacts): CompletionDialect {
  const grammarFields = (text: string | undefined): JsonObject => {
    if (text === undefined || behaviour.grammarField === undefined) return {};
    return behaviour.grammarField === "structured_outputs"
      ? { structured_outputs: { grammar: text } }
      : { [behaviour.grammarField]: text };
  };
  if (identity.engine === "llama-server") return llamaServer(grammarFields);
  return {
    address: ({ url }) => `${url}/completions`,
    body: (request) => ({
      model: identity.model,
      prompt: request.prompt,
      max_tokens: request.maxTokens,
      ...samplingFields(request),
      ...grammarFields(request.grammar),
      skip_special_tokens: false,
      // The template has written it, and a second one makes answers worse.
      ...(identity.engine === "vllm" ? { add_special_tokens: false } : {}),
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    }),
    read: readOpenAiCompletion,
  };
}

function llamaServer(grammarFields: (text: string | undefined) => JsonObject): CompletionDialect {
  return {
    address: (server) => ownRoute(server, "/completion"),
    body: (request) => ({
      prompt: request.prompt,
      n_predict: request.maxTokens,
      ...samplingFields(request),
      ...grammarFields(request.grammar),
      preserved_tokens: request.specials,
      cache_prompt: true,
      return_progress: true,
      return_tokens: true,
      timings_per_token: true,
      stream: true,
    }),
    read: readLlamaServer,
  };
}

function samplingFields({ sampling, seed, grammar }: CompletionRequest): JsonObject {
  const { temperature, topK, topP, minP, presencePenalty = 0, frequencyPenalty = 0, logitBias } = sampling;
  return {
    temperature,
    top_k: topK,
    top_p: topP,
    min_p: minP,
    seed: seed >>> 0,
    // Text under a grammar is neither penalised nor biased.
    ...(grammar !== undefined || (presencePenalty === 0 && frequencyPenalty === 0)
      ? {}
      : { presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty }),
    ...(grammar !== undefined || logitBias === undefined ? {} : { logit_bias: logitBias }),
  };
}

function readLlamaServer(event: JsonObject): CompletionEvent {
  const { content, tokens, prompt_progress: progress, timings, stop, stop_type: stopType, truncated } = event;
  const isEnd = stop === true;
  return {
    ...(typeof content === "string" ? { text: content } : {}),
    ...(Array.isArray(tokens) && tokens.length > 0 && !isEnd ? { tokens: tokens.length } : {}),
    ...(isJsonObject(progress)
      ? { progress: { done: numberOf(progress.processed), total: numberOf(progress.total) } }
      : {}),
    ...(isJsonObject(timings) && timings.prompt_n !== undefined
      ? {
          prompt: {
            tokens: numberOf(timings.cache_n) + numberOf(timings.prompt_n),
            cached: numberOf(timings.cache_n),
            milliseconds: numberOf(timings.prompt_ms),
          },
        }
      : isJsonObject(progress)
        ? {
            prompt: {
              tokens: numberOf(progress.total),
              cached: numberOf(progress.cache),
              milliseconds: numberOf(progress.time_ms),
            },
          }
        : {}),
    ...(isEnd
      ? {
          end:
            stopType === "limit" || truncated === true ? ("length" as const) : ("end-of-generation" as const),
        }
      : {}),
  };
}

function readOpenAiCompletion(event: JsonObject): CompletionEvent {
  const choice = Array.isArray(event.choices) && isJsonObject(event.choices[0]) ? event.choices[0] : {};
  const { usage } = event;
  const { text, finish_reason: reason } = choice;
  return {
    ...(typeof text === "string" ? { text } : {}),
    ...(isJsonObject(usage) ? { prompt: promptUsage(usage) } : {}),
    ...(typeof reason === "string"
      ? { end: reason === "length" ? ("length" as const) : ("end-of-generation" as const) }
      : {}),
  };
}

/** What OpenAI's `usage` says of the prompt. */
export function promptUsage(usage: JsonObject): NonNullable<CompletionEvent["prompt"]> {
  const { prompt_tokens_details: details } = usage;
  const cached = isJsonObject(details) ? numberOf(details.cached_tokens) : 0;
  return { tokens: numberOf(usage.prompt_tokens), cached, milliseconds: 0 };
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
