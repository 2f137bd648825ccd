// Conditions over shapes under and, or, not, in one interned form. A shape is any interned record with an id;
// what it means is the affair of objects and arrays.

export interface Shape {
  readonly id: number;
}

export type Formula<S extends Shape> =
  | { readonly type: "true"; readonly id: 0 }
  | { readonly type: "false"; readonly id: 1 }
  | { readonly type: "shape"; readonly id: number; readonly shape: S }
  | { readonly type: "not"; readonly id: number; readonly item: Formula<S> }
  | { readonly type: "and" | "or"; readonly id: number; readonly items: readonly Formula<S>[] };

export interface FormulaTable<S extends Shape> {
  readonly byKey: Map<string, Formula<S>>;
  /** The shapes of each formula that was asked for them. */
  readonly occurrences: Map<Formula<S>, readonly Occurrence<S>[]>;
  nextId: number;
}

export const alwaysTrue = { type: "true", id: 0 } as const;
export const alwaysFalse = { type: "false", id: 1 } as const;

export function createFormulaTable<S extends Shape>(): FormulaTable<S> {
  return { byKey: new Map(), occurrences: new Map(), nextId: 2 };
}

export function shapeFormula<S extends Shape>(table: FormulaTable<S>, shape: S): Formula<S> {
  return intern(table, `s${shape.id}`, (id) => ({ type: "shape", id, shape }));
}

export function andFormulas<S extends Shape>(
  table: FormulaTable<S>,
  items: readonly Formula<S>[],
): Formula<S> {
  return combine(table, "and", items);
}

export function orFormulas<S extends Shape>(
  table: FormulaTable<S>,
  items: readonly Formula<S>[],
): Formula<S> {
  return combine(table, "or", items);
}

export function notFormula<S extends Shape>(table: FormulaTable<S>, item: Formula<S>): Formula<S> {
  if (item.type === "true") return alwaysFalse;
  if (item.type === "false") return alwaysTrue;
  if (item.type === "not") return item.item;
  return intern(table, `!${item.id}`, (id) => ({ type: "not", id, item }));
}

/** The formula with shapes replaced; `undefined` keeps one as it is. */
export function substitute<S extends Shape>(
  table: FormulaTable<S>,
  formula: Formula<S>,
  replace: (shape: S) => Formula<S> | undefined,
): Formula<S> {
  switch (formula.type) {
    case "true":
    case "false":
      return formula;
    case "shape":
      return replace(formula.shape) ?? formula;
    case "not": {
      const item = substitute(table, formula.item, replace);
      return item === formula.item ? formula : notFormula(table, item);
    }
    case "and":
    case "or": {
      const items = formula.items.map((item) => substitute(table, item, replace));
      // Most often nothing changes, and to find the same formula again costs far more than to see that.
      const isSame = items.every((item, i) => item === formula.items[i]);
      return isSame ? formula : combine(table, formula.type, items);
    }
  }
}

/** How a shape occurs: under an even number of `not`, an odd one, or both. */
export interface Occurrence<S extends Shape> {
  readonly shape: S;
  readonly isPositive: boolean;
  readonly isNegative: boolean;
}

/** The shapes of a formula, in the order of their first mention. */
export function occurrencesIn<S extends Shape>(
  table: FormulaTable<S>,
  formula: Formula<S>,
): readonly Occurrence<S>[] {
  let occurrences = table.occurrences.get(formula);
  if (occurrences === undefined) {
    const found = new Map<S, Occurrence<S>>();
    collect(formula, true, found);
    occurrences = [...found.values()];
    table.occurrences.set(formula, occurrences);
  }
  return occurrences;
}

function collect<S extends Shape>(formula: Formula<S>, sign: boolean, found: Map<S, Occurrence<S>>): void {
  switch (formula.type) {
    case "true":
    case "false":
      return;
    case "shape": {
      const { shape } = formula;
      const known = found.get(shape);
      const isPositive = sign || known?.isPositive === true;
      const isNegative = !sign || known?.isNegative === true;
      found.set(shape, { shape, isPositive, isNegative });
      return;
    }
    case "not":
      collect(formula.item, !sign, found);
      return;
    case "and":
    case "or":
      for (const item of formula.items) collect(item, sign, found);
  }
}

/** Whether the formula may hold, where a shape is true, false, or `undefined` for not known. */
export function mayHold<S extends Shape>(
  formula: Formula<S>,
  holds: (shape: S) => boolean | undefined,
): boolean {
  return evaluate(formula, holds) !== false;
}

function evaluate<S extends Shape>(
  formula: Formula<S>,
  holds: (shape: S) => boolean | undefined,
): boolean | undefined {
  switch (formula.type) {
    case "true":
      return true;
    case "false":
      return false;
    case "shape":
      return holds(formula.shape);
    case "not": {
      const inner = evaluate(formula.item, holds);
      return inner === undefined ? undefined : !inner;
    }
    case "and":
    case "or": {
      const ending = formula.type === "or";
      const values = formula.items.map((item) => evaluate(item, holds));
      if (values.includes(ending)) return ending;
      return values.includes(undefined) ? undefined : !ending;
    }
  }
}

function combine<S extends Shape>(
  table: FormulaTable<S>,
  type: "and" | "or",
  items: readonly Formula<S>[],
): Formula<S> {
  const [neutral, ending] = type === "and" ? [alwaysTrue, alwaysFalse] : [alwaysFalse, alwaysTrue];
  const unique = new Set<Formula<S>>();
  for (const item of items) {
    if (item.type === type) for (const inner of item.items) unique.add(inner);
    else if (item.type === ending.type) return ending;
    else if (item.type !== neutral.type) unique.add(item);
  }
  for (const item of unique) if (item.type === "not" && unique.has(item.item)) return ending;
  const [first] = unique;
  if (first === undefined) return neutral;
  if (unique.size === 1) return first;
  const kept = [...unique];
  const ids = kept.map((item) => item.id).sort((a, b) => a - b);
  return intern(table, `${type}${ids.join(",")}`, (id) => ({ type, id, items: kept }));
}

function intern<S extends Shape>(
  table: FormulaTable<S>,
  key: string,
  make: (id: number) => Formula<S>,
): Formula<S> {
  const known = table.byKey.get(key);
  if (known !== undefined) return known;
  const formula = make(table.nextId++);
  table.byKey.set(key, formula);
  return formula;
}
