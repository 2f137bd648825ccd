// Messages: a reply as a stream of events. Legal order: `message_start`; for each block `content_block_start`, its deltas and
// `content_block_stop`, one block at a time with rising indices; `message_delta` with the reason and the usage; `message_stop`.
// `ping` and `error` may come anywhere.
import { emptyUsage, type JsonObject, type TurnEvent } from "../../vocabulary/index.ts";
import { createReplyCollector } from "../collect-reply.ts";
import { eventFrame } from "../frames.ts";
import { reportReply } from "../report-reply.ts";
import type { StreamWriter, WireReplyOptions } from "../wire-api.ts";
import { writeMessagesError } from "./write-error.ts";
import { messageHead, stopOf, writeUsage } from "./write-reply.ts";

type OpenBlock = "thinking" | "text" | "tool_use";

export function writeMessagesStream({ request, identity }: WireReplyOptions): StreamWriter {
  const collector = createReplyCollector();
  let index = -1;
  let open: OpenBlock | undefined;

  const frame = (type: string, data: JsonObject = {}) => eventFrame({ type, ...data }, type);

  function close(): readonly string[] {
    if (open === undefined) return [];
    const ended = open;
    open = undefined;
    const signature =
      ended === "thinking"
        ? [frame("content_block_delta", { index, delta: { type: "signature_delta", signature: "" } })]
        : [];
    return [...signature, frame("content_block_stop", { index })];
  }

  function begin(type: OpenBlock, block: JsonObject): readonly string[] {
    const before = close();
    index += 1;
    open = type;
    return [...before, frame("content_block_start", { index, content_block: { type, ...block } })];
  }

  const delta = (data: JsonObject) => frame("content_block_delta", { index, delta: data });

  function push(event: TurnEvent): readonly string[] {
    collector.push(event);
    switch (event.type) {
      case "turn-start": {
        const message = { ...messageHead(identity), content: [], stop_reason: null, stop_sequence: null };
        // How many tokens were found in the cache shows only later; the last usage says it.
        const { system = 0, tools = 0, history = 0 } = event.budget;
        const usage = { ...writeUsage(emptyUsage), input_tokens: system + tools + history };
        return [frame("message_start", { message: { ...message, usage } })];
      }
      case "prefill-progress":
        return request.progress
          ? [frame("ping", { callwright: { progress: { processed: event.done, total: event.total } } })]
          : [];
      case "reasoning-delta":
        return [
          ...(open === "thinking" ? [] : begin("thinking", { thinking: "", signature: "" })),
          delta({ type: "thinking_delta", thinking: event.text }),
        ];
      case "text-delta":
        return [
          ...(open === "text" ? [] : begin("text", { text: "" })),
          delta({ type: "text_delta", text: event.text }),
        ];
      case "call-start":
        return begin("tool_use", { id: event.callId, name: event.name, input: {} });
      case "call-delta":
        return [delta({ type: "input_json_delta", partial_json: event.text })];
      case "call-end":
        return close();
      case "turn-end": {
        const { reply } = collector;
        return [
          ...close(),
          frame("message_delta", {
            delta: stopOf(reply),
            usage: writeUsage(event.usage),
            callwright: reportReply([reply], request),
          }),
        ];
      }
      default:
        return [];
    }
  }

  return {
    start: () => [],
    push,
    end: () => [frame("message_stop")],
    fail: (fault) => [eventFrame(writeMessagesError(fault), "error")],
    keepAlive: frame("ping"),
  };
}
