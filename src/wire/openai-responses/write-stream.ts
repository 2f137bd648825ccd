// Responses: a reply as a stream of events with rising sequence numbers. Legal order: created, in_progress; for each item
// output_item.added, its parts (added, deltas, done), output_item.done; completed, incomplete or failed; then `[DONE]`, which Open
// Responses asks for and OpenAI's own clients skip.
import type { JsonObject, TokenChance, TurnEvent } from "../../vocabulary/index.ts";
import { createReplyCollector } from "../collect-reply.ts";
import { commentFrame, doneFrame, eventFrame } from "../frames.ts";
import { writeLogprobs } from "../openai-chat/write-reply.ts";
import type { StreamWriter, WireReplyOptions } from "../wire-api.ts";
import { writeStreamError } from "./write-error.ts";
import {
  itemId,
  reasoningPart,
  responseHead,
  writeCallItem,
  writeItem,
  writeResponse,
  writeTextPart,
} from "./write-reply.ts";

type OpenItem =
  | { readonly type: "reasoning" | "text"; readonly id: string; text: string }
  | {
      readonly type: "call";
      readonly id: string;
      readonly callId: string;
      readonly name: string;
      text: string;
    };

export function writeResponsesStream(options: WireReplyOptions): StreamWriter {
  const collector = createReplyCollector();
  const output: JsonObject[] = [];
  const reasoning = reasoningPart(options);
  let open: OpenItem | undefined;
  let tokens: readonly TokenChance[] = [];
  let itemTokens: TokenChance[] = [];
  let sequence = 0;
  let isOver = false;

  function frame(name: string, data: JsonObject): string {
    const type = `response.${name}`;
    const event = eventFrame({ type, sequence_number: sequence, ...data }, type);
    sequence += 1;
    return event;
  }

  /** Where the open item's part stands. */
  function place(): JsonObject {
    const index = open?.type === "reasoning" ? reasoning.index : "content_index";
    return { item_id: open?.id ?? "", output_index: output.length, [index]: 0 };
  }

  function begin(item: OpenItem): readonly string[] {
    const before = close("completed");
    open = item;
    const added = (data: JsonObject) =>
      frame("output_item.added", { output_index: output.length, item: data });
    const { id } = item;
    if (item.type === "call") {
      return [...before, added(writeCallItem({ ...item, inputText: "" }, item.callId, "in_progress"))];
    }
    if (item.type === "text") {
      const message = { id, type: "message", role: "assistant", status: "in_progress", content: [] };
      const part = writeTextPart("", { tokens: [] });
      return [...before, added(message), frame("content_part.added", { ...place(), part })];
    }
    const item_ = { id, type: "reasoning", status: "in_progress", summary: [] };
    return [...before, added(item_), frame(`${partEvent()}.added`, { ...place(), part: part("") })];
  }

  function partEvent(): string {
    return reasoning.type === "summary_text" ? "reasoning_summary_part" : "content_part";
  }

  function part(text: string): JsonObject {
    return { type: reasoning.type, text };
  }

  function close(status: "completed" | "incomplete"): readonly string[] {
    if (open === undefined) return [];
    const { type, id, text } = open;
    const frames: string[] = [];
    let item: JsonObject;
    if (type === "call") {
      item = writeCallItem({ ...open, inputText: text }, open.callId, status);
      const { name } = open;
      if (status === "completed")
        frames.push(
          frame("function_call_arguments.done", {
            item_id: id,
            output_index: output.length,
            name,
            arguments: text,
          }),
        );
    } else if (type === "text") {
      item = { ...writeItem({ type, text }, id, { tokens: itemTokens }, options), status };
      const logprobs = writeLogprobs(itemTokens)?.content ?? [];
      frames.push(
        frame("output_text.done", { ...place(), text, logprobs }),
        frame("content_part.done", { ...place(), part: writeTextPart(text, { tokens: itemTokens }) }),
      );
      itemTokens = [];
    } else {
      item = { ...writeItem({ type, text }, id, { tokens: [] }, options), status };
      frames.push(
        frame(`${reasoning.event}.done`, { ...place(), text }),
        frame(`${partEvent()}.done`, { ...place(), part: part(text) }),
      );
    }
    frames.push(frame("output_item.done", { output_index: output.length, item }));
    output.push(item);
    open = undefined;
    return frames;
  }

  function say(type: "reasoning" | "text", text: string): readonly string[] {
    const id = itemId(type, options, output.length + (open === undefined ? 0 : 1));
    const frames = open?.type === type ? [] : begin({ type, id, text: "" });
    if (open !== undefined) open.text += text;
    const name = type === "text" ? "output_text" : reasoning.event;
    const logprobs = type === "text" ? { logprobs: writeLogprobs(tokens)?.content ?? [] } : {};
    itemTokens.push(...tokens);
    tokens = [];
    return [...frames, frame(`${name}.delta`, { ...place(), delta: text, ...logprobs })];
  }

  function push(event: TurnEvent): readonly string[] {
    collector.push(event);
    switch (event.type) {
      case "turn-start": {
        const response = responseHead(options);
        return [frame("created", { response }), frame("in_progress", { response })];
      }
      case "prefill-progress": {
        if (!options.request.progress) return [];
        const progress = { processed: event.done, total: event.total };
        return [frame("in_progress", { response: responseHead(options), callwright: { progress } })];
      }
      case "reasoning-delta":
        return say("reasoning", event.text);
      case "text-tokens":
        tokens = event.tokens;
        return [];
      case "text-delta":
        return say("text", event.text);
      case "call-start": {
        const id = itemId("call", options, output.length + (open === undefined ? 0 : 1));
        return begin({ type: "call", id, callId: event.callId, name: event.name, text: "" });
      }
      case "call-delta":
        if (open !== undefined) open.text += event.text;
        return [
          frame("function_call_arguments.delta", {
            item_id: open?.id ?? "",
            output_index: output.length,
            delta: event.text,
          }),
        ];
      case "call-end":
        return close("completed");
      case "turn-end": {
        const isCut = event.finish === "length";
        const frames = close(isCut ? "incomplete" : "completed");
        const response = writeResponse(collector.reply, output, options);
        isOver = true;
        return [...frames, frame(response.status === "completed" ? "completed" : "incomplete", { response })];
      }
      default:
        return [];
    }
  }

  return {
    start: () => [],
    push,
    end: () => [doneFrame],
    fail: (fault) => {
      if (isOver) return [doneFrame];
      const error = writeStreamError(fault);
      const response = { ...responseHead(options), status: "failed", output, error };
      return [frame("failed", { response }), doneFrame];
    },
    keepAlive: commentFrame,
  };
}
