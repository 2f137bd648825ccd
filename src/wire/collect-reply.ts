// Collects a turn's events into one reply: its blocks in the order they came, and what is reported of it.
// Calls that were not completed are none. Knows no API.
import {
  emptyUsage,
  type FinishReason,
  type InvalidAttempt,
  type JsonObject,
  type TokenChance,
  type TurnEvent,
  type Usage,
} from "../vocabulary/index.ts";
import type { Notice } from "./wire-api.ts";

export type ReplyBlock =
  | { readonly type: "reasoning" | "text"; readonly text: string }
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
      /** The arguments as JSON, in the digits in which they were written. */
      readonly inputText: string;
      readonly confidence?: number;
    };

export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  readonly finish: FinishReason;
  /** The stop text that ended the answer. */
  readonly stopText?: string;
  readonly usage: Usage;
  readonly start?: Extract<TurnEvent, { type: "turn-start" }>;
  readonly notices: readonly Notice[];
  readonly repairs: readonly { readonly callId: string; readonly rule: string }[];
  readonly retries: readonly { readonly rung: number; readonly reevaluated: number }[];
  readonly invalid?: readonly InvalidAttempt[];
  readonly tokens: readonly TokenChance[];
}

export interface ReplyCollector {
  push(event: TurnEvent): void;
  /** What has come so far. */
  readonly reply: Reply;
}

export function createReplyCollector(): ReplyCollector {
  const blocks: ReplyBlock[] = [];
  const notices: Notice[] = [];
  const repairs: { callId: string; rule: string }[] = [];
  const retries: { rung: number; reevaluated: number }[] = [];
  const written = new Map<string, string>();
  const tokens: TokenChance[] = [];
  let ending: Pick<Reply, "finish" | "usage" | "stopText"> = { finish: "aborted", usage: emptyUsage };
  let start: Reply["start"];
  let invalid: Reply["invalid"];

  const append = (type: "reasoning" | "text", text: string): void => {
    const last = blocks.at(-1);
    if (last?.type === type) blocks[blocks.length - 1] = { type, text: last.text + text };
    else blocks.push({ type, text });
  };

  function push(event: TurnEvent): void {
    switch (event.type) {
      case "turn-start":
        start = event;
        break;
      case "reasoning-delta":
        append("reasoning", event.text);
        break;
      case "text-delta":
        append("text", event.text);
        break;
      case "text-tokens":
        tokens.push(...event.tokens);
        break;
      case "call-start":
        written.set(event.callId, "");
        break;
      case "call-delta":
        written.set(event.callId, (written.get(event.callId) ?? "") + event.text);
        break;
      case "call-end":
        blocks.push({
          type: "call",
          id: event.callId,
          name: event.name,
          input: event.input,
          inputText: written.get(event.callId) || JSON.stringify(event.input),
          ...(event.confidence === undefined ? {} : { confidence: event.confidence }),
        });
        break;
      case "call-repaired":
        repairs.push({ callId: event.callId, rule: event.rule });
        break;
      case "retry":
        retries.push({ rung: event.rung, reevaluated: event.cost.reevaluated });
        break;
      case "call-invalid":
        invalid = event.attempts;
        break;
      case "notice":
        notices.push({ code: event.code, text: event.text });
        break;
      case "turn-end": {
        const { finish, usage, stopText } = event;
        ending = { finish, usage, ...(stopText === undefined ? {} : { stopText }) };
        break;
      }
      case "prefill-progress":
      case "reasoning-start":
      case "reasoning-end":
      case "text-start":
      case "text-end":
      case "call-refused":
        break;
      default:
        event satisfies never;
    }
  }

  return {
    push,
    get reply() {
      const base = { blocks, notices, repairs, retries, tokens, ...ending };
      return { ...base, ...(start ? { start } : {}), ...(invalid ? { invalid } : {}) };
    },
  };
}

/** All text of one kind. */
export function textOf({ blocks }: Pick<Reply, "blocks">, type: "reasoning" | "text"): string {
  return blocks.map((block) => (block.type === type ? block.text : "")).join("");
}

export function callsOf({ blocks }: Pick<Reply, "blocks">) {
  return blocks.filter((block) => block.type === "call");
}

/**
 * The turn's events as a client may see them. A turn that was given up says so in words, so that no reply is empty; a call that
 * was shown and then refused throws, since nothing that was sent can be taken back.
 */
export async function* replyEvents<Event extends TurnEvent>(
  events: AsyncIterable<Event>,
): AsyncGenerator<TurnEvent> {
  const shown = new Set<string>();
  for await (const event of events) {
    if (event.type === "call-start") shown.add(event.callId);
    if (event.type === "call-refused" && shown.has(event.callId)) {
      // The engine shows only calls that cannot be refused: a fault of its own, which whoever serves logs.
      throw new Error("a call was refused after it had been sent");
    }
    yield event;
    if (event.type !== "call-invalid") continue;
    yield { type: "text-start" };
    yield { type: "text-delta", text: describeInvalid(event.attempts) };
    yield { type: "text-end" };
  }
}

function describeInvalid(attempts: readonly InvalidAttempt[]): string {
  const last = attempts.at(-1);
  const fault = last?.faults[0];
  const name = last?.name === undefined ? "" : ` to ${last.name}`;
  const why =
    fault === undefined ? "" : ` (${fault.pointer || "/"}: expected ${fault.expected}, came ${fault.came})`;
  return `[No valid answer or call${name} came of ${attempts.length} attempts${why}.]`;
}
