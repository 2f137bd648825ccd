// Sets of strings under and, or, not: listed values, and automata with length bounds. Immutable; lengths stay symbolic
// as long as they can. Knows nothing of keywords; patterns and formats are read elsewhere.
import type { Automaton } from "./languages/automaton.ts";
import { codePointsOf } from "./languages/code-points.ts";
import { combineAutomata, complementAutomaton } from "./languages/combine-automata.ts";
import {
  andTerms,
  mergeTerms,
  type StringTerm,
  termContains,
  termKey,
  termLengths,
  tidyTerm,
  wordsOf,
} from "./languages/string-term.ts";
import { textKey } from "./languages/text-key.ts";
import { wordAutomaton } from "./languages/word-list.ts";

/** The union of its values and terms. */
export interface StringLanguage {
  /** Equal for equal languages where these are simple (values, lengths, one pattern); never equal for different ones. */
  readonly key: string;
  /** Sorted; none of them belongs to a term. */
  readonly values: readonly string[];
  readonly terms: readonly StringTerm[];
}

/** A result that is the whole truth (`exact`), or a larger language where the truth was over the budget. */
export interface StringResult {
  readonly language: StringLanguage;
  readonly exact: boolean;
}

/** States that an operation may add to those of its operands. */
export const defaultStateBudget = 2000;

// Unions of automata are worked out only where that stays this small; else they are kept as a list.
const smallUnion = 200;
// Cells of the table for listed words, and how many terms a union may have.
const wordCells = 400_000;
const mostTerms = 200;
// An automaton of at most so many words is kept as these words.
const fewWords = 32;

export const noString: StringLanguage = makeLanguage([], []);
export const anyString: StringLanguage = makeLanguage([], [{ automaton: undefined, min: 0, max: undefined }]);

/** Just these. A string with half a surrogate pair cannot be written as UTF-8 text and is left out. */
export function stringsOf(values: readonly string[]): StringLanguage {
  return makeLanguage(
    values.filter((value) => !/\p{Surrogate}/u.test(value)),
    [],
  );
}

/** Strings of `min` to `max` characters (code points, as JSON Schema counts). */
export function stringsOfLength(min: number, max: number | undefined): StringLanguage {
  return makeLanguage([], [{ automaton: undefined, min: Math.max(0, Math.ceil(min)), max: floorOf(max) }]);
}

/** The language of an automaton. */
export function stringsOfAutomaton(automaton: Automaton): StringLanguage {
  return makeLanguage([], [{ automaton, min: 0, max: undefined }]);
}

/** Strings in both. Over the budget: at least these. */
export function andStrings(a: StringLanguage, b: StringLanguage, budget = defaultStateBudget): StringResult {
  if (a.key === b.key || isAnyString(b)) return { language: a, exact: true };
  if (isAnyString(a)) return { language: b, exact: true };
  const values = [
    ...a.values.filter((value) => containsString(b, value)),
    ...b.values.filter((value) => containsString(a, value)),
  ];
  if (a.terms.length * b.terms.length > mostTerms) {
    return { language: a.terms.length > b.terms.length ? b : a, exact: false };
  }
  let exact = true;
  const terms: StringTerm[] = [];
  for (const left of a.terms) {
    for (const right of b.terms) {
      const both = andTerms(left, right, budget);
      if (both === undefined) continue;
      terms.push(both.term);
      exact &&= both.exact;
    }
  }
  return { language: makeLanguage(values, terms), exact };
}

/** Strings in at least one. */
export function orStrings(a: StringLanguage, b: StringLanguage, budget = defaultStateBudget): StringResult {
  const terms = [...a.terms, ...b.terms];
  if (terms.length > mostTerms) return { language: anyString, exact: false };
  const union = makeLanguage([...a.values, ...b.values], terms);
  return { language: joinSmall(union, Math.min(budget, smallUnion)), exact: true };
}

/** Strings that are not in it. Over the budget: at least these. */
export function notStrings(a: StringLanguage, budget = defaultStateBudget): StringResult {
  const words = a.values.length === 0 ? undefined : wordAutomaton(a.values, wordCells);
  let exact = words !== undefined || a.values.length === 0;
  let language = words === undefined ? anyString : stringsOfAutomaton(complementAutomaton(words));
  for (const term of a.terms) {
    const both = andStrings(language, notTerm(term), budget);
    language = both.language;
    exact &&= both.exact;
  }
  return { language, exact };
}

/** Whether no string is in it. */
export function isNoString(language: StringLanguage): boolean {
  return language.values.length === 0 && language.terms.length === 0;
}

/** Whether the language is written as every string. */
export function isAnyString(language: StringLanguage): boolean {
  return language.key === anyString.key;
}

/** Whether a string is in it. */
export function containsString(language: StringLanguage, text: string): boolean {
  return valueSet(language).has(text) || language.terms.some((term) => termContains(term, text));
}

const valueSets = new WeakMap<StringLanguage, ReadonlySet<string>>();

function valueSet(language: StringLanguage): ReadonlySet<string> {
  let set = valueSets.get(language);
  if (set === undefined) {
    set = new Set(language.values);
    valueSets.set(language, set);
  }
  return set;
}

/** All strings of the language where there are at most `max`, sorted; else undefined. */
export function finiteStrings(language: StringLanguage, max: number): string[] | undefined {
  const found = new Set(language.values);
  for (const term of language.terms) {
    const words = wordsOf(term, max);
    if (words === undefined) return undefined;
    for (const word of words) found.add(word);
    if (found.size > max) return undefined;
  }
  return found.size > max ? undefined : [...found].sort();
}

/** Shortest and longest string in characters; undefined for no string at all. */
export function lengthRange(
  language: StringLanguage,
): { readonly min: number; readonly max: number | undefined } | undefined {
  const ranges = [
    ...language.values.map((value) => {
      const { length } = codePointsOf(value);
      return { min: length, max: length };
    }),
    ...language.terms.map(termLengths),
  ];
  if (ranges.length === 0) return undefined;
  const longest = ranges.reduce((most, { max }) => Math.max(most, max ?? Infinity), 0);
  return {
    min: ranges.reduce((least, { min }) => Math.min(least, min), Infinity),
    max: longest === Infinity ? undefined : longest,
  };
}

function makeLanguage(values: readonly string[], terms: readonly StringTerm[]): StringLanguage {
  const listed = [...values];
  const tidy: StringTerm[] = [];
  for (const term of terms) {
    const plain = tidyTerm(term);
    if (plain === undefined) continue;
    const words = wordsOf(plain, fewWords);
    // Many words of few states come from classes like `[a-z]`, which are better left as they are.
    if (words === undefined || words.length > 2 * (plain.automaton?.stateCount ?? 1)) tidy.push(plain);
    else listed.push(...words);
  }
  const merged = mergeTerms(tidy);
  const kept = [...new Set(listed)]
    .filter((value) => !merged.some((term) => termContains(term, value)))
    .sort();
  return { key: languageKey(kept, merged), values: kept, terms: merged };
}

function languageKey(values: readonly string[], terms: readonly StringTerm[]): string {
  const termKeys = terms.map(termKey).join("|");
  const listed = values.length === 0 ? "" : JSON.stringify(values);
  return `${textKey(listed)}|${termKeys}`;
}

/** Makes one automaton of small ones and the listed values beside them. */
function joinSmall(union: StringLanguage, states: number): StringLanguage {
  const free = union.terms.filter((term) => isUnbounded(term));
  const [first, ...others] = free;
  if (first === undefined || (others.length === 0 && union.values.length === 0)) return union;
  let joined = first.automaton as Automaton;
  const rest = union.terms.filter((term) => !isUnbounded(term));
  for (const { automaton } of others) {
    const both = combineAutomata(joined, automaton as Automaton, { operation: "or", states });
    if (both === undefined) rest.push({ automaton, min: 0, max: undefined });
    else joined = both;
  }
  const words = wordAutomaton(union.values, smallUnion * 100);
  const all = words && combineAutomata(joined, words, { operation: "or", states });
  return all === undefined
    ? makeLanguage(union.values, [...rest, { automaton: joined, min: 0, max: undefined }])
    : makeLanguage([], [...rest, { automaton: all, min: 0, max: undefined }]);
}

function isUnbounded(term: StringTerm): boolean {
  return term.automaton !== undefined && term.min === 0 && term.max === undefined;
}

function notTerm(term: StringTerm): StringLanguage {
  const outside: StringTerm[] = [];
  if (term.automaton !== undefined) {
    outside.push({ automaton: complementAutomaton(term.automaton), min: 0, max: undefined });
  }
  if (term.min > 0) outside.push({ automaton: undefined, min: 0, max: term.min - 1 });
  if (term.max !== undefined) outside.push({ automaton: undefined, min: term.max + 1, max: undefined });
  return makeLanguage([], outside);
}

function floorOf(max: number | undefined): number | undefined {
  return max === undefined ? undefined : Math.floor(max);
}
