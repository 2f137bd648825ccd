// One term of a string language: texts of an automaton within length bounds. Bounds stay symbolic until an automaton
// would have to count them, and are dropped where the automaton implies them.
import { type Automaton, automatonAccepts, automatonKey } from "./automaton.ts";
import {
  automatonLengths,
  automatonWords,
  hasLengthWithin,
  isEmptyAutomaton,
  isEveryCharacter,
  isFullAutomaton,
  uniformShape,
} from "./automaton-facts.ts";
import { boundLengths } from "./bound-lengths.ts";
import { codePointsOf, type Ranges } from "./code-points.ts";
import { combineAutomata } from "./combine-automata.ts";
import { loopAutomaton } from "./loop-automaton.ts";

/** Texts of an automaton (any text where there is none) that are `min` to `max` characters long. */
export interface StringTerm {
  readonly automaton: Automaton | undefined;
  readonly min: number;
  readonly max: number | undefined;
}

/** The term without bounds that its automaton implies, and without an automaton that says nothing; undefined: empty. */
export function tidyTerm(term: StringTerm): StringTerm | undefined {
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
export function mergeTerms(terms: readonly StringTerm[]): StringTerm[] {
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

/** Texts of both terms, undefined where there are none; more than these where that is over the budget. */
export function andTerms(
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

/** Whether a text belongs to the term. */
export function termContains(term: StringTerm, text: string): boolean {
  const { length } = codePointsOf(text);
  if (length < term.min || (term.max !== undefined && length > term.max)) return false;
  return term.automaton === undefined ? !/\p{Surrogate}/u.test(text) : automatonAccepts(term.automaton, text);
}

/** Shortest and longest text of a term that is not empty. */
export function termLengths(term: StringTerm): { min: number; max: number | undefined } {
  if (term.automaton === undefined) return { min: term.min, max: term.max };
  const own = automatonLengths(term.automaton);
  const longest = Math.min(own.max ?? Infinity, term.max ?? Infinity);
  return { min: Math.max(own.min, term.min), max: longest === Infinity ? undefined : longest };
}

/** The words of a term where they are few. A bound that cuts an endless automaton short is worked out for small ones. */
export function wordsOf(term: StringTerm, limit: number): string[] | undefined {
  const { automaton, min, max } = term;
  if (automaton === undefined) return max === 0 ? [""] : undefined;
  if (min === 0 && max === undefined) return automatonWords(automaton, limit);
  if (max === undefined || max > limit) return undefined;
  const bounded = boundLengths(automaton, { min, max, states: limit * max + 1, tails: false });
  return bounded && automatonWords(bounded.automaton, limit);
}

/** A text that is equal for equal terms. */
export function termKey(term: StringTerm): string {
  const bounds = `{${term.min},${term.max ?? ""}}`;
  return term.automaton === undefined ? bounds : bounds + automatonKey(term.automaton);
}
