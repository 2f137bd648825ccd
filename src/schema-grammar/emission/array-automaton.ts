// One alternative of an array: a plain list where that says it all, else an automaton over its items.
// Grammars are emitted from it and instances are written along it.
import { type ArrayShape, itemAt } from "../algebra/array-shape.ts";
import type { Disjunct } from "../algebra/disjunct.ts";
import {
  alwaysFalse,
  andFormulas,
  type Formula,
  mayHold,
  occurrencesIn,
  shapeFormula,
  substitute,
} from "../algebra/formula.ts";
import { andTerms, notTerm, saysNothing, type Term } from "../algebra/term.ts";
import { type Compilation, isSurelyEmpty } from "../normal-form/compilation.ts";
import { OverBudget } from "../normal-form/over-budget.ts";
import { decideValue } from "./decide-value.ts";
import { uniqueAutomaton } from "./unique-automaton.ts";

export type ArrayPlan =
  /** Items by position, then any number of `rest` within the bounds on the whole length. */
  | {
      readonly type: "list";
      readonly prefix: readonly Term[];
      readonly rest: Term;
      readonly min: number;
      readonly max: number | undefined;
      /** Whether equal items are let through although the schema forbids them. */
      readonly missesUnique: boolean;
    }
  | { readonly type: "automaton"; readonly states: readonly ArrayState[]; readonly missesUnique: boolean };

/** State 0 is the start. */
export interface ArrayState {
  readonly isFinal: boolean;
  readonly edges: readonly { readonly value: Term; readonly target: number }[];
}

interface Position {
  /** Items so far, as far as they matter. */
  readonly length: number;
  readonly formula: Formula<ArrayShape>;
  /** Matches so far of each shape's `contains`, as far as they matter. */
  readonly matches: ReadonlyMap<ArrayShape, readonly number[]>;
}

interface Builder {
  readonly compilation: Compilation;
  readonly shape: ArrayShape;
  readonly numbers: Map<string, number>;
  readonly positions: Position[];
}

/** Throws `OverBudget` where an automaton is needed and has too many states. */
export function arrayPlan(compilation: Compilation, disjunct: Disjunct<ArrayShape>): ArrayPlan {
  const { shape, where } = disjunct;
  const { prefix, rest, min, max } = shape;
  const isPlain = where.type === "true" && shape.contains.length === 0;
  if (isPlain && !shape.isUnique) return { type: "list", prefix, rest, min, max, missesUnique: false };
  const unique = isPlain ? uniqueAutomaton(compilation, shape) : undefined;
  if (unique !== undefined) return { type: "automaton", states: unique, missesUnique: false };
  if (isPlain) return { type: "list", prefix, rest, min, max, missesUnique: true };
  const { formulas } = compilation.algebra.arrays;
  const formula = andFormulas<ArrayShape>(formulas, [shapeFormula(formulas, shape), where]);
  const builder: Builder = { compilation, shape, numbers: new Map(), positions: [] };
  const start = numberOf(builder, { length: 0, formula, matches: new Map() });
  const states: ArrayState[] = start === undefined ? [{ isFinal: false, edges: [] }] : [];
  for (let at = 0; at < builder.positions.length; at++) {
    if (at > compilation.budget.states)
      throw new OverBudget("an array needs more states than the budget allows");
    states.push(stateAt(builder, builder.positions[at] as Position));
  }
  const missesUnique = occurrencesIn(formulas, formula).some((occurrence) => occurrence.shape.isUnique);
  return { type: "automaton", states, missesUnique };
}

function stateAt(builder: Builder, position: Position): ArrayState {
  const { compilation, shape } = builder;
  const { formulas } = compilation.algebra.arrays;
  const length = position.length + 1;
  const longer = substitute(formulas, position.formula, (each) =>
    each.max !== undefined && length > each.max ? alwaysFalse : undefined,
  );
  const edges: { value: Term; target: number }[] = [];
  const termFor = (each: ArrayShape) => itemAt(each, position.length);
  for (const { value, formula } of decideValue(compilation, formulas, {
    formula: longer,
    base: termFor(shape),
    termFor,
  })) {
    for (const matched of matchItem(builder, { ...position, formula, length }, value)) {
      const target = numberOf(builder, matched.position);
      if (target !== undefined) edges.push({ value: matched.value, target });
    }
  }
  return { isFinal: mayEnd(position), edges };
}

interface MatchedItem {
  readonly value: Term;
  readonly position: Position;
}

/** Each way in which an item can match the `contains` of the shapes that still matter. */
function matchItem(builder: Builder, position: Position, value: Term): readonly MatchedItem[] {
  const { algebra } = builder.compilation;
  const { terms } = algebra;
  let found: MatchedItem[] = [{ value, position }];
  for (const { shape, isNegative } of occurrencesIn(algebra.arrays.formulas, position.formula)) {
    for (const [index, contains] of shape.contains.entries()) {
      found = found.flatMap((item) => {
        const so = item.position.matches.get(shape)?.[index] ?? 0;
        const isSatisfied = contains.max === undefined && so >= contains.min;
        if (isSatisfied) return [item];
        const met = andTerms(terms, [item.value, contains.item]);
        const unmet =
          contains.max === undefined && !isNegative
            ? item.value
            : andTerms(terms, [item.value, notTerm(terms, contains.item)]);
        const outcomes: MatchedItem[] = [];
        if (!isSurelyEmpty(builder.compilation, met))
          outcomes.push({ value: met, position: matched(item.position, shape, index) });
        if (!isSurelyEmpty(builder.compilation, unmet))
          outcomes.push({ value: unmet, position: item.position });
        return outcomes;
      });
      if (found.length > 64)
        throw new OverBudget("items match `contains` in more ways than the budget allows");
    }
  }
  return found;
}

function matched(position: Position, shape: ArrayShape, index: number): Position {
  const counts = [...(position.matches.get(shape) ?? shape.contains.map(() => 0))];
  const { min, max } = shape.contains[index] as ArrayShape["contains"][number];
  counts[index] = Math.min((counts[index] ?? 0) + 1, max === undefined ? min : max + 1);
  return { ...position, matches: new Map([...position.matches, [shape, counts]]) };
}

/** The number of a position's state; undefined where nothing can follow. */
function numberOf(builder: Builder, position: Position): number | undefined {
  const { formulas } = builder.compilation.algebra.arrays;
  const formula = substitute(formulas, position.formula, (shape) =>
    hasTooMany(shape, position) ? alwaysFalse : undefined,
  );
  if (formula.type === "false") return undefined;
  let most = 0;
  const matches = new Map<ArrayShape, readonly number[]>();
  for (const { shape } of occurrencesIn(formulas, formula)) {
    const rest = saysNothing(shape.rest) ? 0 : shape.prefix.length;
    most = Math.max(most, shape.prefix.length, rest, shape.min, shape.max === undefined ? 0 : shape.max + 1);
    const counts = position.matches.get(shape);
    if (counts !== undefined) matches.set(shape, counts);
  }
  const settled: Position = { length: Math.min(position.length, most), formula, matches };
  const counted = [...matches].map(([shape, counts]) => `${shape.id}:${counts.join(".")}`);
  const key = `${settled.length};${formula.id};${counted.join(",")}`;
  const known = builder.numbers.get(key);
  if (known !== undefined) return known;
  const number = builder.positions.length;
  builder.numbers.set(key, number);
  builder.positions.push(settled);
  return number;
}

function hasTooMany(shape: ArrayShape, position: Position): boolean {
  const counts = position.matches.get(shape);
  return (
    counts !== undefined &&
    shape.contains.some(({ max }, index) => max !== undefined && (counts[index] ?? 0) > max)
  );
}

function mayEnd(position: Position): boolean {
  return mayHold(position.formula, (shape) => {
    if (position.length < shape.min) return false;
    const counts = position.matches.get(shape);
    if (shape.contains.some(({ min }, index) => (counts?.[index] ?? 0) < min)) return false;
    return shape.isUnique || shape.isLoose ? undefined : true;
  });
}

/** The list that a plan falls back to: what the shape says without what was too much. */
export function relaxedArrayPlan(shape: ArrayShape): ArrayPlan {
  const { prefix, rest, min, max } = shape;
  return { type: "list", prefix, rest, min, max, missesUnique: shape.isUnique };
}
