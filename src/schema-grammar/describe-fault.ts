// Says in one line what a keyword expected of a value and what came instead, for models and people.
import type { JsonValue } from "../vocabulary/index.ts";

const textLimit = 120;

/** What the keyword expects, in words. `schema` is the keyword's value. */
export function describeExpectation(
  keyword: string,
  params: Readonly<Record<string, unknown>>,
  schema: JsonValue,
): string {
  switch (keyword) {
    case "type":
      return Array.isArray(schema) ? schema.join(" or ") : String(schema);
    case "enum":
      return `one of ${shortList(schema)}`;
    case "const":
      return `exactly ${shortJson(schema)}`;
    case "required":
      return `a property ${shortJson(params.missingProperty)}`;
    case "additionalProperties":
      return `no property ${shortJson(params.additionalProperty)}`;
    case "unevaluatedProperties":
      return `no property ${shortJson(params.unevaluatedProperty)}`;
    case "propertyNames":
      return `no property named ${shortJson(params.propertyName)}`;
    case "pattern":
      return `text matching ${String(schema)}`;
    case "format":
      return `text in the format ${String(schema)}`;
    case "minimum":
      return `at least ${String(schema)}`;
    case "maximum":
      return `at most ${String(schema)}`;
    case "exclusiveMinimum":
      return `more than ${String(schema)}`;
    case "exclusiveMaximum":
      return `less than ${String(schema)}`;
    case "multipleOf":
      return `a multiple of ${String(schema)}`;
    default:
      return describeCount(keyword, schema);
  }
}

function describeCount(keyword: string, schema: JsonValue): string {
  switch (keyword) {
    case "minLength":
      return `at least ${String(schema)} characters`;
    case "maxLength":
      return `at most ${String(schema)} characters`;
    case "minItems":
      return `at least ${String(schema)} items`;
    case "maxItems":
      return `at most ${String(schema)} items`;
    case "uniqueItems":
      return "no two equal items";
    case "minProperties":
      return `at least ${String(schema)} properties`;
    case "maxProperties":
      return `at most ${String(schema)} properties`;
    case "anyOf":
      return "one of the alternatives";
    case "oneOf":
      return "exactly one of the alternatives";
    case "not":
      return "anything but this";
    default:
      return `what \`${keyword}\` asks for`;
  }
}

function shortList(schema: JsonValue): string {
  return Array.isArray(schema) ? shorten(schema.map(shortJson).join(", ")) : shortJson(schema);
}

/** A value as JSON, cut where it is long. */
export function shortJson(value: unknown): string {
  return shorten(JSON.stringify(value) ?? String(value));
}

function shorten(text: string): string {
  return text.length <= textLimit ? text : `${text.slice(0, textLimit - 1)}…`;
}
