// Completions: a reply as a stream of chunks. Legal order: for each choice its texts, then an empty one with the reason of its end;
// after the last choice the usage, where asked for; `[DONE]`.
import type { TokenChance, TurnEvent } from "../../vocabulary/index.ts";
import { createReplyCollector, type ReplyCollector } from "../collect-reply.ts";
import { commentFrame, doneFrame, eventFrame } from "../frames.ts";
import { writeChatError } from "../openai-chat/write-error.ts";
import { finishReason, writeTimings, writeUsage } from "../openai-chat/write-reply.ts";
import { reportReply, sumUsage } from "../report-reply.ts";
import type { StreamWriter, WireReplyOptions } from "../wire-api.ts";
import { completionHead, writeLogprobs } from "./write-reply.ts";

export function writeCompletionStream({ request, identity }: WireReplyOptions): StreamWriter {
  const head = completionHead(identity);
  const collectors: ReplyCollector[] = [];
  let tokens: readonly TokenChance[] = [];

  const chunk = (index: number, text: string, finish: string | null, more = {}) =>
    eventFrame({ ...head, choices: [{ index, text, logprobs: null, finish_reason: finish, ...more }] });

  function push(event: TurnEvent, index: number): readonly string[] {
    collectors[index] ??= createReplyCollector();
    const collector = collectors[index];
    collector.push(event);
    switch (event.type) {
      case "turn-start": {
        const { prompt } = request.echo ?? {};
        return typeof prompt === "string" ? [chunk(index, prompt, null)] : [];
      }
      case "prefill-progress": {
        const progress = { processed: event.done, total: event.total };
        return request.progress ? [eventFrame({ ...head, choices: [], prompt_progress: progress })] : [];
      }
      case "text-tokens":
        tokens = event.tokens;
        return [];
      case "text-delta": {
        const logprobs = writeLogprobs(tokens);
        tokens = [];
        return [chunk(index, event.text, null, { logprobs })];
      }
      case "turn-end":
        return [
          eventFrame({
            ...head,
            choices: [{ index, text: "", logprobs: null, finish_reason: finishReason(event.finish) }],
            timings: writeTimings(event.usage),
            callwright: reportReply([collector.reply], request),
          }),
        ];
      default:
        return [];
    }
  }

  function end(): readonly string[] {
    const usage = sumUsage(collectors.map(({ reply }) => reply));
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
