// What BFCL makes of Java literals. A text that is no literal of the declared type stays a text.
// Source: bfcl-eval 2026.3.23, `type_convertor/java_type_converter.py`, whose patterns and quirks these are.
import { pythonFloat, pythonInt } from "./python-numbers.ts";
import type { PythonDict, PythonType, PythonValue } from "./python-value.ts";

/** The Python type that a declared Java type becomes. */
export const javaTypes: Readonly<Record<string, PythonType>> = {
  byte: "int",
  short: "int",
  integer: "int",
  float: "float",
  double: "float",
  long: "int",
  boolean: "bool",
  char: "str",
  Array: "list",
  ArrayList: "list",
  HashMap: "dict",
  String: "str",
  any: "str",
};

const integer = /^-?\d+\n?$/;
const long = /^-?\d+[lL]\n?$/;
const double = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\n?$/;
const float = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[fF]\n?$/;

/** `type` is one of `javaTypes`; `itemType` that of a collection's items. */
export function readJava(text: string, type: string, itemType?: string): PythonValue {
  switch (type) {
    case "byte":
    case "short":
    case "integer":
      return integer.test(text) ? (pythonInt(text) ?? text) : text;
    case "long":
      return long.test(text) ? (pythonInt(text.replace(/[lL]\n?$/, "")) ?? text) : text;
    case "float":
      return float.test(text) ? (pythonFloat(text.replace(/[fF]\n?$/, "")) ?? text) : text;
    case "double":
      return double.test(text) ? (pythonFloat(text) ?? text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "Array":
      return readArray(text, itemType);
    case "ArrayList":
      return readArrayList(text, itemType);
    case "HashMap":
      return readHashMap(text);
    default:
      return text;
  }
}

function readArray(text: string, itemType: string | undefined): PythonValue {
  const found = /new\s+[\p{L}\p{N}_]+\[\]\s*\{(.*?)\}/u.exec(text);
  if (found === null) return text;
  return (found[1] ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => (itemType === undefined ? readValue(item) : readJava(item, itemType)));
}

function readArrayList(text: string, itemType: string | undefined): PythonValue {
  const asList = /new\s+ArrayList<[\p{L}\p{N}_]*>\(Arrays\.asList\((.+?)\)\)/u.exec(text);
  if (asList !== null) return (asList[1] ?? "").split(",").map((item) => readItem(item.trim(), itemType));
  const added = /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)\s*\{\{\s*(.+?)\s*\}\}/su.exec(text);
  if (added !== null) {
    return [...(added[1] ?? "").matchAll(/add\((.+?)\)/g)].map(([, item = ""]) =>
      readItem(item.trim(), itemType),
    );
  }
  return /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)/u.test(text) ? [] : text;
}

/** Of characters and strings the quotes are cut off unseen. */
function readItem(item: string, itemType: string | undefined): PythonValue {
  if (itemType === "char" || itemType === "String") return item.slice(1, -1);
  return itemType === undefined ? readValue(item) : readJava(item, itemType);
}

function readHashMap(text: string): PythonDict | string {
  const found = /new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?\s*(.*?)\s*\}?\s*\}/s.exec(text);
  if (found === null) return /new\s+HashMap<.*?>\s*\(\)/.test(text) ? new Map() : text;
  const puts = [...(found[1] ?? "").matchAll(/put\("(.*?)",\s*(.*?)\)/g)];
  return new Map(puts.map(([, key = "", value = ""]) => [key, readValue(value.trim())]));
}

/** A literal whose type is not declared. */
function readValue(text: string): PythonValue {
  if (text === "true" || text === "false") return text === "true";
  if (text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  if (long.test(text)) return pythonInt(text.slice(0, -1)) ?? text;
  if (float.test(text)) return pythonFloat(text.replace(/[fF]\n?$/, "")) ?? text;
  return pythonInt(text) ?? pythonFloat(text) ?? text;
}
