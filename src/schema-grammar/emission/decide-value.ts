// What follows for a condition when a value is seen at a key or an index: each way in which the shapes' demands on
// that value can hold or fail, as a term for the value and the condition that is left.
import {
  alwaysFalse,
  type Formula,
  type FormulaTable,
  occurrencesIn,
  type Shape,
  substitute,
} from "../algebra/formula.ts";

import { andTerms, noneTerm, notTerm, orTerms, saysNothing, type Term } from "../algebra/term.ts";
import { type Compilation, isSurelyEmpty, spendFuel } from "../normal-form/compilation.ts";
import { OverBudget } from "../normal-form/over-budget.ts";

export interface Outcome<S extends Shape> {
  readonly value: Term;
  readonly formula: Formula<S>;
}

/** Different demands on one value beyond which the cases are too many. */
const demandLimit = 40;
const outcomeLimit = 200;

interface Demand<S extends Shape> {
  readonly value: Term;
  readonly shapes: ReadonlySet<S>;
}

/** All outcomes. `base` holds in each. Throws `OverBudget` where they are too many. */
export function decideValue<S extends Shape>(
  compilation: Compilation,
  formulas: FormulaTable<S>,
  options: {
    readonly formula: Formula<S>;
    readonly base: Term;
    readonly termFor: (shape: S) => Term;
  },
): readonly Outcome<S>[] {
  const { base, termFor } = options;
  if (base === noneTerm) return [];
  const start = substitute(formulas, options.formula, (shape) =>
    termFor(shape) === noneTerm ? alwaysFalse : undefined,
  );
  const demands = demandsOf(formulas, start, termFor);
  if (demands.length > demandLimit) throw new OverBudget("more demands on one value than the budget allows");
  const found: Outcome<S>[] = [];
  const pending = [{ formula: start, value: base, at: 0 }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { formula, value, at } = place;
    spendFuel(compilation, 1);
    const demand = demands[at];
    if (formula.type === "false") continue;
    if (demand === undefined) {
      found.push({ formula, value });
      if (found.length > outcomeLimit)
        throw new OverBudget("more outcomes of one value than the budget allows");
      continue;
    }
    const signs = signsOf(formulas, formula, demand);
    if (signs === undefined) {
      pending.push({ formula, value, at: at + 1 });
      continue;
    }
    const failed = substitute(formulas, formula, (shape) =>
      demand.shapes.has(shape) ? alwaysFalse : undefined,
    );
    // Where the shapes only help, leaving them aside is right whether or not the demand is met.
    const unmet = signs.isNegative
      ? andTerms(compilation.algebra.terms, [value, notTerm(compilation.algebra.terms, demand.value)])
      : value;
    if (failed.type !== "false" && (unmet === value || !isSurelyEmpty(compilation, unmet))) {
      pending.push({ formula: failed, value: unmet, at: at + 1 });
    }
    const met = andTerms(compilation.algebra.terms, [value, demand.value]);
    if (met === value || !isSurelyEmpty(compilation, met)) pending.push({ formula, value: met, at: at + 1 });
  }
  return mergeOutcomes(compilation, found);
}

function demandsOf<S extends Shape>(
  formulas: FormulaTable<S>,
  formula: Formula<S>,
  termFor: (shape: S) => Term,
): readonly Demand<S>[] {
  const demands = new Map<Term, Set<S>>();
  for (const { shape } of occurrencesIn(formulas, formula)) {
    const value = termFor(shape);
    if (saysNothing(value) || value === noneTerm) continue;
    const shapes = demands.get(value) ?? new Set();
    demands.set(value, shapes.add(shape));
  }
  return [...demands].map(([value, shapes]) => ({ value, shapes }));
}

function signsOf<S extends Shape>(
  formulas: FormulaTable<S>,
  formula: Formula<S>,
  demand: Demand<S>,
): { isNegative: boolean } | undefined {
  const live = occurrencesIn(formulas, formula).filter(({ shape }) => demand.shapes.has(shape));
  return live.length === 0 ? undefined : { isNegative: live.some((occurrence) => occurrence.isNegative) };
}

function mergeOutcomes<S extends Shape>(
  compilation: Compilation,
  outcomes: readonly Outcome<S>[],
): readonly Outcome<S>[] {
  if (outcomes.length < 2) return outcomes;
  const merged = new Map<Formula<S>, Term[]>();
  for (const { formula, value } of outcomes) {
    const values = merged.get(formula);
    if (values === undefined) merged.set(formula, [value]);
    else values.push(value);
  }
  return [...merged].map(([formula, values]) => ({
    formula,
    value: orTerms(compilation.algebra.terms, values),
  }));
}
