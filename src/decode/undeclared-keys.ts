// Finds keys that a call's schema does not declare. A small model's invented key is a mistake even where JSON Schema
// lets it pass; only where the schema says something about further keys does that hold instead.
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  joinPointer,
  pointerSteps,
} from "../vocabulary/index.ts";

export interface UndeclaredKey {
  /** Into the value, the key included. */
  readonly pointer: string;
  readonly key: string;
  readonly declared: readonly string[];
}

/** Every key of the value, at any depth, that no schema in place there declares. */
export function undeclaredKeys(schema: JsonSchema, value: JsonValue): readonly UndeclaredKey[] {
  const found: UndeclaredKey[] = [];
  visit([schema], value, "", { root: schema, found });
  return found;
}

interface Walk {
  readonly root: JsonSchema;
  readonly found: UndeclaredKey[];
}

function visit(schemas: readonly unknown[], value: JsonValue, pointer: string, walk: Walk): void {
  const inPlace = inPlaceSchemas(schemas, walk.root);
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly JsonValue[]).entries()) {
      visit(itemSchemas(inPlace, index), item, joinPointer(pointer, index), walk);
    }
    return;
  }
  if (!isJsonObject(value)) return;
  const isOpen = inPlace.some(saysMore);
  const declared = [
    ...new Set(inPlace.flatMap((schema) => Object.keys(objectAt(schema, "properties") ?? {}))),
  ];
  const declaresAny = inPlace.some((schema) => objectAt(schema, "properties") !== undefined);
  for (const [key, member] of Object.entries(value)) {
    const inner = joinPointer(pointer, key);
    const schemasOfKey = memberSchemas(inPlace, key);
    if (
      schemasOfKey.length === 0 &&
      declaresAny &&
      !isOpen &&
      !inPlace.some((schema) => names(schema, key))
    ) {
      walk.found.push({ pointer: inner, key, declared });
    }
    visit(schemasOfKey, member, inner, walk);
  }
}

const applicators = ["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"];

/** The schemas that hold at one place: these and what they apply there, `$ref` followed inside the document. */
function inPlaceSchemas(schemas: readonly unknown[], root: JsonSchema): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const waiting = [...schemas];
  while (waiting.length > 0) {
    const schema = waiting.pop();
    if (!isJsonObject(schema) || found.has(schema)) continue;
    found.add(schema);
    if (typeof schema.$ref === "string") waiting.push(resolve(schema.$ref, root));
    if (isJsonObject(schema.if)) waiting.push(schema.if);
    for (const name of applicators) {
      const applied = schema[name];
      if (Array.isArray(applied)) waiting.push(...applied);
      else if (name === "dependentSchemas" && isJsonObject(applied)) waiting.push(...Object.values(applied));
      else waiting.push(applied);
    }
  }
  return [...found];
}

// What cannot be followed here is taken to allow anything: validation still has the last word.
const anything: JsonObject = { additionalProperties: true };

function resolve(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return anything;
  let found: unknown = root;
  for (const part of pointerSteps(decodeFragment(reference.slice(1)))) {
    if (Array.isArray(found)) found = found[Number(part)];
    else found = isJsonObject(found) ? found[part] : undefined;
  }
  return found === undefined || (found === root && reference !== "#") ? anything : found;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray percent sign is part of the name then.
    return fragment;
  }
}

/** Whether a schema itself says what becomes of further keys, other than forbidding them. */
function saysMore(schema: JsonObject): boolean {
  return ["additionalProperties", "unevaluatedProperties"].some((name) => {
    const stated = schema[name];
    return stated !== undefined && stated !== null && stated !== false;
  });
}

function memberSchemas(schemas: readonly JsonObject[], key: string): readonly unknown[] {
  return schemas.flatMap((schema) => {
    const properties = objectAt(schema, "properties");
    const own = properties !== undefined && Object.hasOwn(properties, key) ? [properties[key]] : [];
    const matching = Object.entries(objectAt(schema, "patternProperties") ?? {}).filter(([pattern]) =>
      matches(pattern, key),
    );
    const further = schema.additionalProperties;
    const found = [...own, ...matching.map(([, inner]) => inner)];
    return found.length === 0 && isJsonObject(further) ? [further] : found;
  });
}

/** Whether a schema speaks of a key without describing it: it requires it, or lets other keys depend on it. */
function names(schema: JsonObject, key: string): boolean {
  if (Array.isArray(schema.required) && schema.required.includes(key)) return true;
  const dependencies = { ...objectAt(schema, "dependencies"), ...objectAt(schema, "dependentRequired") };
  return (
    Object.hasOwn(dependencies, key) ||
    Object.values(dependencies).some((needed) => Array.isArray(needed) && needed.includes(key))
  );
}

function itemSchemas(schemas: readonly JsonObject[], index: number): readonly unknown[] {
  return schemas.flatMap((schema) => {
    const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items;
    if (Array.isArray(tuple)) {
      const own = (tuple as readonly JsonValue[])[index];
      if (own !== undefined) return [own];
      return [Array.isArray(schema.prefixItems) ? schema.items : schema.additionalItems];
    }
    return [schema.items];
  });
}

function objectAt(schema: JsonObject, name: string): JsonObject | undefined {
  const found = schema[name];
  return isJsonObject(found) ? found : undefined;
}

function matches(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, "u").test(key);
  } catch {
    // A pattern that is none declares nothing that could be refused.
    return true;
  }
}
