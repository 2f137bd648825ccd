// `if`, `then`, `else` on normal forms, and alternatives that declare no keys kept as one condition.

import { type Disjunct, disjunct, formulaOf, type Kind } from "../algebra/disjunct.ts";
import {
  alwaysTrue,
  andFormulas,
  type Formula,
  notFormula,
  orFormulas,
  type Shape,
} from "../algebra/formula.ts";
import {
  andLanguages,
  type Language,
  type LanguageContext,
  notLanguage,
  orLanguages,
} from "../algebra/language.ts";

export interface Condition {
  readonly condition: Language;
  readonly implied: Language;
  readonly otherwise: Language;
}

/** What `if`, `then` and `else` allow together. */
export function conditionLanguage(context: LanguageContext, parts: Condition): Language {
  const { condition, implied, otherwise } = parts;
  const unordered = condition.objects.map((item) => ({
    ...item,
    shape: context.objects.unordered(item.shape),
  }));
  const asked = { ...condition, objects: unordered };
  const holds = andLanguages(context, asked, implied);
  const fails = andLanguages(context, notLanguage(context, asked), otherwise);
  return orLanguages(context, holds, fails);
}

/** `first` does not hold, or `second` does; on objects as one condition, so that many of them do not multiply. */
export function implicationLanguage(context: LanguageContext, first: Language, second: Language): Language {
  const either = orLanguages(context, notLanguage(context, { ...first, objects: [] }), second);
  const { formulas } = context.objects;
  const where = orFormulas(formulas, [
    notFormula(formulas, anyOf(context.objects, first.objects)),
    anyOf(context.objects, second.objects),
  ]);
  return { ...either, objects: asCondition(context.objects, where) };
}

/** Joins several alternatives into one condition where none declares keys, so that no order of keys is lost by it. */
export function foldUndeclared(context: LanguageContext, language: Language): Language {
  const { objects } = language;
  if (objects.length < 2) return language;
  const declares = objects.some((item) => [...item.shape.names.values()].some((key) => key.isDeclared));
  if (declares) return language;
  return { ...language, objects: asCondition(context.objects, anyOf(context.objects, objects)) };
}

function anyOf<S extends Shape>(kind: Kind<S>, list: readonly Disjunct<S>[]): Formula<S> {
  return orFormulas(
    kind.formulas,
    list.map((item) => formulaOf(kind, item)),
  );
}

function asCondition<S extends Shape>(kind: Kind<S>, where: Formula<S>): readonly Disjunct<S>[] {
  const only = disjunct(kind, kind.any, andFormulas(kind.formulas, [where, alwaysTrue]));
  return only === undefined ? [] : [only];
}
