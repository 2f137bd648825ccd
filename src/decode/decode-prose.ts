// Prose of a turn in which a call may come: openers are watched for, and text that tries to call an offered tool in a form
// of the model's own making is recognised, so that it is decoded as a call instead of being shown (U-100, U-111).
import type { OpenedCall, PromptPart } from "../formats/index.ts";
import type { SpanEnd } from "../models/model.ts";
import type { TurnEvent } from "../vocabulary/index.ts";
import { confirmOpening } from "./decide-opening.ts";
import type { OpenedCalls } from "./decode-calls.ts";
import { generateFreeText } from "./free-text.ts";
import { alternativesWanted, createTokenChances } from "./text-tokens.ts";
import { type Attempt, type Turn, tokensLeft } from "./turn.ts";
import { openedCalls, proseEvents, type Writing } from "./writing.ts";

export type ProseOutcome =
  | { readonly type: "opened"; readonly opened: OpenedCalls }
  /** The model has begun to reason by itself; what it wrote is part of the turn now. */
  | { readonly type: "reasoning" }
  | { readonly type: "ended"; readonly finish: "stop" | "length" };

/** A reply that begins like code or markup is held back for this many characters, to see whether it names a tool. */
const attemptLength = 160;

export async function* decodeProse(
  turn: Turn,
  attempt: Attempt,
  writing: Writing & { readonly forbidOpeners: boolean },
): AsyncGenerator<TurnEvent, ProseOutcome> {
  const { written, parser } = writing;
  let text = "";
  let forbidden = writing.forbidOpeners ? openerTexts(turn) : [];
  let unconfirmed: OpenedCalls | undefined;
  const held = holdCallAttempt(attempt);
  const chances = createTokenChances(turn.logprobs);
  for (;;) {
    let opened: OpenedCall | undefined;
    let ended: SpanEnd = "end-of-generation";
    const events = generateFreeText(turn, attempt, {
      prefix: [...written, { text, special: false }],
      sampling: turn.profile.sampling.text,
      maxTokens: tokensLeft(turn),
      // A turn that says nothing leaves whoever asked with nothing to go on.
      nonEmpty: text === "",
      forbidden,
      alternatives: alternativesWanted(turn.logprobs),
    });
    for await (const event of events) {
      yield* turn.account.count(event);
      if (event.type === "end") ended = event.reason;
      if (event.type !== "piece") continue;
      const read = parser.pushUntilOpener(event.text);
      text += event.text.slice(0, read.consumed);
      chances.take(event);
      yield* held.add(text, chances.before(proseEvents(read.events)));
      // What was taken for text turns out to be a call after all: it is decoded again, under its grammar.
      if (unconfirmed && read.events.some((event) => event.type === "call-start")) {
        yield* held.release();
        return { type: "opened", opened: unconfirmed };
      }
      opened = read.opened;
      if (parser.place === "reasoning") {
        yield* held.release();
        written.push({ text, special: false });
        return { type: "reasoning" };
      }
      if (opened || isPastOpeners(text, forbidden)) break;
    }
    if (isPastOpeners(text, forbidden)) {
      forbidden = [];
      if (!opened) continue;
    }
    if (!opened) {
      if (ended !== "length" && held.namesTool) return { type: "opened", opened: recognised(turn, written) };
      yield* held.release();
      yield* chances.before(proseEvents(parser.finish()));
      return { type: "ended", finish: ended === "length" ? "length" : "stop" };
    }
    const calls = openedCalls(turn, opened, [...written, { text, special: false }]);
    if (await confirmOpening(turn, attempt, calls)) {
      yield* held.release();
      return { type: "opened", opened: calls };
    }
    // Something that only looks like a call stays text: the parser reads on with what the model writes next.
    unconfirmed = calls;
  }
}

function openerTexts(turn: Turn): readonly string[] {
  return turn.formats.flatMap((format) => format.openers.map((opener) => opener.text.trimEnd()));
}

/** Whether a text has begun with something else than any of the forbidden openers. */
function isPastOpeners(text: string, forbidden: readonly string[]): boolean {
  return forbidden.length > 0 && forbidden.every((opener) => text.trimStart().length > opener.length);
}

/** The primary opener in place of the text that tried to call. */
function recognised(turn: Turn, written: readonly PromptPart[]): OpenedCalls {
  const [format] = turn.formats;
  const [opener = { text: "", special: false, position: "anywhere", strength: "certain" } as const] =
    format.openers;
  return { format, opener, prefix: [...written, { text: opener.text, special: opener.special }] };
}

/** Keeps the events of a reply's first characters while it may be a call in an unknown form. */
function holdCallAttempt(attempt: Attempt) {
  let events: TurnEvent[] = [];
  let isHolding = attempt.callable.length > 0;
  let namesTool = false;

  function* release(): Generator<TurnEvent> {
    isHolding = false;
    yield* events;
    events = [];
  }

  return {
    /** Takes new events; gives what may be told now. `text` is all that was written so far. */
    *add(text: string, added: Iterable<TurnEvent>): Generator<TurnEvent> {
      if (!isHolding) return yield* added;
      events.push(...added);
      const begun = text.trimStart();
      namesTool = attempt.callable.some((tool) => hasWord(begun, tool.name));
      const mayBeCall = begun === "" || /^[{[<`(]/.test(begun);
      if (!mayBeCall || (begun.length > attemptLength && !namesTool)) {
        namesTool = false;
        yield* release();
      }
    },
    release,
    /** Whether all that was written is held back still and names an offered tool. */
    get namesTool() {
      return isHolding && namesTool;
    },
  };
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + word.length] ?? " "}`;
    if (!/[\p{L}\p{N}_]/u.test(around)) return true;
  }
  return false;
}
