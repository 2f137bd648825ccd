// Values of JSON that are written without quotes: numbers, true, false and null; and what Python writes instead.
import type { JsonValue } from "../vocabulary/index.ts";

const numberPattern = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Python's spellings, which mean one thing only. */
export const pythonLiterals: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["True", true],
  ["False", false],
  ["None", null],
]);

/** The value of a spelling; undefined where it is no JSON. */
export function readScalar(spelled: string): JsonValue | undefined {
  if (spelled === "true") return true;
  if (spelled === "false") return false;
  if (spelled === "null") return null;
  return numberPattern.test(spelled) ? Number(spelled) : undefined;
}
