// Finds marks in prose, and how much of its end may yet become one. Knows positions, not what the marks mean.
import type { Opener, ReadableFormat } from "./format.ts";
import { bareMarks, type ReasoningMarks } from "./reasoning-marks.ts";

export type Mark = MarkPlace &
  (
    | {
        readonly type: "opener";
        readonly opener: Opener;
        readonly formats: readonly [ReadableFormat, ...ReadableFormat[]];
      }
    | { readonly type: "reasoning"; readonly end: string }
    /** Not part of the prose and of no further meaning. */
    | { readonly type: "silent" }
  );

interface MarkPlace {
  readonly text: string;
  readonly position: Opener["position"] | "block-start";
}

/** Where the text that is looked at begins. */
export interface MarkContext {
  /** Nothing but white space and reasoning came before in this turn. */
  readonly atTurnStart: boolean;
  /** Nothing but white space came since the turn's start, its reasoning, or its latest call. */
  readonly atBlockStart: boolean;
  /** Nothing but white space stands before it on its line. */
  readonly lineIsBlank: boolean;
}

/**
 * The marks of the formats and of reasoning, these without the white space around them. Formats with the same opener share
 * its mark.
 */
export function collectMarks(
  formats: readonly ReadableFormat[],
  reasoning: ReasoningMarks | undefined,
): readonly Mark[] {
  const marks: Mark[] = [];
  const owners = new Map<string, { opener: Opener; formats: [ReadableFormat, ...ReadableFormat[]] }>();
  for (const format of formats) {
    for (const opener of format.openers) {
      const known = owners.get(opener.text);
      if (known === undefined) owners.set(opener.text, { opener, formats: [format] });
      else known.formats.push(format);
    }
    for (const text of format.silent ?? []) marks.push({ type: "silent", text, position: "anywhere" });
  }
  for (const [text, { opener, formats: its }] of owners) {
    marks.push({ type: "opener", text, position: opener.position, opener, formats: its });
  }
  const pairs = [reasoning, ...formats.map((format) => format.reasoning)].flatMap((pair) =>
    pair === undefined ? [] : [bareMarks(pair)],
  );
  for (const [at, { start, end }] of pairs.entries()) {
    // Two ends for one start would leave it open which is waited for.
    if (pairs.findIndex((pair) => pair.start === start) < at) continue;
    marks.push({ type: "reasoning", text: start, position: "block-start", end });
    // An end without a start says nothing, and must not be shown.
    marks.push({ type: "silent", text: end, position: "block-start" });
  }
  return marks;
}

/** Openers that end reasoning: certain ones, on a line of their own, since reasoning also speaks about calls. */
export function asLineOpener(mark: Mark): Mark[] {
  const isCertain = mark.type === "opener" && mark.opener.strength === "certain";
  return isCertain ? [{ ...mark, position: "line-start" }] : [];
}

/** The first complete mark; of two at one place the longer, which is waited for until the text is over. */
export function findMark(
  marks: readonly Mark[],
  text: string,
  context: MarkContext,
  isOver: boolean,
): { readonly mark: Mark; readonly index: number } | undefined {
  let best: { mark: Mark; index: number } | undefined;
  for (const mark of marks) {
    const index = indexOfMark(mark, text, context);
    if (index === -1) continue;
    const isBetter =
      best === undefined ||
      index < best.index ||
      (index === best.index && mark.text.length > best.mark.text.length);
    if (isBetter) best = { mark, index };
  }
  return best === undefined || isOver || !mayGrow(marks, text, best.index, context) ? best : undefined;
}

/** Whether the text from `index` on is the beginning of a mark that is not complete yet. */
function mayGrow(marks: readonly Mark[], text: string, index: number, context: MarkContext): boolean {
  const rest = text.slice(index);
  return marks.some(
    (mark) =>
      mark.text.length > rest.length && mark.text.startsWith(rest) && fits(mark, text, index, context),
  );
}

/** How many units at the end of `text` must wait: white space, and what may be the beginning of a mark. */
export function heldBack(marks: readonly Mark[], text: string, context: MarkContext): number {
  let start = text.length;
  for (const mark of marks) {
    const longest = Math.min(mark.text.length - 1, text.length);
    for (let length = longest; length > 0; length -= 1) {
      const at = text.length - length;
      if (at >= start) break;
      if (mark.text.startsWith(text.slice(at)) && fits(mark, text, at, context)) start = at;
    }
  }
  return text.length - text.slice(0, start).trimEnd().length;
}

function indexOfMark(mark: Mark, text: string, context: MarkContext): number {
  let index = text.indexOf(mark.text);
  while (index !== -1 && !fits(mark, text, index, context)) index = text.indexOf(mark.text, index + 1);
  return index;
}

function fits(mark: Mark, text: string, index: number, context: MarkContext): boolean {
  switch (mark.position) {
    case "anywhere":
      return true;
    case "line-start": {
      const newLine = text.lastIndexOf("\n", index - 1);
      const isBlank = text.slice(index === 0 ? 0 : newLine + 1, index).trim() === "";
      return isBlank && (context.lineIsBlank || (index > 0 && newLine !== -1));
    }
    case "turn-start":
      return context.atTurnStart && text.slice(0, index).trim() === "";
    case "block-start":
      return context.atBlockStart && text.slice(0, index).trim() === "";
    default:
      return mark.position satisfies never;
  }
}
