// JSON as TypeScript types. Knows nothing of schemas beyond their being JSON.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema: an object of keywords, or `true` (anything) / `false` (nothing). */
export type JsonSchema = boolean | JsonObject;

/** Whether a value is a JSON object: not null and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
