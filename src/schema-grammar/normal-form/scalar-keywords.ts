// What the keywords about numbers and strings say, as sets of numbers and languages.
import { isJsonObject, type JsonObject } from "../../vocabulary/index.ts";
import { annotatedFormats, integerFormats } from "../formats-asserted.ts";
import {
  andNumbers,
  anyNumber,
  integers,
  multiplesOf,
  type NumberSet,
  numbersFrom,
  numbersTo,
} from "../number-set.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { stringsOfFormat } from "../string-formats.ts";
import { andStrings, anyString, type StringLanguage, stringsOfLength } from "../string-language.ts";
import { stringsMatching } from "../string-patterns.ts";
import { type Compilation, report } from "./compilation.ts";

export interface Loosened<T> {
  readonly set: T;
  readonly isLoose: boolean;
}

/** Numbers that the node allows. */
export function numbersOfNode(
  compilation: Compilation,
  node: SchemaNode,
  start: NumberSet,
): Loosened<NumberSet> {
  const { schema } = node;
  const parts: [keyword: string, numbers: NumberSet][] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  if (typeof minimum === "number") parts.push(["minimum", numbersFrom(minimum, false)]);
  if (typeof exclusiveMinimum === "number")
    parts.push(["exclusiveMinimum", numbersFrom(exclusiveMinimum, true)]);
  if (typeof maximum === "number") parts.push(["maximum", numbersTo(maximum, false)]);
  if (typeof exclusiveMaximum === "number")
    parts.push(["exclusiveMaximum", numbersTo(exclusiveMaximum, true)]);
  if (typeof multipleOf === "number") parts.push(["multipleOf", multiplesOf(multipleOf)]);
  const sized = typeof format === "string" && compilation.assertsFormats ? sizedIntegers(format) : undefined;
  if (sized !== undefined) parts.push(["format", sized]);
  let set = start;
  let isLoose = false;
  for (const [keyword, numbers] of parts) {
    const both = andNumbers(set, numbers, compilation.budget.states);
    set = both.numbers;
    if (both.exact) continue;
    isLoose = true;
    const reason = "its product with the other bounds needs more states than the budget allows";
    report(compilation, { pointer: `${node.pointer}/${keyword}`, keyword, direction: "over", reason });
  }
  return { set, isLoose };
}

/** Strings that the node allows. */
export function stringsOfNode(compilation: Compilation, node: SchemaNode): Loosened<StringLanguage> {
  const { schema, pointer } = node;
  const { minLength, maxLength, pattern, format } = schema;
  let set = anyString;
  let isLoose = false;
  const narrow = (keyword: string, read: { language: StringLanguage; exact: boolean; reason?: string }) => {
    const both = andStrings(set, read.language, compilation.budget.states);
    set = both.language;
    if (both.exact && read.exact) return;
    isLoose = true;
    const overBudget = "its product with the other keywords needs more states than the budget allows";
    const reason = read.exact ? overBudget : (read.reason ?? overBudget);
    report(compilation, { pointer: `${pointer}/${keyword}`, keyword, direction: "over", reason });
  };
  if (minLength !== undefined || maxLength !== undefined) {
    const language = stringsOfLength(
      Number(minLength ?? 0),
      maxLength === undefined ? undefined : Number(maxLength),
    );
    narrow(maxLength === undefined ? "minLength" : "maxLength", { language, exact: true });
  }
  if (typeof pattern === "string") narrow("pattern", stringsMatching(pattern));
  const formatted =
    typeof format === "string" && !annotatedFormats.has(format) ? stringsOfFormat(format) : undefined;
  if (typeof format === "string" && formatted === undefined && !integerFormats.has(format)) {
    warnOnce(compilation, `${pointer}/format`, `unknown format ${JSON.stringify(format)} refuses nothing`);
  }
  if (formatted !== undefined && compilation.assertsFormats) narrow("format", formatted);
  else if (formatted !== undefined && !compilation.ignoresFormats) {
    const reason = "the stated dialect makes formats annotations; what validates may check them all the same";
    report(compilation, { pointer: `${pointer}/format`, keyword: "format", direction: "over", reason });
  }
  return { set, isLoose: reportsContent(compilation, node) || isLoose };
}

function warnOnce(compilation: Compilation, pointer: string, text: string): void {
  const { warnings } = compilation.document;
  if (!warnings.some((warning) => warning.pointer === pointer)) warnings.push({ pointer, text });
}

/** Draft 7 lets a validator decode what strings hold; a grammar does not. Whether the node asks for it. */
function reportsContent(compilation: Compilation, { schema, pointer, resource }: SchemaNode): boolean {
  if (!resource.dialect.isStated) return false;
  const asked = ["contentMediaType", "contentEncoding"].filter((keyword) => schema[keyword] !== undefined);
  for (const keyword of asked) {
    const reason = "what a string holds in another notation is not looked into";
    report(compilation, { pointer: `${pointer}/${keyword}`, keyword, direction: "over", reason });
  }
  return asked.length > 0;
}

/** Formats of numbers that the validator checks; it takes every whole number for an int64. */
function sizedIntegers(format: string): NumberSet | undefined {
  if (format === "int64") return integers;
  if (format !== "int32") return undefined;
  const bounds = andNumbers(numbersFrom(-(2 ** 31)), numbersTo(2 ** 31 - 1)).numbers;
  return andNumbers(integers, bounds).numbers;
}

/** Numbers by the node's types. */
export function numbersOfTypes(types: ReadonlySet<string> | undefined): NumberSet | undefined {
  if (types === undefined || types.has("number")) return anyNumber;
  return types.has("integer") ? integers : undefined;
}

/** The object under a keyword, or undefined. */
export function objectUnder(schema: JsonObject, keyword: string): JsonObject | undefined {
  const value = schema[keyword];
  return isJsonObject(value) ? value : undefined;
}
