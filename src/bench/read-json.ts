// Arguments as a model or a server wrote them, which need not be JSON.
import type { JsonValue } from "../vocabulary/index.ts";

/** Undefined where the text is no JSON. */
export function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
