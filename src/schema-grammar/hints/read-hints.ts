// Hints from prose: what a tool's descriptions say about the form of its strings and its schema leaves open. A hint is never
// part of validation; whoever uses it has to give it up where the model disagrees.
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  joinPointer,
} from "../../vocabulary/index.ts";
import { statedPattern } from "./stated-patterns.ts";

export interface Hint {
  /** JSON pointer to the string's schema. */
  readonly schemaPointer: string;
  /** A regular expression, anchored, that the strings should match. */
  readonly pattern: string;
}

/** A value of a call at which a hint says something. */
export interface HintedValue {
  /** JSON pointer into the arguments. */
  readonly pointer: string;
  readonly value: string;
  readonly hint: Hint;
}

/** All hints of the schema, of properties and items at any depth, and behind no reference or branch. */
export function readHints(schema: JsonSchema): readonly Hint[] {
  return [...hintsBelow(schema, "")];
}

function* hintsBelow(schema: JsonValue, pointer: string): Generator<Hint> {
  if (!isJsonObject(schema)) return;
  const hint = hintOf(schema);
  if (hint !== undefined) yield { schemaPointer: pointer, pattern: hint };
  for (const [steps, below] of childrenOf(schema)) yield* hintsBelow(below, pointer + steps);
}

function hintOf(schema: JsonObject): string | undefined {
  const { type, description } = schema;
  const isOpen = ["enum", "const", "pattern", "format"].every((keyword) => schema[keyword] === undefined);
  if (type !== "string" || !isOpen || typeof description !== "string") return undefined;
  return statedPattern(description, typeof schema.default === "string" ? [schema.default] : []);
}

function childrenOf(schema: JsonObject): readonly (readonly [steps: string, below: JsonValue])[] {
  const { properties, items } = schema;
  const named = isJsonObject(properties) ? Object.entries(properties) : [];
  return [
    ...named.map(([key, below]) => [joinPointer("/properties", key), below] as const),
    ...(isJsonObject(items) ? [["/items", items] as const] : []),
  ];
}

/** The schema with these hints as patterns. */
export function withHints(schema: JsonSchema, hints: readonly Hint[]): JsonSchema {
  const patterns = new Map(hints.map(({ schemaPointer, pattern }) => [schemaPointer, pattern]));
  return withPatterns(schema as JsonValue, "", patterns) as JsonSchema;
}

function withPatterns(schema: JsonValue, pointer: string, patterns: ReadonlyMap<string, string>): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const pattern = patterns.get(pointer);
  const { properties, items } = schema;
  return {
    ...schema,
    ...(pattern === undefined ? {} : { pattern }),
    ...(isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, below]) => [
              key,
              withPatterns(below, pointer + joinPointer("/properties", key), patterns),
            ]),
          ),
        }
      : {}),
    ...(isJsonObject(items) ? { items: withPatterns(items, `${pointer}/items`, patterns) } : {}),
  };
}

/** The values of a call that a hint speaks of, in the order of the arguments. */
export function hintedValues(
  schema: JsonSchema,
  hints: readonly Hint[],
  input: JsonValue,
): readonly HintedValue[] {
  const bySchema = new Map(hints.map((hint) => [hint.schemaPointer, hint]));
  return [
    ...valuesBelow({ schema: schema as JsonValue, pointer: "" }, { value: input, pointer: "" }, bySchema),
  ];
}

interface At {
  readonly pointer: string;
}

function* valuesBelow(
  at: At & { readonly schema: JsonValue },
  place: At & { readonly value: JsonValue },
  hints: ReadonlyMap<string, Hint>,
): Generator<HintedValue> {
  const { schema } = at;
  const { value, pointer } = place;
  if (!isJsonObject(schema)) return;
  const hint = hints.get(at.pointer);
  if (hint !== undefined && typeof value === "string") yield { pointer, value, hint };
  const { properties, items } = schema;
  if (isJsonObject(properties) && isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const below = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (below === undefined) continue;
      yield* valuesBelow(
        { schema: below, pointer: at.pointer + joinPointer("/properties", key) },
        { value: member, pointer: joinPointer(pointer, key) },
        hints,
      );
    }
  } else if (isJsonObject(items) && Array.isArray(value)) {
    for (const [index, member] of value.entries()) {
      yield* valuesBelow(
        { schema: items, pointer: `${at.pointer}/items` },
        { value: member, pointer: joinPointer(pointer, index) },
        hints,
      );
    }
  }
}

/** Whether the value has the form that the hint states. */
export function followsHint({ value, hint }: HintedValue): boolean {
  return new RegExp(hint.pattern, "u").test(value);
}
