// What BFCL makes of JavaScript literals. A text that is no literal of the declared type stays a text.
// Source: bfcl-eval 2026.3.23, `type_convertor/js_type_converter.py`, whose patterns and quirks these are.
import { pythonFloat, pythonInt } from "./python-numbers.ts";
import type { PythonType, PythonValue } from "./python-value.ts";

/** The Python type that a declared JavaScript type becomes. */
export const javascriptTypes: Readonly<Record<string, PythonType>> = {
  String: "str",
  integer: "int",
  float: "float",
  Bigint: "int",
  Boolean: "bool",
  dict: "dict",
  array: "list",
  any: "str",
};

/** `type` is one of `javascriptTypes`; `itemType` that of an array's items. */
export function readJavascript(text: string, type: string, itemType?: string): PythonValue {
  switch (type) {
    case "String":
      return isQuoted(text) ? text.slice(1, -1) : text;
    case "integer":
      return /^-?\d+\n?$/.test(text) ? (pythonInt(text) ?? text) : text;
    case "float":
      return /^-?\d+(?:\.\d+)?\n?$/.test(text) ? (pythonFloat(text) ?? text) : text;
    case "Bigint":
      return /^-?\d+n\n?$/.test(text) ? (pythonInt(text.slice(0, -1)) ?? text) : text;
    case "Boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "array":
      return readArray(text.trim(), itemType);
    case "dict":
      return readDict(text.trim());
    default:
      return text;
  }
}

const nestedArray =
  /^(?:\[\s*\[.*?\]\s*(?:,\s*\[.*?\]\s*)*\]|\bnew\s+Array\(\s*\[.*?\]\s*(?:,\s*\[.*?\]\s*)*\))/;
const flatArray = /^(?:\[(.*?)\]|\bnew\s+Array\((.*?)\))/;

function readArray(code: string, itemType: string | undefined): PythonValue {
  const nested = nestedArray.exec(code);
  if (nested !== null) {
    return [...nested[0].matchAll(/\[(.*?)\]/g)].map(([, inner = ""], index) => {
      const text = inner.trim();
      // The first one begins with the outer bracket.
      const items = index === 0 && text.startsWith("[") ? text.slice(1) : text;
      return items.split(",").map((item) => readValue(item));
    });
  }
  const flat = flatArray.exec(code);
  if (flat === null) return code;
  const inside = (flat[1] ?? flat[2] ?? "").trim();
  const items = inside === "" ? [] : inside.split(",").map((item) => item.trim());
  if (itemType === undefined) return items.map(readValue);
  return items.map((item) =>
    readJavascript(item, itemType, item.startsWith("'") || item.startsWith('"') ? "String" : undefined),
  );
}

function readDict(code: string): PythonValue {
  if (code === "{}") return new Map();
  const found = /^\{(.*?)\}/.exec(code);
  if (found === null) return code;
  const pairs = [...(found[1] ?? "").matchAll(/([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)/g)];
  return new Map(
    pairs.map(([, key = "", value = ""]) => [stripQuotes(key.trim()), readMember(value.trim())]),
  );
}

function readMember(value: string): PythonValue {
  if (value.startsWith("[") && value.endsWith("]")) return readArray(value, undefined);
  if (value.startsWith("{") && value.endsWith("}")) return readDict(value);
  return readValue(stripQuotes(value));
}

/** A literal whose type is not declared. */
function readValue(given: string): PythonValue {
  const text = given.trim();
  if (text === "true" || text === "false") return text === "true";
  if (isQuoted(text)) return text.slice(1, -1);
  return pythonInt(text) ?? pythonFloat(text) ?? text;
}

/** One quote alone counts as both, as in the source. */
function isQuoted(text: string): boolean {
  return (text.startsWith('"') && text.endsWith('"')) || (text.startsWith("'") && text.endsWith("'"));
}

function stripQuotes(text: string): string {
  return text.replace(/^['"]+|['"]+$/g, "");
}
