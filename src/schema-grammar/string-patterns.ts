// Regular expressions as string languages: `pattern` and `patternProperties` in JSON Schema, ECMAScript's syntax,
// found anywhere in the text. What is not regular, or too large, becomes a larger language and says so.
import type { Automaton } from "./languages/automaton.ts";
import { joinHalves } from "./languages/halved-characters.ts";
import { fixedLength, type Pattern } from "./languages/pattern.ts";
import { patternAutomaton } from "./languages/pattern-automaton.ts";
import { readPattern } from "./languages/read-pattern.ts";
import {
  andStrings,
  anyString,
  type StringLanguage,
  type StringResult,
  stringsOfAutomaton,
  stringsOfLength,
} from "./string-language.ts";

export interface StringsRead {
  readonly language: StringLanguage;
  /** Whether the language is just what was asked for; else it is larger, and `reason` says why. */
  readonly exact: boolean;
  readonly reason?: string;
}

/** The reason of a residual that the validator cannot check either. */
export const notAnExpression = "not a regular expression";

const known = new Map<string, StringsRead>();
const rememberedPatterns = 1000;

// States before minimising, and steps of the construction (a step is well under a microsecond).
const mostStates = 4000;
const mostWork = 200_000;
const tooLarge = "the expression needs too many states";
// Repeats of more than this are told apart by the length of the whole text where that says as much.
const longRepeat = 32;

/** The strings in which the expression is found. An expression that is none allows any string and is not exact. */
export function stringsMatching(source: string): StringsRead {
  const remembered = known.get(source);
  if (remembered !== undefined) return remembered;
  const result = compilePattern(source);
  if (known.size >= rememberedPatterns) known.delete(known.keys().next().value as string);
  known.set(source, result);
  return result;
}

function compilePattern(source: string): StringsRead {
  const read = readPattern(source);
  if (read === undefined) return { language: anyString, exact: false, reason: notAnExpression };
  const bounded = read.halves === true ? unbounded(read.pattern) : takeLengths(read.pattern);
  const limits = { states: mostStates + 2 * source.length, work: mostWork };
  const automaton = patternAutomaton(bounded.pattern, limits);
  if (automaton !== undefined) {
    const { language, exact } = withLengths(automaton);
    const reason = read.wider ?? (exact ? undefined : tooLarge);
    return reason === undefined ? { language, exact } : { language, exact: false, reason };
  }
  for (const most of [16, 4, 1]) {
    const wider = patternAutomaton(loosenRepeats(bounded.pattern, most), limits);
    if (wider !== undefined) return { language: withLengths(wider).language, exact: false, reason: tooLarge };
  }
  return { language: anyString, exact: false, reason: tooLarge };

  function withLengths(automaton: Automaton): StringResult {
    const whole = read?.halves === true ? joinHalves(automaton) : automaton;
    return andStrings(stringsOfAutomaton(whole), stringsOfLength(bounded.min, bounded.max));
  }
}

/**
 * In `^ab[0-9]{2,4000}c$` only one part varies in length, so the count is a bound on the length of the text.
 * Gives the pattern without the count, and the bounds.
 */
function takeLengths(pattern: Pattern): BoundedPattern {
  const free = unbounded(pattern);
  const items = flatten(pattern);
  if (items.length < 3 || items[0]?.type !== "start" || items.at(-1)?.type !== "end") return free;
  const lengths = items.map(fixedLength);
  const at = lengths.indexOf(undefined);
  const repeat = items[at];
  if (repeat?.type !== "repeat" || lengths.lastIndexOf(undefined) !== at) return free;
  const step = fixedLength(repeat.item);
  if (
    step === undefined ||
    (repeat.min <= longRepeat && !(repeat.max > longRepeat && repeat.max < Infinity))
  ) {
    return free;
  }
  const rest = lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  const loose: Pattern = { ...repeat, min: 0, max: Infinity };
  return {
    pattern: { type: "sequence", items: items.map((item, i) => (i === at ? loose : item)) },
    min: rest + step * repeat.min,
    max: repeat.max === Infinity ? undefined : rest + step * repeat.max,
  };
}

interface BoundedPattern {
  readonly pattern: Pattern;
  readonly min: number;
  readonly max: number | undefined;
}

function unbounded(pattern: Pattern): BoundedPattern {
  return { pattern, min: 0, max: undefined };
}

function flatten(pattern: Pattern): readonly Pattern[] {
  return pattern.type === "sequence" ? pattern.items.flatMap(flatten) : [pattern];
}

/** Counts above `most` become "or more": a larger language with fewer states. */
function loosenRepeats(pattern: Pattern, most: number): Pattern {
  switch (pattern.type) {
    case "sequence":
      return { ...pattern, items: pattern.items.map((item) => loosenRepeats(item, most)) };
    case "choice":
      return { ...pattern, options: pattern.options.map((option) => loosenRepeats(option, most)) };
    case "repeat":
      return {
        type: "repeat",
        item: loosenRepeats(pattern.item, most),
        min: Math.min(pattern.min, most),
        max: pattern.max > most ? Infinity : pattern.max,
      };
    case "ahead":
    case "behind":
      // Loosening inside a negation would lose texts.
      return pattern.negated ? pattern : { ...pattern, item: loosenRepeats(pattern.item, most) };
    default:
      return pattern;
  }
}
