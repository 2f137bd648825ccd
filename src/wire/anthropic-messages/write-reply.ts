// Messages: a whole reply as one object.
import type { JsonObject, Usage } from "../../vocabulary/index.ts";
import type { Reply } from "../collect-reply.ts";
import { countUsage, reportReply } from "../report-reply.ts";
import type { ReplyIdentity, WireReplyOptions } from "../wire-api.ts";

export function writeMessagesReply(
  [reply]: readonly Reply[],
  { request, identity }: WireReplyOptions,
): JsonObject {
  if (reply === undefined) throw new Error("a reply of the Messages API needs a turn");
  return {
    ...messageHead(identity),
    content: reply.blocks.map((block): JsonObject => {
      switch (block.type) {
        case "reasoning":
          return { type: "thinking", thinking: block.text, signature: "" };
        case "text":
          return { type: "text", text: block.text };
        case "call":
          return { type: "tool_use", id: block.id, name: block.name, input: block.input };
        default:
          return block satisfies never;
      }
    }),
    ...stopOf(reply),
    usage: writeUsage(reply.usage),
    callwright: reportReply([reply], request),
  };
}

/** What a message has before anything is in it. */
export function messageHead({ id, model }: ReplyIdentity): JsonObject {
  return { id: `msg_${id}`, type: "message", role: "assistant", model };
}

/** Only the reasons that clients know. What came to no answer has been said in words. */
export function stopOf({ finish, stopText }: Pick<Reply, "finish" | "stopText">): JsonObject {
  switch (finish) {
    case "stop":
      return stopText === undefined
        ? { stop_reason: "end_turn", stop_sequence: null }
        : { stop_reason: "stop_sequence", stop_sequence: stopText };
    case "invalid":
      return { stop_reason: "end_turn", stop_sequence: null };
    case "calls":
      return { stop_reason: "tool_use", stop_sequence: null };
    case "length":
    case "aborted":
      return { stop_reason: "max_tokens", stop_sequence: null };
    case "content-filter":
      return { stop_reason: "refusal", stop_sequence: null };
    default:
      return finish satisfies never;
  }
}

/** Theirs counts what was read from the cache apart from the input. */
export function writeUsage(usage: Usage): JsonObject {
  const { prompt, cached, completion } = countUsage(usage);
  return {
    input_tokens: prompt - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: completion,
  };
}
