// Completions: a whole reply as one object.
import type { JsonObject, TokenChance } from "../../vocabulary/index.ts";
import { type Reply, textOf } from "../collect-reply.ts";
import { chatHead, finishReason, writeTimings, writeUsage } from "../openai-chat/write-reply.ts";
import { reportReply, sumUsage } from "../report-reply.ts";
import type { ReplyIdentity, WireReplyOptions } from "../wire-api.ts";

export function writeCompletionReply(
  replies: readonly Reply[],
  { request, identity }: WireReplyOptions,
): JsonObject {
  const usage = sumUsage(replies);
  const prompt = typeof request.echo?.prompt === "string" ? request.echo.prompt : "";
  return {
    ...completionHead(identity),
    choices: replies.map((reply, index) => ({
      index,
      text: prompt + textOf(reply, "text"),
      logprobs: writeLogprobs(reply.tokens),
      finish_reason: finishReason(reply.finish),
    })),
    usage: writeUsage(usage),
    timings: writeTimings(usage),
    callwright: reportReply(replies, request),
  };
}

export function completionHead(identity: ReplyIdentity): JsonObject {
  return { ...chatHead(identity, "text_completion"), id: `cmpl-${identity.id}` };
}

/** The older shape: lists beside each other. */
export function writeLogprobs(tokens: readonly TokenChance[]): JsonObject | null {
  if (tokens.length === 0) return null;
  let offset = 0;
  const offsets = tokens.map(({ text }) => {
    const at = offset;
    offset += text.length;
    return at;
  });
  return {
    tokens: tokens.map(({ text }) => text),
    token_logprobs: tokens.map(({ logProbability = -9999 }) => logProbability),
    top_logprobs: tokens.map(({ alternatives }) =>
      Object.fromEntries(alternatives.map((one) => [one.text, one.logProbability])),
    ),
    text_offset: offsets,
  };
}
