// When two calls are the same: the same tool, and the same input whatever the order of its keys.
import type { Call, JsonObject, JsonValue } from "../vocabulary/index.ts";

/** A text that is equal for two calls where they are the same. */
export function callKey(call: Pick<Call, "name" | "input">): string {
  return JSON.stringify([call.name, sortKeys(call.input)]);
}

/** What is said of a call that repeats an earlier one of its turn. */
export function repeatedCallNotice(name: string) {
  const text = `"${name}" was called again with the same arguments in one turn: left out.`;
  return { type: "notice", code: "call-repeated", text } as const;
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}
