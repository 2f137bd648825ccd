// The reasoning of a turn: free text until it ends by its mark, by a call's opener, or by its budget; then its end is
// forced, at a character's boundary, while there is room for the answer. Knows nothing of how it was opened.
import type { OpenedCall } from "../formats/index.ts";
import type { SpanEnd } from "../models/model.ts";
import type { TurnEvent } from "../vocabulary/index.ts";
import type { OpenedCalls } from "./decode-calls.ts";
import { generateFreeText } from "./free-text.ts";
import { type Attempt, type Turn, tokensLeft } from "./turn.ts";
import { openedCalls, proseEvents, reasoningEvents, type Writing } from "./writing.ts";

export type ReasoningOutcome =
  | { readonly type: "thought" }
  | { readonly type: "opened"; readonly opened: OpenedCalls }
  | { readonly type: "ended"; readonly finish: "length" };

export async function* decodeReasoning(
  turn: Turn,
  attempt: Attempt,
  writing: Writing,
): AsyncGenerator<TurnEvent, ReasoningOutcome> {
  const { written, parser } = writing;
  const before = turn.account.replyTokens;
  let text = "";
  let opened: OpenedCall | undefined;
  let ended: SpanEnd | undefined;
  const events = generateFreeText(turn, attempt, {
    prefix: [...written],
    sampling: turn.profile.sampling.thinking,
    maxTokens: reasoningLeft(turn),
  });
  for await (const event of events) {
    yield* turn.account.count(event);
    if (event.type === "end") ended = event.reason;
    if (event.type !== "piece") continue;
    const read = parser.pushUntilOpener(event.text);
    text += event.text.slice(0, read.consumed);
    // Of an answer that has to have a form, only what stands under its grammar is told.
    yield* turn.answer === undefined ? proseEvents(read.events) : reasoningEvents(read.events);
    opened = read.opened;
    if (opened || parser.place !== "reasoning") break;
  }
  turn.account.reasoningTokens += turn.account.replyTokens - before;
  if (opened) return { type: "opened", opened: closeBefore(turn, writing, { opened, text }) };
  written.push({ text, special: false });
  if (parser.place !== "reasoning") return { type: "thought" };
  if (ended === "length" && tokensLeft(turn) === 0) return { type: "ended", finish: "length" };
  const end = restOfEnd(text, turn.reasoning.marks?.end ?? "");
  written.push({ text: end, special: true });
  yield* proseEvents(parser.push(end));
  const how = ended === "length" ? "at its budget" : "where the model stopped";
  yield { type: "notice", code: "reasoning-ended", text: `The reasoning was ended ${how}.` };
  return { type: "thought" };
}

/** Tokens that reasoning may still take. Half of the reply is kept for the answer, whatever the budget says. */
function reasoningLeft(turn: Turn): number {
  const budget = turn.reasoning.budget - turn.account.reasoningTokens;
  return Math.max(0, Math.min(budget, Math.floor(tokensLeft(turn) / 2)));
}

/** The end mark without what the text has of it already: one of several tokens may have been cut by the budget. */
function restOfEnd(text: string, end: string): string {
  let length = Math.min(text.length, end.length);
  while (!text.endsWith(end.slice(0, length))) length -= 1;
  return end.slice(length);
}

/**
 * A call inside the reasoning ends it. Calls are not made there, so the end mark that the model left out is put before the
 * opener, unless its tail cannot be taken back for that.
 */
function closeBefore(
  turn: Turn,
  { written }: Writing,
  { opened, text }: { readonly opened: OpenedCall; readonly text: string },
): OpenedCalls {
  const { opener } = opened;
  if (turn.model.info.rollback !== "any") {
    written.push({ text, special: false });
    return openedCalls(turn, opened, written);
  }
  const thought = text.slice(0, text.length - opener.text.length).trimEnd();
  written.push(
    { text: thought, special: false },
    { text: turn.reasoning.marks?.end ?? "", special: true },
    { text: opener.text, special: opener.special },
  );
  return openedCalls(turn, opened, written);
}
