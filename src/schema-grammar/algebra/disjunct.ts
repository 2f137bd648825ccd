// Alternatives of one kind of container: a shape, and a condition over more shapes that cannot be merged into it.
// The same for objects and arrays; what a shape means is in `Kind`.
import {
  alwaysTrue,
  andFormulas,
  type Formula,
  type FormulaTable,
  notFormula,
  orFormulas,
  type Shape,
  shapeFormula,
} from "./formula.ts";

export interface Disjunct<S extends Shape> {
  readonly shape: S;
  readonly where: Formula<S>;
}

/** What objects and arrays differ in. */
export interface Kind<S extends Shape> {
  readonly formulas: FormulaTable<S>;
  readonly any: S;
  isAny(shape: S): boolean;
  /** Undefined where nothing has both shapes. */
  and(a: S, b: S): S | undefined;
  /** The negation as one shape, where there is one. */
  negateSimple(shape: S): S | undefined;
  /** The shape without a say in the order of keys. */
  unordered(shape: S): S;
  /** Whether surely nothing has both shapes. */
  isDisjoint(a: S, b: S): boolean;
}

/** Alternatives beyond which a product is kept as a condition instead of being multiplied out. */
const productLimit = 16;

/** The alternative, with what its condition says for sure merged into its shape. Undefined where it is impossible. */
export function disjunct<S extends Shape>(
  kind: Kind<S>,
  shape: S,
  where: Formula<S> = alwaysTrue,
): Disjunct<S> | undefined {
  let merged: S | undefined = shape;
  const kept: Formula<S>[] = [];
  for (const item of where.type === "and" ? where.items : [where]) {
    const sure: S | undefined = sureShape(kind, item);
    if (item.type === "false") return undefined;
    if (sure === undefined) kept.push(item);
    else merged = merged && kind.and(merged, sure);
  }
  return merged && { shape: merged, where: andFormulas(kind.formulas, kept) };
}

function sureShape<S extends Shape>(kind: Kind<S>, item: Formula<S>): S | undefined {
  if (item.type === "shape") return item.shape;
  if (item.type === "not" && item.item.type === "shape") return kind.negateSimple(item.item.shape);
  return undefined;
}

/** The alternatives that any of the lists has. */
export function orDisjuncts<S extends Shape>(
  lists: readonly (readonly Disjunct<S>[])[],
): readonly Disjunct<S>[] {
  const found = new Map<string, Disjunct<S>>();
  for (const list of lists) for (const item of list) found.set(keyOfDisjunct(item), item);
  return [...found.values()];
}

/** The alternatives that both lists have. */
export function andDisjuncts<S extends Shape>(
  kind: Kind<S>,
  a: readonly Disjunct<S>[],
  b: readonly Disjunct<S>[],
): readonly Disjunct<S>[] {
  if (a.length > 1 && b.length > 1 && a.length * b.length > productLimit) return foldProduct(kind, a, b);
  const found: Disjunct<S>[] = [];
  for (const left of a) {
    for (const right of b) {
      const both = andTwo(kind, left, right);
      if (both !== undefined) found.push(both);
    }
  }
  return orDisjuncts([found]);
}

/** What none of the alternatives allows: one alternative, or none. */
export function notDisjuncts<S extends Shape>(
  kind: Kind<S>,
  list: readonly Disjunct<S>[],
): readonly Disjunct<S>[] {
  const negated = list.map((item) => notFormula(kind.formulas, formulaOf(kind, item)));
  const all = disjunct(kind, kind.any, andFormulas(kind.formulas, negated));
  return all === undefined ? [] : [all];
}

/** The alternatives of each list that no other list has. */
export function exactlyOneDisjunct<S extends Shape>(
  kind: Kind<S>,
  lists: readonly (readonly Disjunct<S>[])[],
): readonly Disjunct<S>[] {
  const found: Disjunct<S>[] = [];
  for (const [index, list] of lists.entries()) {
    for (const item of list) {
      const others = lists.flatMap((other, at) => (at === index ? [] : other));
      const overlapping = others.filter((other) => !kind.isDisjoint(item.shape, other.shape));
      const negated = overlapping.map((other) => notFormula(kind.formulas, formulaOf(kind, other)));
      const only = disjunct(kind, item.shape, andFormulas(kind.formulas, [item.where, ...negated]));
      if (only !== undefined) found.push(only);
    }
  }
  return orDisjuncts([found]);
}

/** The alternative as a formula. */
export function formulaOf<S extends Shape>(kind: Kind<S>, item: Disjunct<S>): Formula<S> {
  const shape = kind.isAny(item.shape) ? alwaysTrue : shapeFormula(kind.formulas, item.shape);
  return andFormulas<S>(kind.formulas, [shape, item.where]);
}

export function keyOfDisjunct<S extends Shape>(item: Disjunct<S>): string {
  return item.where.type === "true" ? `${item.shape.id}` : `${item.shape.id}?${item.where.id}`;
}

function andTwo<S extends Shape>(kind: Kind<S>, a: Disjunct<S>, b: Disjunct<S>): Disjunct<S> | undefined {
  const shape = kind.and(a.shape, b.shape);
  return shape && disjunct(kind, shape, andFormulas(kind.formulas, [a.where, b.where]));
}

/** Keeps the alternatives of the first list and makes the second one a condition of each. */
function foldProduct<S extends Shape>(
  kind: Kind<S>,
  a: readonly Disjunct<S>[],
  b: readonly Disjunct<S>[],
): readonly Disjunct<S>[] {
  const condition = disjunction(kind, b);
  const found: Disjunct<S>[] = [];
  for (const item of a) {
    const both = disjunct(kind, item.shape, andFormulas(kind.formulas, [item.where, condition]));
    if (both !== undefined) found.push(both);
  }
  return orDisjuncts([found]);
}

function disjunction<S extends Shape>(kind: Kind<S>, list: readonly Disjunct<S>[]): Formula<S> {
  return orFormulas(
    kind.formulas,
    list.map((item) => formulaOf(kind, item)),
  );
}
