// Chat completions: a reply as a stream of chunks. Legal order: for each choice one delta with the role, then deltas of text,
// reasoning and calls, then an empty one with the reason of its end; after the last choice the usage, where asked for; `[DONE]`.
import type { JsonObject, TokenChance, TurnEvent } from "../../vocabulary/index.ts";
import { createReplyCollector, type ReplyCollector } from "../collect-reply.ts";
import { commentFrame, doneFrame, eventFrame } from "../frames.ts";
import { reportReply, sumUsage } from "../report-reply.ts";
import type { StreamWriter, WireReplyOptions } from "../wire-api.ts";
import { writeChatError } from "./write-error.ts";
import { chatHead, finishReason, writeLogprobs, writeTimings, writeUsage } from "./write-reply.ts";

interface Choice {
  readonly collector: ReplyCollector;
  /** Calls shown so far, by id. */
  readonly calls: Map<string, number>;
  hasRole: boolean;
  tokens: readonly TokenChance[];
}

export function writeChatStream({ request, identity }: WireReplyOptions): StreamWriter {
  const head = chatHead(identity, "chat.completion.chunk");
  const choices: Choice[] = [];

  const chunk = (index: number, delta: JsonObject, more: JsonObject = {}, finish: string | null = null) =>
    eventFrame({ ...head, choices: [{ index, delta, finish_reason: finish, ...more }] });

  function choiceAt(index: number): Choice {
    choices[index] ??= {
      collector: createReplyCollector(),
      calls: new Map(),
      hasRole: false,
      tokens: [],
    };
    return choices[index];
  }

  function push(event: TurnEvent, index: number): readonly string[] {
    const choice = choiceAt(index);
    choice.collector.push(event);
    const frames: string[] = [];
    if (!choice.hasRole && event.type === "turn-start") {
      choice.hasRole = true;
      frames.push(chunk(index, { role: "assistant", content: "" }));
    }
    return [...frames, ...write(event, index, choice)];
  }

  function write(event: TurnEvent, index: number, choice: Choice): readonly string[] {
    switch (event.type) {
      case "prefill-progress":
        if (!request.progress) return [];
        return [
          eventFrame({
            ...head,
            choices: [{ index, delta: {}, finish_reason: null }],
            prompt_progress: { processed: event.done, total: event.total },
          }),
        ];
      case "reasoning-delta":
        return [chunk(index, { reasoning_content: event.text })];
      case "text-tokens":
        choice.tokens = event.tokens;
        return [];
      case "text-delta": {
        const logprobs = writeLogprobs(choice.tokens);
        choice.tokens = [];
        return [chunk(index, { content: event.text }, logprobs === null ? {} : { logprobs })];
      }
      case "call-start": {
        const at = choice.calls.size;
        choice.calls.set(event.callId, at);
        const called = { name: event.name, arguments: "" };
        return [
          chunk(index, { tool_calls: [{ index: at, id: event.callId, type: "function", function: called }] }),
        ];
      }
      case "call-delta": {
        const at = choice.calls.get(event.callId) ?? 0;
        return [chunk(index, { tool_calls: [{ index: at, function: { arguments: event.text } }] })];
      }
      case "turn-end": {
        const { reply } = choice.collector;
        const timings = writeTimings(event.usage);
        return [
          eventFrame({
            ...head,
            choices: [{ index, delta: {}, finish_reason: finishReason(event.finish) }],
            timings,
            callwright: reportReply([reply], request),
          }),
        ];
      }
      default:
        return [];
    }
  }

  function end(): readonly string[] {
    const usage = sumUsage(choices.map(({ collector }) => collector.reply));
    const counted = request.includeUsage
      ? [eventFrame({ ...head, choices: [], usage: writeUsage(usage) })]
      : [];
    return [...counted, doneFrame];
  }

  return {
    start: () => [],
    push,
    end,
    fail: (fault) => [eventFrame(writeChatError(fault)), doneFrame],
    keepAlive: commentFrame,
  };
}
