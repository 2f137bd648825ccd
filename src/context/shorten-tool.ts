// The short form of a tool's description: first sentences, and a schema without the prose that says no more than its keys.
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../vocabulary/index.ts";

/** A sentence's end, but not the dots of abbreviations and numbers. */
const sentenceEnd = /(?<!\b(?:e\.g|i\.e|etc|vs|approx|incl|no|cf|st|dr|mr|ms|mrs))[.!?](?=["')\]]?(?:\s|$))/i;

/** The text up to the end of its first sentence, on one line. */
export function firstSentence(text: string): string {
  const paragraph = (text.trim().split(/\n\s*\n/)[0] ?? "").replace(/\s+/g, " ");
  const end = sentenceEnd.exec(paragraph);
  return end === null ? paragraph : paragraph.slice(0, end.index + 1);
}

/** Keywords whose values are data of the schema's author, and those whose values map names to schemas. */
const dataKeywords = new Set(["const", "enum", "default", "examples", "required"]);
const mapKeywords = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);

/** The same schema with descriptions cut to their first sentence, and without titles and comments. */
export function trimSchema(schema: JsonSchema): JsonSchema {
  return isJsonObject(schema) ? trimObject(schema) : schema;
}

function trimObject(schema: JsonObject): JsonObject {
  const trimmed: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "title" || key === "$comment") continue;
    trimmed[key] = trimKeyword(key, value);
  }
  return trimmed;
}

function trimKeyword(key: string, value: JsonValue): JsonValue {
  if (dataKeywords.has(key)) return value;
  if (key === "description") return typeof value === "string" ? firstSentence(value) : value;
  if (Array.isArray(value)) return value.map(trimValue);
  if (!mapKeywords.has(key) || !isJsonObject(value)) return trimValue(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, trimValue(inner)]));
}

function trimValue(value: JsonValue): JsonValue {
  return isJsonObject(value) ? trimObject(value) : value;
}
