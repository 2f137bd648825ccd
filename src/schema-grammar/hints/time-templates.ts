// Templates of dates and times as prose writes them ('YYYY-MM-DD', 'HH:MM', 'MM/DD/YYYY') as regular expressions.
// Knows nothing of schemas.
import { escapePattern } from "../../vocabulary/index.ts";

const day = "(0[1-9]|[12][0-9]|3[01])";
const month = "(0[1-9]|1[0-2])";
const hour = "([01][0-9]|2[0-3])";
const sixty = "[0-5][0-9]";

/** What each part of a template stands for. `MM` is a month, or minutes behind a colon. */
const parts: readonly (readonly [template: RegExp, pattern: string])[] = [
  [/^y{4}/i, "[0-9]{4}"],
  [/^:mm/i, `:${sixty}`],
  [/^:ss/i, `:${sixty}`],
  [/^m{2}/i, month],
  [/^d{2}/i, day],
  [/^h{2}/i, hour],
  [/^AM\/PM/, "(AM|PM|am|pm)"],
  [/^(?:[-/.:, ]|T|Z| to )/, ""],
];

/** A template as prose holds it: at least two parts with something between them. */
const template =
  /(?<![A-Za-z])(?:Y{4}|y{4}|M{2}|m{2}|D{2}|d{2}|H{2}|h{2})(?:(?: to |[-/.: T])(?:Y{4}|y{4}|M{2}|m{2}|D{2}|d{2}|H{2}|h{2}|S{2}|s{2}))+(?: ?AM\/PM)?Z?(?![A-Za-z])/g;

/** The patterns of all templates in the text, without anchors; a template that is named as a default value is none. */
export function timePatterns(text: string): readonly string[] {
  return [...text.matchAll(template)].flatMap(({ 0: found, index }) => {
    const isDefault = /default(?:s to| is| value is|:)?\s*['"`(]*$/i.test(text.slice(0, index));
    return isDefault ? [] : [patternOf(found)];
  });
}

function patternOf(written: string): string {
  let pattern = "";
  for (let rest = written; rest !== ""; ) {
    const found = parts.find(([part]) => part.test(rest));
    const taken = found?.[0].exec(rest)?.[0] ?? rest.slice(0, 1);
    pattern += found === undefined || found[1] === "" ? escapePattern(taken) : found[1];
    rest = rest.slice(taken.length);
  }
  return pattern;
}
