// Tools of other languages take literals of that language as texts: each parameter becomes a string whose description says
// what it is. Source of the words: bfcl-eval 2026.3.23, `utils.py`.
import { isJsonObject, type JsonObject, type JsonValue } from "../../vocabulary/index.ts";
import { parsePython, printPython } from "./python-value.ts";

const names = { java: "Java", javascript: "JavaScript" } as const;

export function toLiterals(parameters: JsonObject, language: keyof typeof names): JsonObject {
  const { properties } = parameters;
  if (!isJsonObject(properties)) return parameters;
  const told = Object.entries(properties).map(([name, value]): [string, JsonValue] => [
    name,
    isJsonObject(value) ? toLiteral(value, language) : value,
  ]);
  return { ...parameters, properties: Object.fromEntries(told) };
}

function toLiteral(parameter: JsonObject, language: keyof typeof names): JsonObject {
  const { type, items, properties, description = "", ...rest } = parameter;
  const kind = String(type);
  const isList = kind === "array" || kind === "Array" || kind === "ArrayList";
  const isDict = language === "javascript" && kind === "dict" && properties !== undefined;
  const notes = [
    String(description),
    kind === "any"
      ? ` This parameter can be of any type of ${names[language]} object in string representation.`
      : ` This is ${names[language]} ${kind} type parameter in string representation.`,
    isList && isJsonObject(items)
      ? ` The list elements are of type ${String(items.type)}; they are not in string representation.`
      : "",
    isDict
      ? ` The dictionary entries have the following schema; they are not in string representation. ${printPython(parsePython(JSON.stringify(properties)))}`
      : "",
  ];
  return { ...rest, type: "string", description: notes.join("") };
}
