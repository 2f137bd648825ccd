// Reads a value that a format writes without quotes and without its type, where it is no plain text.
import type { JsonValue } from "../vocabulary/index.ts";
import { createJsonReader, tooDeep } from "./json-reader.ts";
import { pythonLiterals } from "./json-scalar.ts";

export interface BareValue {
  readonly value: JsonValue;
  /** Its JSON. */
  readonly text: string;
  /** Whether it was one of Python's words, which are no JSON. */
  readonly isPython: boolean;
}

/** The value of a text that is JSON or one of Python's words; undefined for what can only be a string. */
export function readBareValue(raw: string): BareValue | undefined {
  const text = raw.trim();
  const word = pythonLiterals.get(text);
  if (word !== undefined) return { value: word, text: JSON.stringify(word), isPython: true };
  if ((text.startsWith("[") || text.startsWith("{")) && isTooDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) as JsonValue, text, isPython: false };
  } catch {
    // Then it is no JSON.
    return undefined;
  }
}

/** What every reader refuses must not come in as a value of another format either. */
function isTooDeep(text: string): boolean {
  const json = createJsonReader();
  json.push(text);
  return json.status === "broken" && json.reason === tooDeep;
}
