// Tells reasoning and prose of a reply while it is still being written, where the reply as a whole is only read at its
// end: what can no longer become part of a call. What was not told live is told when the reply is read.
import type { TurnParserEvent } from "../formats/index.ts";
import type { TurnEvent } from "../vocabulary/index.ts";
import type { ReadReply } from "./read-reply.ts";

export interface LiveProse {
  /** Takes what was read of the newest piece. */
  take(event: TurnParserEvent): Generator<TurnEvent>;
  /** The rest of what the whole reply says. */
  finish(reply: Pick<ReadReply, "reasoning" | "content">): Generator<TurnEvent>;
  /** The reply is not delivered: what was told stands. */
  breakOff(): Generator<TurnEvent>;
}

/** Characters that a call in a form of the model's own making may begin with. */
const callBeginning = /[{<[]/;

/** `isLive`: whether anything is told before the end. */
export function createLiveProse(isLive: boolean): LiveProse {
  const told = { reasoning: "", text: "" };
  let open: keyof typeof told | undefined;
  let isHolding = !isLive;

  function* tell(kind: keyof typeof told, text: string): Generator<TurnEvent> {
    if (text === "") return;
    if (open !== kind) {
      yield* close();
      yield { type: `${kind}-start` };
      open = kind;
    }
    told[kind] += text;
    yield { type: `${kind}-delta`, text };
  }

  function* close(): Generator<TurnEvent> {
    if (open !== undefined) yield { type: `${open}-end` };
    open = undefined;
  }

  return {
    *take(event) {
      if (isHolding) return;
      if (event.type === "reasoning-delta") yield* tell("reasoning", event.text);
      else if (event.type === "reasoning-end") yield* close();
      else if (event.type === "text-delta") {
        const at = event.text.search(callBeginning);
        isHolding = at !== -1;
        yield* tell("text", at === -1 ? event.text : event.text.slice(0, at));
      } else if (event.type !== "reasoning-start" && event.type !== "text-start") isHolding = true;
    },
    *finish({ reasoning = "", content }) {
      const restOf = (kind: keyof typeof told, whole: string) =>
        tell(kind, whole.slice(sharedLength(told[kind], whole)));
      if (told.text === "") {
        yield* restOf("reasoning", reasoning);
        yield* restOf("text", content ?? "");
      } else {
        yield* restOf("text", content ?? "");
        yield* restOf("reasoning", reasoning);
      }
      yield* close();
    },
    breakOff: close,
  };
}

/** What was told is the beginning of the whole, except for white space at its end. */
function sharedLength(told: string, whole: string): number {
  return whole.startsWith(told) ? told.length : Math.min(whole.length, told.trimEnd().length);
}
