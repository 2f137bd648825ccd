// Ollama: a reply as lines of JSON. Legal order: lines with `done: false`, each with some text, thinking or one whole call, then one
// line with `done: true` and the figures. There are no comments: a line without text shows that the stream lives.
import type { TokenChance, TurnEvent } from "../../vocabulary/index.ts";
import { createReplyCollector } from "../collect-reply.ts";
import { lineFrame } from "../frames.ts";
import type { StreamWriter, WireReplyOptions } from "../wire-api.ts";
import { writeOllamaError } from "./write-error.ts";
import {
  type OllamaKind,
  ollamaHead,
  type SaidText,
  writeCall,
  writeEnd,
  writeLogprobs,
  writeSaid,
} from "./write-reply.ts";

export function writeOllamaStream(kind: OllamaKind, { request, identity }: WireReplyOptions): StreamWriter {
  const collector = createReplyCollector();
  const head = ollamaHead(identity);
  let tokens: readonly TokenChance[] = [];

  const line = (said: SaidText, more = {}) =>
    lineFrame({ ...head, ...writeSaid(kind, said), done: false, ...more });

  function push(event: TurnEvent): readonly string[] {
    collector.push(event);
    switch (event.type) {
      case "prefill-progress":
        return request.progress
          ? [line({ text: "" }, { callwright: { progress: { processed: event.done, total: event.total } } })]
          : [];
      case "reasoning-delta":
        return [line({ text: "", thinking: event.text })];
      case "text-tokens":
        tokens = event.tokens;
        return [];
      case "text-delta": {
        const more = tokens.length === 0 ? {} : { logprobs: writeLogprobs(tokens) };
        tokens = [];
        return [line({ text: event.text }, more)];
      }
      case "call-end":
        return [line({ text: "", calls: [writeCall({ ...event, id: event.callId })] })];
      case "turn-end":
        return [
          lineFrame({
            ...head,
            ...writeSaid(kind, { text: "" }),
            ...writeEnd(collector.reply, { request, identity }),
          }),
        ];
      default:
        return [];
    }
  }

  return {
    start: () => [],
    push,
    end: () => [],
    fail: (fault) => [lineFrame(writeOllamaError(fault))],
    keepAlive: line({ text: "" }),
  };
}
