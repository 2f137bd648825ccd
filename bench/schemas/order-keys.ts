// The orders in which an instance's keys may be written to count as in: as stored, in the order of the schema, and
// with required keys first. Follows the schema by its own simple reading, so that the compiler is not its own judge.
import { isDeepStrictEqual } from "node:util";
import { plainNumber } from "../../src/schema-grammar/plain-number.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  joinPointer,
  pointerSteps,
} from "../../src/vocabulary/index.ts";

const depthLimit = 40;

/**
 * The instance's texts as stored and re-ordered, a space after commas and colons; equal texts once. `fractions` are pointers
 * to whole numbers that are written with a fraction.
 */
export function orderedTexts(
  schema: unknown,
  instance: JsonValue,
  fractions: ReadonlySet<string> = new Set(),
): readonly string[] {
  const bySchema = order({ root: schema, requiredFirst: false, fractions }, [schema], instance);
  const requiredFirst = order({ root: schema, requiredFirst: true, fractions }, [schema], instance);
  const asStored = order({ root: true, requiredFirst: false, fractions }, [], instance);
  return [...new Set([asStored, bySchema, requiredFirst])];
}

interface Ordering {
  readonly root: unknown;
  readonly requiredFirst: boolean;
  readonly fractions: ReadonlySet<string>;
}

/** Text and not a value, because an object of JavaScript cannot hold `404` after other keys. */
function order(
  ordering: Ordering,
  schemas: readonly unknown[],
  value: JsonValue,
  depth = 0,
  pointer = "",
): string {
  if (typeof value === "number")
    return ordering.fractions.has(pointer) ? `${plainNumber(value)}.0` : plainNumber(value);
  if (typeof value !== "object" || value === null || depth > depthLimit) return JSON.stringify(value);
  const applicable = schemas.flatMap((schema) => expand(ordering, schema, { value, depth: 0 }));
  if (!isJsonObject(value)) {
    const items = value.map((item, index) =>
      order(ordering, itemSchemas(applicable, index), item, depth + 1, joinPointer(pointer, index)),
    );
    return `[${items.join(", ")}]`;
  }
  const pairs = orderOfKeys(ordering, applicable, value).map((key) => {
    const member = value[key] as JsonValue;
    const inner = joinPointer(pointer, key);
    const text = order(ordering, valueSchemas(applicable, key), member, depth + 1, inner);
    return `${JSON.stringify(key)}: ${text}`;
  });
  return `{${pairs.join(", ")}}`;
}

function orderOfKeys(
  ordering: Ordering,
  applicable: readonly JsonObject[],
  value: JsonObject,
): readonly string[] {
  const declared = applicable.flatMap((schema) => [
    ...keysIn(schema.properties),
    ...keysOfEqual(schema, value),
  ]);
  const required = applicable.flatMap((schema) =>
    Array.isArray(schema.required)
      ? schema.required.filter((name): name is string => typeof name === "string")
      : [],
  );
  const inOrder = [...new Set([...declared, ...required, ...Object.keys(value)])].filter((key) =>
    Object.hasOwn(value, key),
  );
  if (!ordering.requiredFirst) return inOrder;
  const isRequired = new Set(required);
  return [...inOrder.filter((key) => isRequired.has(key)), ...inOrder.filter((key) => !isRequired.has(key))];
}

function keysIn(value: unknown): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** The keys of the constant that the value equals, in the constant's order. */
function keysOfEqual(schema: JsonObject, value: JsonObject): readonly string[] {
  const constants = [...(Array.isArray(schema.enum) ? schema.enum : []), schema.const];
  return keysIn(constants.find((item) => item !== undefined && isDeepStrictEqual(item, value)));
}

/** The schema and all that apply to the same place: references, `allOf`, branches with the best fitting first. */
function expand(
  ordering: Ordering,
  schema: unknown,
  at: { readonly value: JsonValue; readonly depth: number },
): readonly JsonObject[] {
  if (!isJsonObject(schema) || at.depth > 12) return [];
  const deeper = { ...at, depth: at.depth + 1 };
  const all = (list: unknown) =>
    (Array.isArray(list) ? list : []).flatMap((item) => expand(ordering, item, deeper));
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const scored = branches.map((branch) => {
    const parts = expand(ordering, branch, deeper);
    return { parts, score: fitness(ordering, parts, at.value) };
  });
  scored.sort((a, b) => b.score - a.score);
  return [
    schema,
    ...expand(ordering, resolve(ordering.root, schema.$ref), deeper),
    ...all(schema.allOf),
    ...scored.flatMap(({ parts }) => parts),
    ...expand(ordering, schema.then, deeper),
    ...expand(ordering, schema.else, deeper),
    ...(isJsonObject(schema.dependentSchemas) ? all(Object.values(schema.dependentSchemas)) : []),
    ...(isJsonObject(schema.dependencies) ? all(Object.values(schema.dependencies)) : []),
  ];
}

/** How well a branch fits: declared keys that are there count for it; missing keys and wrong constants against it. */
function fitness(ordering: Ordering, parts: readonly JsonObject[], value: JsonValue): number {
  let score = 0;
  for (const part of parts) {
    if (part.type !== undefined && !hasType(value, part.type)) score -= 1000;
    if (!isJsonObject(value)) continue;
    for (const name of Array.isArray(part.required) ? part.required : [])
      if (!Object.hasOwn(value, String(name))) score -= 100;
    for (const [name, property] of Object.entries(isJsonObject(part.properties) ? part.properties : {})) {
      if (!Object.hasOwn(value, name)) continue;
      score += 1;
      const inner = isJsonObject(property) ? (resolve(ordering.root, property.$ref) ?? property) : undefined;
      const allowed = isJsonObject(inner)
        ? inner.const === undefined
          ? inner.enum
          : [inner.const]
        : undefined;
      if (
        Array.isArray(allowed) &&
        !allowed.some((item) => JSON.stringify(item) === JSON.stringify(value[name]))
      )
        score -= 100;
      if (isJsonObject(inner) && inner.type !== undefined && !hasType(value[name] as JsonValue, inner.type))
        score -= 100;
    }
    const isClosed = part.additionalProperties === false && isJsonObject(part.properties);
    if (isClosed)
      for (const key of Object.keys(value)) if (!Object.hasOwn(part.properties as object, key)) score -= 50;
  }
  return score;
}

function hasType(value: JsonValue, types: JsonValue): boolean {
  const listed = [types].flat();
  return listed.includes(typeOf(value)) || (listed.includes("integer") && Number.isInteger(value));
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function itemSchemas(applicable: readonly JsonObject[], index: number): readonly unknown[] {
  return applicable.flatMap(({ items, prefixItems, additionalItems }) => {
    const listed = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
    const rest = Array.isArray(items) ? additionalItems : items;
    return [index < listed.length ? listed[index] : rest];
  });
}

function valueSchemas(applicable: readonly JsonObject[], key: string): readonly unknown[] {
  return applicable.flatMap(({ properties, patternProperties, additionalProperties }) => {
    const found: unknown[] = [];
    if (isJsonObject(properties) && Object.hasOwn(properties, key)) found.push(properties[key]);
    for (const [pattern, schema] of Object.entries(
      isJsonObject(patternProperties) ? patternProperties : {},
    )) {
      if (matches(pattern, key)) found.push(schema);
    }
    return found.length > 0 ? found : [additionalProperties];
  });
}

function matches(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern).test(key);
  } catch {
    // What is no expression matches nothing.
    return false;
  }
}

function resolve(root: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  let current: unknown = root;
  for (const step of pointerSteps(reference.slice(1))) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[safeDecode(step)];
  }
  return current;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign means itself.
    return text;
  }
}
