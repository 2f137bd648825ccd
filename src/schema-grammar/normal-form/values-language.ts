// The normal form of a list of values, as `enum` and `const` give them.

import { isJsonObject, type JsonObject, type JsonValue } from "../../vocabulary/index.ts";
import { type ArrayShape, arrayShape } from "../algebra/array-shape.ts";
import { type Disjunct, orDisjuncts } from "../algebra/disjunct.ts";
import type { Language } from "../algebra/language.ts";
import { type ObjectShape, objectShape } from "../algebra/object-shape.ts";
import { noneTerm, valueTerm } from "../algebra/term.ts";
import { numbersOf } from "../number-set.ts";
import { anyString, stringsOf } from "../string-language.ts";
import type { Compilation } from "./compilation.ts";

/** What equals one of the values. Keys of objects are written in the order in which the value has them. */
export function valuesLanguage(compilation: Compilation, values: readonly JsonValue[]): Language {
  return {
    isNull: values.includes(null),
    booleans: (values.includes(false) ? 1 : 0) | (values.includes(true) ? 2 : 0),
    numbers: numbersOf(values.filter((value) => typeof value === "number")),
    strings: stringsOf(values.filter((value) => typeof value === "string")),
    arrays: orDisjuncts(values.filter(isJsonArray).map((value) => listOf(arrayOf(compilation, value)))),
    objects: orDisjuncts(values.filter(isJsonObject).map((value) => listOf(objectOf(compilation, value)))),
    areNumbersLoose: false,
    areStringsLoose: false,
  };
}

function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function arrayOf(compilation: Compilation, value: readonly JsonValue[]): ArrayShape | undefined {
  const { algebra } = compilation;
  const prefix = value.map((item) => valueTerm(algebra.terms, item));
  return arrayShape(algebra, { prefix, rest: noneTerm, min: value.length, max: value.length });
}

function objectOf(compilation: Compilation, value: JsonObject): ObjectShape | undefined {
  const { algebra } = compilation;
  const names = Object.entries(value).map(([name, item]) => {
    return [name, { value: valueTerm(algebra.terms, item), isRequired: true, isDeclared: true }] as const;
  });
  return objectShape(algebra, { names: new Map(names), open: [{ keys: anyString, value: noneTerm }] });
}

function listOf<S extends ArrayShape | ObjectShape>(shape: S | undefined): readonly Disjunct<S>[] {
  return shape === undefined ? [] : [{ shape, where: { type: "true", id: 0 } }];
}
