// Which keywords a schema uses, at places that are schemas: a property that is called "not" is none. Counts only; what the
// keywords mean is the compiler's matter.
import { findKeyword } from "../../src/schema-grammar/reading/keywords.ts";
import { isJsonObject } from "../../src/vocabulary/index.ts";

/** Names of the keywords, each once, sorted; `format` also as `format: NAME`. */
export function keywordsOf(root: unknown): readonly string[] {
  const found = new Set<string>();
  const pending: unknown[] = [root];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (!isJsonObject(schema)) continue;
    for (const [name, value] of Object.entries(schema)) {
      const shape = findKeyword(name)?.shape;
      if (shape === undefined || !isInEffect(name, value)) continue;
      found.add(name);
      if (name === "format") found.add(`format: ${String(value)}`);
      pending.push(...schemasIn(shape, value));
    }
  }
  return [...found].sort();
}

/** `uniqueItems: false` and the like say nothing. */
function isInEffect(name: string, value: unknown): boolean {
  return !((name === "uniqueItems" || name.startsWith("exclusive")) && value === false);
}

function schemasIn(shape: string, value: unknown): readonly unknown[] {
  if (shape === "schema") return [value];
  if (shape === "schema-list") return Array.isArray(value) ? value : [];
  if (shape === "schema-or-list") return [value].flat();
  if (shape === "schema-map" || shape === "dependencies")
    return isJsonObject(value) ? Object.values(value) : [];
  return [];
}
