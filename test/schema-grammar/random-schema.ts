// Random schemas and instances that meet often: few keys, few values, all combining keywords. For fuzzing only.
// Without `unevaluated…`: ajv takes items that a failed branch looked at for evaluated, so it is no judge of them.
import * as fc from "fast-check";
import type { JsonSchema, JsonValue } from "../../src/vocabulary/index.ts";

const keys = ["a", "b", "cc", "x-1"];
const texts = ["", "a", "ab", "abc", "7", "é", '"', "2020-02-29"];
const numbers = [-2, -1, 0, 0.5, 1, 2, 2.5, 3, 10, 100];

const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false),
  fc.constantFrom<JsonValue>(...numbers),
  fc.constantFrom<JsonValue>(...texts),
);

/** Instances of at most two levels over the same keys and values as the schemas. */
export const randomInstance: fc.Arbitrary<JsonValue> = fc
  .letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      scalar,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 4 }),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

const counts = fc.integer({ min: 0, max: 3 });

function part(name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return value.map((item) => ({ [name]: item }));
}

const leaf: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  part("type", fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object")),
  part(
    "type",
    fc.uniqueArray(fc.constantFrom("null", "integer", "string", "object"), { minLength: 1, maxLength: 3 }),
  ),
  part("enum", fc.array(scalar, { minLength: 1, maxLength: 4 })),
  part("const", randomInstance),
  part("minimum", fc.constantFrom(...numbers)),
  part("exclusiveMaximum", fc.constantFrom(...numbers)),
  part("multipleOf", fc.constantFrom(1, 2, 0.5, 3)),
  part("minLength", counts),
  part("maxLength", counts),
  part("pattern", fc.constantFrom("^a", "b$", "^[a-z]+$", "\\d", "^(ab|7)?$")),
  part("minItems", counts),
  part("maxItems", counts),
  part("minProperties", fc.integer({ min: 0, max: 1 })),
  part("maxProperties", counts),
  part("required", fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 2 })),
  part(
    "dependentRequired",
    fc.dictionary(fc.constantFrom(...keys), fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 2 }), {
      maxKeys: 2,
    }),
  ),
);

/** Schemas of up to `depth` levels. */
export function randomSchema(depth = 2): fc.Arbitrary<JsonSchema> {
  if (depth === 0) {
    return fc.oneof(fc.boolean(), keywords([leaf], 2)) as fc.Arbitrary<JsonSchema>;
  }
  const inner = randomSchema(depth - 1);
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const combining = fc.oneof(
    part("properties", fc.dictionary(fc.constantFrom(...keys), inner, { maxKeys: 3 })),
    part("patternProperties", fc.dictionary(fc.constantFrom("^a", "-", "c+$"), inner, { maxKeys: 2 })),
    part("additionalProperties", inner),
    part("propertyNames", fc.oneof(part("pattern", fc.constantFrom("^a", "b|c")), part("maxLength", counts))),
    part("items", inner),
    part("prefixItems", list),
    part("contains", inner),
    part("minContains", fc.constantFrom(0, 1, 2)),
    part("maxContains", fc.constantFrom(2, 3)),
    part("allOf", list),
    part("anyOf", list),
    part("oneOf", list),
    part("not", inner),
    fc.tuple(inner, inner, inner).map((parts) => {
      return Object.fromEntries(["if", "then", "else"].map((name, index) => [name, parts[index]]));
    }),
    part("dependentSchemas", fc.dictionary(fc.constantFrom(...keys), inner, { maxKeys: 2 })),
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 12, arbitrary: keywords([leaf, combining, combining], 4) },
  ) as fc.Arbitrary<JsonSchema>;
}

function keywords(
  kinds: readonly fc.Arbitrary<Record<string, unknown>>[],
  maxLength: number,
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .array(fc.oneof(...kinds), { minLength: 1, maxLength })
    .map((parts) => Object.assign({}, ...parts));
}
