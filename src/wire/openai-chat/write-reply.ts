// Chat completions: a whole reply as one object.
import type { FinishReason, JsonObject, TokenChance, Usage } from "../../vocabulary/index.ts";
import { callsOf, type Reply, textOf } from "../collect-reply.ts";
import { countUsage, reportReply, sumUsage } from "../report-reply.ts";
import type { ReplyIdentity, WireReplyOptions } from "../wire-api.ts";

export function writeChatReply(
  replies: readonly Reply[],
  { request, identity }: WireReplyOptions,
): JsonObject {
  const usage = sumUsage(replies);
  return {
    ...chatHead(identity, "chat.completion"),
    choices: replies.map((reply, index) => ({
      index,
      message: writeMessage(reply),
      logprobs: writeLogprobs(reply.tokens),
      finish_reason: finishReason(reply.finish),
    })),
    usage: writeUsage(usage),
    timings: writeTimings(usage),
    callwright: reportReply(replies, request),
  };
}

/** What each object of one reply has. */
export function chatHead({ id, created, model }: ReplyIdentity, object: string) {
  return {
    id: `chatcmpl-${id}`,
    object,
    created: Math.floor(created / 1000),
    model,
    system_fingerprint: "callwright",
  };
}

function writeMessage(reply: Reply): JsonObject {
  const text = textOf(reply, "text");
  const reasoning = textOf(reply, "reasoning");
  const calls = callsOf(reply);
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, inputText }) => ({
            id,
            type: "function",
            function: { name, arguments: inputText },
          })),
        }),
  };
}

/** Only the reasons that clients know. What came to no answer has been said in words. */
export function finishReason(finish: FinishReason): string {
  switch (finish) {
    case "stop":
    case "invalid":
      return "stop";
    case "calls":
      return "tool_calls";
    case "length":
    case "aborted":
      return "length";
    case "content-filter":
      return "content_filter";
    default:
      return finish satisfies never;
  }
}

export function writeUsage(usage: Usage): JsonObject {
  const { prompt, cached, completion, reasoning, total } = countUsage(usage);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** llama-server's figures. */
export function writeTimings(usage: Usage): JsonObject {
  const { cached, completion } = countUsage(usage);
  const { prefill, decode } = usage.milliseconds;
  return {
    cache_n: cached,
    prompt_n: usage.tokens.prefilled,
    prompt_ms: prefill,
    predicted_n: completion,
    predicted_ms: decode,
  };
}

export function writeLogprobs(tokens: readonly TokenChance[]): JsonObject | null {
  if (tokens.length === 0) return null;
  return { content: tokens.map(writeToken) };
}

function writeToken({ text, logProbability, alternatives }: TokenChance): JsonObject {
  return {
    ...tokenText(text, logProbability),
    top_logprobs: alternatives.map((one) => tokenText(one.text, one.logProbability)),
  };
}

/** OpenAI writes what is too unlikely to be known as -9999. */
function tokenText(text: string, logProbability = -9999) {
  return { token: text, logprob: logProbability, bytes: [...new TextEncoder().encode(text)] };
}
