// Sets of strings under and, or, not: listed values, and automata with length bounds. Immutable; lengths stay symbolic
// as long as they can. Knows nothing of keywords; patterns and formats are read elsewhere.
import { type Automaton, automatonAccepts, automatonKey } from "./languages/automaton.ts";
import {
  automatonLengths,
  automatonWords,
  hasLengthWithin,
  isEmptyAutomaton,
  isEveryCharacter,
  isFullAutomaton,
  uniformShape,
} from "./languages/automaton-facts.ts";
import { boundLengths } from "./languages/bound-lengths.ts";
import { codePointsOf, type Ranges } from "./languages/code-points.ts";
import { combineAutomata, complementAutomaton } from "./languages/combine-automata.ts";
import { loopAutomaton } from "./languages/loop-automaton.ts";
import { textKey } from "./languages/text-key.ts";
import { wordAutomaton } from "./languages/word-list.ts";

/** Texts of an automaton (any text where there is none) that are `min` to `max` characters long. */
export interface StringTerm {
  readonly automaton: Automaton | undefined;
  readonly min: number;
  readonly max: number | undefined;
}

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

/** The language of an automaton, bounded in length. */
export function stringsOfAutomaton(automaton: Automaton, min = 0, max?: number): StringLanguage {
  return makeLanguage([], [{ automaton, min, max }]);
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
  return language.values.includes(text) || language.terms.some((term) => termContains(term, text));
}

/** All strings of the language where there are at most `max`, sorted; else undefined. */
export function finiteStrings(language: StringLanguage, max: number): string[] | undefined {
  const found = new Set(language.values);
  for (const term of language.terms) {
    const words = term.automaton === undefined ? undefined : wordsOf(term, max);
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
    const words = plain.automaton === undefined ? undefined : wordsOf(plain, fewWords);
    // Many words of few states come from classes like `[a-z]`, which are better left as they are.
    if (words === undefined || words.length > 2 * (plain.automaton?.stateCount ?? 0)) tidy.push(plain);
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

function termKey(term: StringTerm): string {
  const bounds = `{${term.min},${term.max ?? ""}}`;
  return term.automaton === undefined ? bounds : bounds + automatonKey(term.automaton);
}

/** The term without bounds that its automaton implies, and without an automaton that says nothing; undefined: empty. */
function tidyTerm(term: StringTerm): StringTerm | undefined {
  if (term.max !== undefined && term.min > term.max) return undefined;
  const { automaton } = term;
  if (automaton === undefined) return term;
  if (isEmptyAutomaton(automaton)) return undefined;
  if (isFullAutomaton(automaton)) return { ...term, automaton: undefined };
  const shape = uniformShape(automaton);
  if (shape !== undefined) return tidyUniform(term, shape);
  if (!hasLengthWithin(automaton, term.min, term.max)) return undefined;
  const own = automatonLengths(automaton);
  return {
    automaton,
    min: term.min <= own.min ? 0 : term.min,
    max: term.max !== undefined && own.max !== undefined && own.max <= term.max ? undefined : term.max,
  };
}

/** A run of one set becomes the loop over that set and bounds, so that `^[a-z]{2,5}$` is like `^[a-z]*$` with lengths. */
function tidyUniform(
  term: StringTerm,
  shape: { readonly ranges: Ranges; readonly min: number; readonly max: number | undefined },
): StringTerm | undefined {
  const min = Math.max(term.min, shape.min);
  const max = Math.min(term.max ?? Infinity, shape.max ?? Infinity);
  if (min > max) return undefined;
  return {
    automaton: isEveryCharacter(shape.ranges) ? undefined : loopAutomaton(shape.ranges),
    min,
    max: max === Infinity ? undefined : max,
  };
}

/** Joins the length bounds of terms with one automaton where they overlap or touch. */
function mergeTerms(terms: readonly StringTerm[]): StringTerm[] {
  if (terms.length < 2) return [...terms];
  const groups = new Map<string, StringTerm[]>();
  for (const term of terms) {
    const key = term.automaton === undefined ? "" : automatonKey(term.automaton);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [term]);
    else group.push(term);
  }
  const merged: StringTerm[] = [];
  for (const [, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    group.sort((a, b) => a.min - b.min);
    let current = group[0] as StringTerm;
    for (const term of group.slice(1)) {
      if (term.min > (current.max ?? Infinity) + 1) {
        merged.push(current);
        current = term;
      } else if (current.max !== undefined) {
        const max = term.max === undefined ? undefined : Math.max(current.max, term.max);
        current = { ...current, max };
      }
    }
    merged.push(current);
  }
  const free = merged.filter((term) => term.automaton === undefined);
  return merged.filter((term) => term.automaton === undefined || !free.some((wide) => isWithin(term, wide)));
}

function isWithin(term: StringTerm, wide: StringTerm): boolean {
  const { min, max } = termLengths(term);
  return min >= wide.min && (max ?? Infinity) <= (wide.max ?? Infinity);
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

function andTerms(
  a: StringTerm,
  b: StringTerm,
  budget: number,
): { term: StringTerm; exact: boolean } | undefined {
  const min = Math.max(a.min, b.min);
  const most = Math.min(a.max ?? Infinity, b.max ?? Infinity);
  const max = most === Infinity ? undefined : most;
  if (min > most) return undefined;
  const { automaton, exact } = andAutomata(a.automaton, b.automaton, budget);
  const term = tidyTerm({ automaton, min, max });
  if (term === undefined) return undefined;
  const affordable = affordableTerm(term, budget);
  return { term: affordable, exact: exact && affordable === term };
}

function andAutomata(
  a: Automaton | undefined,
  b: Automaton | undefined,
  budget: number,
): { automaton: Automaton | undefined; exact: boolean } {
  if (a === undefined || b === undefined) return { automaton: a ?? b, exact: true };
  if (automatonKey(a) === automatonKey(b)) return { automaton: a, exact: true };
  const states = budget + a.stateCount + b.stateCount;
  const both = combineAutomata(a, b, { operation: "and", states });
  return both === undefined ? { automaton: a, exact: false } : { automaton: both, exact: true };
}

/** The term itself where its bounds can be written within the budget, else the term with fewer bounds. */
function affordableTerm(term: StringTerm, budget: number): StringTerm {
  const { automaton, min, max } = term;
  // A product with a length is a plain grid of states, cheaper than others: an e-mail address of 255 characters fits.
  const states = 2 * budget;
  if (automaton === undefined || (min === 0 && max === undefined)) return term;
  if (boundLengths(automaton, { min, max, states }) !== undefined) return term;
  const loose = [
    { automaton, min: 0, max },
    { automaton, min, max: undefined },
  ].find((wider) => boundLengths(automaton, { ...wider, states }) !== undefined);
  return loose ?? { automaton, min: 0, max: undefined };
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

function termContains(term: StringTerm, text: string): boolean {
  const { length } = codePointsOf(text);
  if (length < term.min || (term.max !== undefined && length > term.max)) return false;
  return term.automaton === undefined ? !/\p{Surrogate}/u.test(text) : automatonAccepts(term.automaton, text);
}

function termLengths(term: StringTerm): { min: number; max: number | undefined } {
  if (term.automaton === undefined) return { min: term.min, max: term.max };
  const own = automatonLengths(term.automaton);
  const longest = Math.min(own.max ?? Infinity, term.max ?? Infinity);
  return { min: Math.max(own.min, term.min), max: longest === Infinity ? undefined : longest };
}

/** The words of a term where they are few. A bound that cuts an endless automaton short is worked out for small ones. */
function wordsOf(term: StringTerm, limit: number): string[] | undefined {
  const { automaton, min, max } = term;
  if (automaton === undefined) return undefined;
  if (min === 0 && max === undefined) return automatonWords(automaton, limit);
  if (max === undefined || max > limit) return undefined;
  const bounded = boundLengths(automaton, { min, max, states: limit * max + 1, tails: false });
  return bounded && automatonWords(bounded.automaton, limit);
}

function floorOf(max: number | undefined): number | undefined {
  return max === undefined ? undefined : Math.floor(max);
}
