// Checks the values of keywords that hold no schemas, and says what is wrong with them.
import { CallwrightError } from "../../vocabulary/index.ts";
import type { KeywordShape } from "./keywords.ts";

/** A keyword's value and where it stands. `warn` is told of something odd that is read in a stated way. */
export interface PlainValue {
  readonly shape: KeywordShape;
  readonly value: unknown;
  readonly pointer: string;
  readonly warn: (pointer: string, text: string) => void;
}

/** No text that a JavaScript string can hold has more of anything. */
const countLimit = 2 ** 30;

const typeNames = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);

/** The value as it is read; undefined where the keyword is left out. Throws `schema-invalid` for one of the wrong kind. */
export function cleanPlainValue(plain: PlainValue): unknown {
  const { value, pointer } = plain;
  switch (plain.shape) {
    case "count":
      if (typeof value === "number" && value >= 0 && Number.isInteger(value))
        return Math.min(value, countLimit);
      throw invalid(pointer, `it has to be a whole number from 0 up, not ${inShort(value)}`);
    case "number":
      if (typeof value === "number" && Number.isFinite(value)) return value;
      throw invalid(pointer, `it has to be a number, not ${inShort(value)}`);
    case "divisor":
      if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
      throw invalid(pointer, `it has to be a number above 0, not ${inShort(value)}`);
    case "bound":
      if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
      throw invalid(pointer, `it has to be a number or a boolean, not ${inShort(value)}`);
    case "flag":
      if (typeof value === "boolean") return value;
      throw invalid(pointer, `it has to be true or false, not ${inShort(value)}`);
    case "text":
      if (typeof value === "string") return value;
      throw invalid(pointer, `it has to be a string, not ${inShort(value)}`);
    case "list":
      checkDepth(value, pointer);
      if (Array.isArray(value)) return value;
      throw invalid(pointer, `it has to be an array, not ${inShort(value)}`);
    case "value":
      checkDepth(value, pointer);
      return value;
    case "types":
      return cleanTypes(value, pointer);
    case "name-list":
      return cleanNames(plain);
    default:
      return value;
  }
}

/** Nested containers in a schema, or in a value it holds, beyond which it is refused. */
export const depthLimit = 400;

/** Refuses values too deep to be walked by functions that call themselves. */
function checkDepth(value: unknown, pointer: string): void {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthLimit) throw tooDeep(pointer);
    level = level.flatMap((inner) =>
      typeof inner === "object" && inner !== null ? Object.values(inner as object) : [],
    );
  }
}

/** The error for a schema that nests too deep. */
export function tooDeep(pointer: string): CallwrightError {
  const message = `The schema nests deeper than ${depthLimit} levels (depth limit), at ${shorten(pointer)}. Use a recursive $ref, or flatten it.`;
  return new CallwrightError("schema-too-deep", message, { pointer });
}

function cleanTypes(value: unknown, pointer: string): unknown {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const wrong = names.find((name) => typeof name !== "string" || !typeNames.has(name));
  if (wrong === undefined && names.length > 0) return value;
  throw invalid(pointer, `a type is one of ${[...typeNames].join(", ")}, not ${inShort(wrong ?? value)}`);
}

function cleanNames({ warn, value, pointer }: PlainValue): unknown {
  if (typeof value === "boolean") {
    // Draft 3 marked a property as required with a boolean of its own; it says nothing in later drafts.
    warn(pointer, "boolean ignored: names of required properties stand in a list beside `properties`");
    return undefined;
  }
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw invalid(pointer, `it has to be a list of property names, not ${inShort(value)}`);
}

/** The error for a malformed schema. */
export function invalid(pointer: string, reason: string): CallwrightError {
  const message = `The schema is malformed at ${pointer === "" ? "its root" : shorten(pointer)}: ${reason}.`;
  return new CallwrightError("schema-invalid", message, { pointer });
}

/** A pointer short enough to print. */
export function shorten(pointer: string): string {
  return pointer.length <= 120 ? pointer : `${pointer.slice(0, 60)} … ${pointer.slice(-40)}`;
}

/** A value short enough to print. */
export function inShort(value: unknown): string {
  if (value === undefined) return "undefined";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
