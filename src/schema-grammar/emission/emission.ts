// The state of emitting one grammar: rules so far, automata of containers, and what was capped.
import type { Expression } from "../../gbnf-builder/grammar.ts";
import type { ArrayShape } from "../algebra/array-shape.ts";
import { type Disjunct, keyOfDisjunct } from "../algebra/disjunct.ts";
import { alwaysTrue } from "../algebra/formula.ts";
import { type ObjectShape, objectShape } from "../algebra/object-shape.ts";
import type { Term } from "../algebra/term.ts";
import type { CompileCaps } from "../compiled-schema.ts";
import type { RuleCollector } from "../languages/emit-context.ts";
import type { Layout } from "../layout.ts";
import { type Compilation, report, withFuel } from "../normal-form/compilation.ts";
import { OverBudget } from "../normal-form/over-budget.ts";
import { type ArrayPlan, arrayPlan, relaxedArrayPlan } from "./array-automaton.ts";
import { type ObjectAutomaton, objectAutomaton } from "./object-automaton.ts";

export interface Emission {
  readonly compilation: Compilation;
  readonly collector: RuleCollector;
  readonly layout: Layout;
  readonly caps: Partial<CompileCaps>;
  readonly capped: Map<keyof CompileCaps, number>;
  /** Automata by their disjunct's key. */
  readonly objects: Map<string, ObjectAutomaton>;
  readonly arrays: Map<string, ArrayPlan>;
  /** Rules so far, about. */
  readonly spent: { rules: number };
  /** What each term was written as, by the layout's key and the term's id. */
  readonly places: Map<string, Map<number, Expression>>;
  /** The key of the rule of each language. */
  readonly placeKeys: Map<string, string>;
  /** Terms at which recursion comes round, where that matters. */
  readonly recursive: ReadonlySet<Term>;
}

/** The automaton of an alternative; where it is over the budget, that of its shape without the condition. */
export function objectAutomatonOf(
  emission: Pick<Emission, "compilation" | "objects">,
  disjunct: Disjunct<ObjectShape>,
  pointer: string,
): ObjectAutomaton {
  const key = keyOfDisjunct(disjunct);
  const known = emission.objects.get(key);
  if (known !== undefined) return known;
  const { compilation } = emission;
  const automaton = withinBudget(
    () => withFuel(compilation, isConditioned(disjunct), () => objectAutomaton(compilation, disjunct)),
    (reason) => {
      report(compilation, {
        pointer,
        keyword: keywordOf(compilation, disjunct, pointer),
        direction: "over",
        reason,
      });
      const wider = { ...disjunct.shape, min: 0, max: undefined };
      const shape = objectShape(compilation.algebra, wider) ?? disjunct.shape;
      return objectAutomaton(compilation, { shape, where: alwaysTrue });
    },
  );
  emission.objects.set(key, automaton);
  if (automaton.repeatedKeys !== undefined) {
    const keyword = disjunct.shape.min > 0 ? "minProperties" : "additionalProperties";
    report(compilation, { pointer, keyword, direction: "over", reason: automaton.repeatedKeys });
  }
  if (automaton.isClosed) {
    const reason = "undeclared keys are forbidden on purpose, because the schema says nothing of them";
    report(compilation, { pointer, keyword: "additionalProperties", direction: "under", reason });
  }
  return automaton;
}

/** The plan of an alternative; where it is over the budget, that of its shape without condition and `contains`. */
export function arrayPlanOf(
  emission: Pick<Emission, "compilation" | "arrays">,
  disjunct: Disjunct<ArrayShape>,
  pointer: string,
): ArrayPlan {
  const key = keyOfDisjunct(disjunct);
  const known = emission.arrays.get(key);
  if (known !== undefined) return known;
  const { compilation } = emission;
  const plan = withinBudget(
    () => withFuel(compilation, isConditioned(disjunct), () => arrayPlan(compilation, disjunct)),
    (reason) => {
      const keyword =
        disjunct.shape.contains.length > 0 ? "contains" : keywordOf(compilation, disjunct, pointer);
      report(compilation, { pointer, keyword, direction: "over", reason });
      return relaxedArrayPlan(disjunct.shape);
    },
  );
  emission.arrays.set(key, plan);
  if (plan.missesUnique) {
    const reason = "items are too many to remember which were used";
    report(compilation, {
      pointer: `${pointer}/uniqueItems`,
      keyword: "uniqueItems",
      direction: "over",
      reason,
    });
  }
  return plan;
}

function isConditioned(disjunct: Disjunct<ObjectShape> | Disjunct<ArrayShape>): boolean {
  return disjunct.where.type !== "true";
}

/** The keyword of the place that most likely brought the condition or the count in. */
function keywordOf(
  compilation: Compilation,
  disjunct: Disjunct<ObjectShape> | Disjunct<ArrayShape>,
  pointer: string,
): string {
  if (disjunct.where.type === "true")
    return disjunct.shape.max === undefined ? "minProperties" : "maxProperties";
  const node = [...compilation.document.nodes.values()].find((place) => place.pointer === pointer);
  return conditions.find((keyword) => node?.schema[keyword] !== undefined) ?? "allOf";
}

const conditions = ["oneOf", "not", "if", "dependentSchemas", "dependentRequired", "dependencies", "anyOf"];

function withinBudget<T>(build: () => T, relax: (reason: string) => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    return relax(error.message);
  }
}

/** Counts a place that a cap narrowed, and gives the cap. */
export function applyCap(emission: Emission, cap: keyof CompileCaps): number | undefined {
  const limit = emission.caps[cap];
  if (limit !== undefined) emission.capped.set(cap, (emission.capped.get(cap) ?? 0) + 1);
  return limit;
}
