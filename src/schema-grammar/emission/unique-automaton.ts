// `uniqueItems` where the items come from few values: an automaton over which of them were used.
import type { JsonValue } from "../../vocabulary/index.ts";
import { type ArrayShape, itemAt } from "../algebra/array-shape.ts";
import { type Term, valueTerm } from "../algebra/term.ts";
import type { Compilation } from "../normal-form/compilation.ts";
import { languageOf } from "../normal-form/language-of.ts";
import { finiteNumbers } from "../number-set.ts";
import { finiteStrings } from "../string-language.ts";
import type { ArrayState } from "./array-automaton.ts";

const valueLimit = 24;
const stateLimit = 130;

/** The states, or undefined where items are open or the sets of used values too many. */
export function uniqueAutomaton(
  compilation: Compilation,
  shape: ArrayShape,
): readonly ArrayState[] | undefined {
  const choices: (readonly Term[])[] = [];
  for (let index = 0; index <= shape.prefix.length; index++) {
    const values = finiteValues(compilation, itemAt(shape, index));
    if (values === undefined) return undefined;
    choices.push(values.map((value) => valueTerm(compilation.algebra.terms, value)));
  }
  const numbers = new Map<string, number>([["", 0]]);
  const used: (readonly Term[])[] = [[]];
  const states: ArrayState[] = [];
  for (let at = 0; at < used.length; at++) {
    if (at > stateLimit) return undefined;
    const items = used[at] as readonly Term[];
    const isFull = shape.max !== undefined && items.length >= shape.max;
    const next = isFull ? [] : (choices[Math.min(items.length, shape.prefix.length)] as readonly Term[]);
    const edges = next
      .filter((value) => !items.includes(value))
      .map((value) => ({ value, target: stateOf([...items, value]) }));
    states.push({ isFinal: items.length >= shape.min, edges });
  }
  return states;

  function stateOf(items: readonly Term[]): number {
    const sorted = [...items].sort((a, b) => a.id - b.id);
    const key = sorted.map((term) => term.id).join(",");
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, used.length);
    used.push(sorted);
    return used.length - 1;
  }
}

/** All values of a term where they are few and no containers. */
function finiteValues(compilation: Compilation, term: Term): readonly JsonValue[] | undefined {
  const language = languageOf(compilation, term);
  if (language.arrays.length > 0 || language.objects.length > 0) return undefined;
  const numbers = finiteNumbers(language.numbers, valueLimit);
  const strings = finiteStrings(language.strings, valueLimit);
  if (numbers === undefined || strings === undefined) return undefined;
  const values: JsonValue[] = [...numbers, ...strings];
  if (language.isNull) values.push(null);
  if ((language.booleans & 1) !== 0) values.push(false);
  if ((language.booleans & 2) !== 0) values.push(true);
  return values.length <= valueLimit ? values : undefined;
}
