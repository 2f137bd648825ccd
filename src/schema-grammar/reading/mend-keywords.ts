// Turns older ways of saying a thing into today's: boolean bounds, OpenAPI's nullable; and one that ajv needs said twice.
import { isJsonObject, type JsonObject, type JsonSchema } from "../../vocabulary/index.ts";
import type { Dialect } from "./keywords.ts";

/** Draft 4's boolean bounds become the numbers of later drafts; where draft 4 is stated, numeric ones mean nothing. */
export function mendBounds(entries: [string, unknown][], dialect: Dialect): [string, unknown][] {
  if (!entries.some(([name]) => name.startsWith("exclusive"))) return entries;
  const keywords = new Map(entries);
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const value = keywords.get(exclusive);
    if (typeof value === "number" && dialect.isStated && dialect.draft === 4) keywords.delete(exclusive);
    if (typeof value !== "boolean") continue;
    const limit = keywords.get(bound);
    keywords.delete(exclusive);
    if (!value || limit === undefined) continue;
    keywords.delete(bound);
    keywords.set(exclusive, limit);
  }
  return [...keywords];
}

/** OpenAPI's `nullable: true` beside a type, as a type. */
export function mendNullable(entries: [string, unknown][], isNullable: boolean): JsonObject {
  const cleaned = Object.fromEntries(entries) as JsonObject;
  const type = cleaned.type;
  if (!isNullable || type === undefined) return cleaned;
  const types = Array.isArray(type) ? type : [type];
  return types.includes("null") ? cleaned : { ...cleaned, type: [...types, "null"] };
}

/** `contains` asks for an item, which `minItems` then says as well: ajv forgets it for an empty array after a full one. */
export function mendContains(schema: JsonObject): JsonObject {
  const { contains, minContains = 1, minItems = 0 } = schema;
  return contains === undefined || minContains === 0 || minItems !== 0 ? schema : { ...schema, minItems: 1 };
}

/** ajv passes over a declared property named `__proto__`; said once more as a pattern of keys, it counts. */
export function mendPrototypeKey(schema: JsonObject): JsonObject {
  const { properties, patternProperties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, "__proto__")) return schema;
  const declared = Object.getOwnPropertyDescriptor(properties, "__proto__")?.value as JsonSchema;
  const patterns = isJsonObject(patternProperties) ? patternProperties : {};
  return { ...schema, patternProperties: { ...patterns, "^__proto__$": declared } };
}
