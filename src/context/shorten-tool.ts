// The short form of a tool's description: first sentences, and a schema without the prose that says no more than its keys.
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../vocabulary/index.ts";

/** Where a sentence may end: closing quotes and brackets belong to it. Chinese, Japanese and Hindi need no space there. */
const stops = /[.!?]["'”’)\]]*(?=\s)|[。！？।][」』”’）]*/gu;
/** Words whose dot is followed by what they belong to. */
const abbreviations = new Set(
  "al approx ca cf cp dept dr ed eq est excl fig figs incl max min mr mrs ms no nos prof pp resp sec st vol vs".split(
    " ",
  ),
);

/** The text up to the end of its first sentence, on one line. Where it may end or not, it goes on. */
export function firstSentence(text: string): string {
  const paragraph = (text.trim().split(/\n\s*\n/)[0] ?? "").replace(/\s+/g, " ");
  for (const { 0: stop, index } of paragraph.matchAll(stops)) {
    const end = index + stop.length;
    const isEnd = !stop.startsWith(".") || endsSentence(paragraph.slice(0, index), paragraph.slice(end));
    if (isEnd) return paragraph.slice(0, end);
  }
  return paragraph;
}

/**
 * Whether a dot between these ends a sentence: not where a small letter follows, nor behind an abbreviation, a single
 * letter, or letters with dots between them, such as U.S. or e.g.
 */
function endsSentence(before: string, after: string): boolean {
  if (/^\s*["'“‘([]*\p{Ll}/u.test(after)) return false;
  const word = /[\p{L}\p{N}.]*$/u.exec(before.slice(-40))?.[0] ?? "";
  return !abbreviations.has(word.toLowerCase()) && !/^\.?(?:\p{L}\.)*\p{L}$/u.test(word);
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
