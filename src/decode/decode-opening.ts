// A turn up to its first call: reasoning, then prose with the openers watched for, or an opener at once.
// Knows nothing of what a call holds.
import { createTurnParser, type PromptPart, reasoningAtEnd } from "../formats/index.ts";
import type { InvalidAttempt, TurnEvent } from "../vocabulary/index.ts";
import { decideOpening } from "./decide-opening.ts";
import { decodeAnswer } from "./decode-answer.ts";
import type { OpenedCalls } from "./decode-calls.ts";
import { decodeProse } from "./decode-prose.ts";
import { decodeReasoning } from "./decode-reasoning.ts";
import type { Attempt, Turn } from "./turn.ts";
import { proseEvents, type Writing } from "./writing.ts";

export type OpeningOutcome =
  | { readonly type: "opened"; readonly opened: OpenedCalls }
  | { readonly type: "ended"; readonly finish: "stop" | "length" }
  /** The answer has not the form that it has to have. */
  | { readonly type: "refused"; readonly attempt: InvalidAttempt };

/** Yields reasoning and prose; the outcome says whether a call was opened or the turn has ended. */
export async function* decodeOpening(
  turn: Turn,
  attempt: Attempt,
): AsyncGenerator<TurnEvent, OpeningOutcome> {
  const writing = yield* beginWriting(turn, attempt);
  const { written, parser } = writing;
  for (;;) {
    if (parser.place === "reasoning") {
      const thought = yield* decodeReasoning(turn, attempt, writing);
      if (thought.type !== "thought") return thought;
    }
    const opening = attempt.mustCall
      ? { type: "call" as const }
      : yield* decideOpening({ turn, attempt, prefix: [...written] });
    const [format] = turn.formats;
    const [opener] = format.openers;
    if (opening.type === "call" && opener) {
      yield* proseEvents(parser.finish());
      const prefix = [...written, { text: opener.text, special: opener.special }];
      return { type: "opened", opened: { format, opener, prefix } };
    }
    const forbidOpeners = opening.type === "text" || attempt.forbidsCalls === true;
    const prose =
      turn.answer === undefined
        ? yield* decodeProse(turn, attempt, { ...writing, forbidOpeners })
        : yield* decodeAnswer(turn, attempt, { ...writing, rule: turn.answer, forbidOpeners });
    if (prose.type !== "reasoning") return prose;
  }
}

/** What is decided before the model writes: reasoning is opened, filled in, or left to it. */
async function* beginWriting(turn: Turn, attempt: Attempt): AsyncGenerator<TurnEvent, Writing> {
  const { marks, mode, isTold } = turn.reasoning;
  const atEnd = marks === undefined ? "none" : reasoningAtEnd(attempt.prompt, marks);
  const parser = createTurnParser({
    formats: attempt.callable.length > 0 ? turn.formats : [],
    ...(marks ? { reasoning: marks } : {}),
    insideReasoning: mode !== "off" && atEnd === "open",
    implicitEnd: true,
  });
  const written: PromptPart[] = [];
  if (marks && mode === "on" && atEnd === "none") {
    written.push({ text: marks.start, special: true });
    yield* proseEvents(parser.push(marks.start));
  }
  // Where neither template nor words can switch it off, reasoning that is already over is what keeps the model from it.
  if (marks && mode === "off" && atEnd === "open") written.push({ text: marks.end, special: true });
  if (marks && mode === "off" && atEnd === "none" && !isTold) {
    written.push({ text: marks.start + marks.end, special: true });
  }
  return { written, parser };
}
