// The tables that one compilation interns its terms, shapes and formulas in.
import type { StringResult } from "../string-language.ts";
import type { ArrayShape } from "./array-shape.ts";
import { createFormulaTable, type FormulaTable } from "./formula.ts";
import type { ObjectShape } from "./object-shape.ts";
import { createScopeTable, type ScopeTable } from "./scope.ts";
import { createTermTable, type TermTable } from "./term.ts";

export interface Algebra {
  readonly terms: TermTable;
  readonly scopes: ScopeTable;
  readonly objects: {
    readonly shapes: Map<string, ObjectShape>;
    readonly formulas: FormulaTable<ObjectShape>;
  };
  readonly arrays: { readonly shapes: Map<string, ArrayShape>; readonly formulas: FormulaTable<ArrayShape> };
  /** Results of operations on languages of text. */
  readonly strings: Map<string, StringResult>;
  /** States one automaton over text may have. */
  readonly states: number;
}

export function createAlgebra(states: number): Algebra {
  return {
    terms: createTermTable(),
    scopes: createScopeTable(),
    objects: { shapes: new Map(), formulas: createFormulaTable() },
    arrays: { shapes: new Map(), formulas: createFormulaTable() },
    strings: new Map(),
    states,
  };
}
