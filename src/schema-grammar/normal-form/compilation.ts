// The state of one compilation: what was read, the tables of the algebra, the normal forms found so far,
// and what has to be reported. Made once per compile and thrown away with it.
import { type Algebra, createAlgebra } from "../algebra/algebra.ts";
import {
  type ArrayShape,
  andArrayShapes,
  anyArray,
  isAnyArray,
  itemAt,
  negateSimpleArray,
} from "../algebra/array-shape.ts";
import type { Kind } from "../algebra/disjunct.ts";
import { isNoLanguage, type Language, type LanguageContext } from "../algebra/language.ts";
import {
  andObjectShapes,
  anyObject,
  isAnyObject,
  negateSimpleObject,
  type ObjectShape,
  undeclareNames,
  valueOfKey,
} from "../algebra/object-shape.ts";
import { andTerms, noneTerm, saysNothing, type Term } from "../algebra/term.ts";
import type { CompileBudget, Residual } from "../compiled-schema.ts";
import type { SchemaDocument } from "../reading/schema-document.ts";
import { CycleError } from "./cycle-error.ts";
import { languageOf } from "./language-of.ts";
import { OverBudget } from "./over-budget.ts";

export interface Compilation {
  readonly document: SchemaDocument;
  readonly algebra: Algebra;
  readonly context: LanguageContext;
  readonly isClosed: boolean;
  readonly assertsFormats: boolean;
  /** Whether formats that are not asserted need no mention, because the caller wants none. */
  readonly ignoresFormats: boolean;
  readonly keyOrder: "schema" | "any";
  readonly budget: CompileBudget;
  /** Normal forms by the id of their term. */
  readonly languages: Map<number, Language>;
  /** Terms whose normal form is being worked out, outermost first. */
  readonly open: Map<number, number>;
  /** The outermost open term that a cycle led back to since it was last asked; what lies inside is not final. */
  cycleStart: number;
  /** Steps that the automaton now being built may still take. */
  fuel: number;
  /** How deep questions of emptiness are nested. */
  questionDepth: number;
  readonly residual: Map<string, Residual>;
  /** Milliseconds since the epoch after which places are relaxed. */
  readonly deadline: number;
  clockTicks: number;
  isLate: boolean;
}

/** Nested questions of emptiness beyond which the answer is "not known". */
const questionLimit = 3;

export function createCompilation(options: {
  readonly document: SchemaDocument;
  readonly isClosed: boolean;
  readonly assertsFormats: boolean;
  readonly ignoresFormats: boolean;
  readonly keyOrder: "schema" | "any";
  readonly budget: CompileBudget;
}): Compilation {
  const algebra = createAlgebra(options.budget.states);
  const compilation: Compilation = {
    ...options,
    algebra,
    context: {
      states: options.budget.states,
      objects: objectKind(algebra, (term) => isSurelyEmpty(compilation, term)),
      arrays: arrayKind(algebra, (term) => isSurelyEmpty(compilation, term)),
    },
    languages: new Map(),
    open: new Map(),
    cycleStart: Infinity,
    fuel: Infinity,
    questionDepth: 0,
    residual: new Map(),
    deadline: Date.now() + options.budget.milliseconds,
    clockTicks: 0,
    isLate: false,
  };
  return compilation;
}

/** Steps of one automaton with conditions, beyond which it is relaxed. */
const fuelPerAutomaton = 20_000;

/** Runs the building of one automaton with its own fuel; without limit where it has no conditions to multiply. */
export function withFuel<T>(compilation: Compilation, isLimited: boolean, build: () => T): T {
  const { fuel } = compilation;
  compilation.fuel = isLimited ? fuelPerAutomaton : Infinity;
  try {
    return build();
  } finally {
    compilation.fuel = fuel;
  }
}

/** Takes steps off the fuel. Throws `OverBudget` where it is spent, or the time is. */
export function spendFuel(compilation: Compilation, steps: number): void {
  if (compilation.fuel === Infinity) return;
  compilation.fuel -= steps;
  if (compilation.fuel < 0) throw new OverBudget("its conditions need more steps than the budget allows");
  if (isTimeSpent(compilation)) throw new OverBudget("the time budget was spent");
}

/** Whether the time budget of the whole compile is spent. Looks at the clock only now and then. */
export function isTimeSpent(compilation: Compilation): boolean {
  if (compilation.isLate) return true;
  if (compilation.clockTicks++ % 16 !== 0) return false;
  compilation.isLate = Date.now() > compilation.deadline;
  return compilation.isLate;
}

/** Lists a keyword that is not enforced just as the schema says, once. */
export function report(compilation: Compilation, residual: Residual): void {
  const key = `${residual.pointer} ${residual.keyword} ${residual.direction}`;
  if (!compilation.residual.has(key)) compilation.residual.set(key, residual);
}

/** Whether the term surely allows nothing; false where that is not known without looking deep. */
export function isSurelyEmpty(compilation: Compilation, term: Term): boolean {
  if (term === noneTerm) return true;
  if (saysNothing(term) || term.type === "schema" || term.type === "value") return false;
  const known = compilation.languages.get(term.id);
  if (known !== undefined) return isNoLanguage(known);
  if (compilation.questionDepth >= questionLimit) return false;
  const { cycleStart } = compilation;
  compilation.questionDepth++;
  try {
    return isNoLanguage(languageOf(compilation, term));
  } catch (error) {
    if (!(error instanceof CycleError)) throw error;
    // The question came up inside its own answer. Not knowing is right for every use of it.
    compilation.cycleStart = cycleStart;
    return false;
  } finally {
    compilation.questionDepth--;
  }
}

function objectKind(algebra: Algebra, isEmpty: (term: Term) => boolean): Kind<ObjectShape> {
  const and = (a: ObjectShape, b: ObjectShape): ObjectShape | undefined => {
    const both = andObjectShapes(algebra, a, b);
    if (both === undefined || both === a || both === b) return both;
    for (const key of both.names.values()) if (key.isRequired && isEmpty(key.value)) return undefined;
    return both;
  };
  return {
    formulas: algebra.objects.formulas,
    any: anyObject(algebra),
    isAny: (shape) => isAnyObject(shape) && !shape.isClosable && !shape.isLoose,
    and,
    negateSimple: (shape) => negateSimpleObject(algebra, shape),
    unordered: (shape) => undeclareNames(algebra, shape),
    isDisjoint: (a, b) => a !== b && areObjectsDisjoint({ algebra, isEmpty }, a, b),
  };
}

function areObjectsDisjoint(
  question: { readonly algebra: Algebra; readonly isEmpty: (term: Term) => boolean },
  a: ObjectShape,
  b: ObjectShape,
): boolean {
  const required = [...a.names, ...b.names].filter(([, key]) => key.isRequired);
  for (const [name] of required) {
    const both = andTerms(question.algebra.terms, [valueOfKey(a, name), valueOfKey(b, name)]);
    if (question.isEmpty(both)) return true;
  }
  const [min, max] = [Math.max(a.min, b.min), Math.min(a.max ?? Infinity, b.max ?? Infinity)];
  return min > max;
}

function arrayKind(algebra: Algebra, isEmpty: (term: Term) => boolean): Kind<ArrayShape> {
  const and = (a: ArrayShape, b: ArrayShape): ArrayShape | undefined => {
    const both = andArrayShapes(algebra, a, b);
    if (both === undefined || both === a || both === b) return both;
    return both.prefix.slice(0, both.min).some(isEmpty) ? undefined : both;
  };
  return {
    formulas: algebra.arrays.formulas,
    any: anyArray(algebra),
    isAny: (shape) => isAnyArray(shape) && !shape.isLoose,
    and,
    negateSimple: (shape) => negateSimpleArray(algebra, shape),
    unordered: (shape) => shape,
    isDisjoint: (a, b) => a !== b && areArraysDisjoint({ algebra, isEmpty }, a, b),
  };
}

function areArraysDisjoint(
  question: { readonly algebra: Algebra; readonly isEmpty: (term: Term) => boolean },
  a: ArrayShape,
  b: ArrayShape,
): boolean {
  const min = Math.max(a.min, b.min);
  if (min > Math.min(a.max ?? Infinity, b.max ?? Infinity)) return true;
  const looked = Math.min(min, Math.max(a.prefix.length, b.prefix.length) + 1);
  for (let index = 0; index < looked; index++) {
    if (question.isEmpty(andTerms(question.algebra.terms, [itemAt(a, index), itemAt(b, index)]))) return true;
  }
  return false;
}
