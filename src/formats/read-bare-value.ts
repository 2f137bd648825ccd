// Reads a value that a format writes without quotes and without its type, where it is no plain text.
import type { JsonValue } from "../vocabulary/index.ts";
import { pythonLiterals } from "./json-scalar.ts";

/** The value of a text that is JSON or one of Python's words, and its JSON; undefined for what can only be a string. */
export function readBareValue(raw: string): { readonly value: JsonValue; readonly text: string } | undefined {
  const text = raw.trim();
  const word = pythonLiterals.get(text);
  if (word !== undefined) return { value: word, text: JSON.stringify(word) };
  try {
    return { value: JSON.parse(text) as JsonValue, text };
  } catch {
    // Then it is no JSON.
    return undefined;
  }
}
