// Values as Python's `json.loads` gives them. BFCL's checker tells an int from a float, which `JSON.parse` does not.
import { isJsonObject, type JsonValue } from "../../vocabulary/index.ts";

/** An int is a `bigint`, a float a `number`, a dict a `Map`. */
export type PythonValue = null | boolean | bigint | number | string | PythonList | PythonDict;

export type PythonList = readonly PythonValue[];
export type PythonDict = ReadonlyMap<string, PythonValue>;

export type PythonType = "NoneType" | "bool" | "int" | "float" | "str" | "list" | "dict";

/** The exact type: a bool is no int here. */
export function typeOf(value: PythonValue): PythonType {
  if (value === null) return "NoneType";
  if (isList(value)) return "list";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "float";
    case "string":
      return "str";
    default:
      return "dict";
  }
}

export function isList(value: PythonValue): value is PythonList {
  return Array.isArray(value);
}

export function isDict(value: PythonValue): value is PythonDict {
  return value instanceof Map;
}

/** Python's `==`: numbers and bools by value, whatever their type; dicts without order. */
export function isEqual(a: PythonValue, b: PythonValue): boolean {
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index] ?? null));
  }
  if (isDict(a)) {
    if (!isDict(b) || a.size !== b.size) return false;
    return [...a].every(([key, value]) => b.has(key) && isEqual(value, b.get(key) ?? null));
  }
  const left = typeof a === "boolean" ? BigInt(a) : a;
  const right = typeof b === "boolean" ? BigInt(b) : b;
  const areNumbers = isNumber(left) && isNumber(right);
  // biome-ignore lint/suspicious/noDoubleEquals: it compares a bigint and a number by their exact values.
  return areNumbers ? left == right : left === right;
}

function isNumber(value: unknown): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}

/** Python's `in` over a list. */
export function isIn(value: PythonValue, list: PythonList): boolean {
  return list.some((item) => isEqual(item, value));
}

/** What `json.loads` makes of a JSON text. Throws `SyntaxError` as `JSON.parse` does. */
export function parsePython(text: string): PythonValue {
  // The tags would cover some faults, such as a number where a key must stand.
  JSON.parse(text);
  // Numbers become strings, told apart from strings by the first character.
  const tagged = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
  return untag(JSON.parse(tagged) as JsonValue);
}

/** The JSON text of a value, in which a float shows that it is one. */
export function printPython(value: PythonValue): string {
  if (isList(value)) return `[${value.map(printPython).join(", ")}]`;
  if (isDict(value)) {
    return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}: ${printPython(member)}`).join(", ")}}`;
  }
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : String(value);
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function untag(value: JsonValue): PythonValue {
  if (Array.isArray(value)) return value.map(untag);
  if (isJsonObject(value)) {
    return new Map(Object.entries(value).map(([key, member]) => [key.slice(1), untag(member)]));
  }
  if (typeof value !== "string") return value as null | boolean;
  const rest = value.slice(1);
  if (value.startsWith("s")) return rest;
  return /^-?\d+$/.test(rest) ? BigInt(rest) : Number(rest);
}
