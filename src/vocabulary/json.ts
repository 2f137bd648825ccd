// JSON as TypeScript types. Knows nothing of schemas beyond their being JSON.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema: an object of keywords, or `true` (anything) / `false` (nothing). */
export type JsonSchema = boolean | JsonObject;

/**
 * Levels of arrays and objects that a call's arguments may have, the arguments themselves included. Beyond what any tool
 * needs; keeps every walk over a value shallow enough to recurse.
 */
export const deepestNesting = 200;

/** Whether a value is a JSON object: not null and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
