// Schemas made to blow up: each ends within its budget, right where it says exact, and never refuses what is valid.
import { describe, expect, it } from "vitest";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import { compileSchema } from "../../src/schema-grammar/index.ts";
import type { JsonSchema } from "../../src/vocabulary/index.ts";

type Row = readonly [title: string, schema: JsonSchema, valid: readonly string[], invalid: readonly string[]];

function nested(count: number, wrap: (schema: JsonSchema) => JsonSchema, leaf: JsonSchema): JsonSchema {
  let schema = leaf;
  for (let at = 0; at < count; at++) schema = wrap(schema);
  return schema;
}

function range<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

const either = (at: number): JsonSchema => ({ oneOf: [{ required: [`a${at}`] }, { required: [`b${at}`] }] });
const halves = (at: number): JsonSchema => ({
  oneOf: [
    { properties: { [`a${at}`]: { type: "string" } }, required: [`a${at}`] },
    { properties: { [`b${at}`]: { type: "integer" } }, required: [`b${at}`] },
  ],
});
const ladder = (letter: string): string => `{${range(20, (at) => `"${letter}${at}": 1`).join(", ")}}`;

const rows: readonly Row[] = [
  [
    "allOf nested 30 deep, twice each",
    nested(30, (inner) => ({ allOf: [inner, inner] }), { type: "integer" }),
    ["1"],
    ['"a"'],
  ],
  ["allOf nested 130 deep", nested(130, (inner) => ({ allOf: [inner] }), { type: "null" }), ["null"], ["1"]],
  [
    "2^20 choices of required keys",
    { type: "object", allOf: range(20, either) },
    [ladder("a"), ladder("b")],
    ["{}", '{"a0": 1}'],
  ],
  [
    "2^20 choices of declared keys",
    { type: "object", allOf: range(20, halves) },
    [ladder("b")],
    ["{}", '{"b0": 1}'],
  ],
  ["a pattern of 100,000 repeats", { type: "string", pattern: "^(ab?){1,100000}$" }, ['"ab"', '"aab"'], []],
  [
    "a pattern that backtracks without end",
    { type: "string", pattern: "^(a+)+$" },
    ['"aaa"'],
    ['"aab"', '""'],
  ],
  [
    "5,000 strings",
    { enum: range(5000, (at) => `value-${at * 7919}`) },
    ['"value-0"', `"value-${4999 * 7919}"`],
    ['"value-1"'],
  ],
  [
    "300 optional keys beside open ones",
    { type: "object", properties: Object.fromEntries(range(300, (at) => [`k${at}`, { type: "integer" }])) },
    ['{"k3": 1, "k299": 2, "z": "a"}'],
    ['{"k3": "a"}'],
  ],
  [
    "30 conditions on 30 keys",
    {
      type: "object",
      allOf: range(
        30,
        (at) =>
          JSON.parse(`{"if": {"required": ["t${at}"]}, "then": {"required": ["r${at}"]}}`) as JsonSchema,
      ),
    },
    ["{}", '{"t1": 0, "r1": 0}'],
    ['{"t1": 0}'],
  ],
  [
    "a hundred thousand keys at most",
    { type: "object", properties: { a: { type: "null" } }, maxProperties: 100_000 },
    ["{}", '{"a": null, "b": 1}'],
    ['{"a": 1}'],
  ],
  [
    "twelve overlapping patterns of keys",
    {
      type: "object",
      patternProperties: Object.fromEntries(
        range(12, (at) => [String.fromCharCode(97 + at), { minimum: at }]),
      ),
    },
    ['{"al": 11}', '{"z": "x"}'],
    [],
  ],
  [
    "recursion through not and oneOf",
    JSON.parse(
      '{"$defs": {"a": {"properties": {"x": {"$ref": "#/$defs/b"}, "y": {"not": {"$ref": "#/$defs/a"}}}}, "b": {"oneOf": [{"$ref": "#/$defs/a"}, {"properties": {"z": {"$ref": "#/$defs/b"}}, "required": ["z"], "type": "object"}]}}, "$ref": "#/$defs/b"}',
    ) as JsonSchema,
    ["1", '{"x": 1}'],
    [],
  ],
];

describe("hostile schemas", () => {
  it.each(rows)("%s", (_title, schema, valid, invalid) => {
    const { grammar, exact, residual } = compileSchema(schema);
    for (const text of valid) expect(acceptsText(grammar, text), text.slice(0, 80)).toBe(true);
    for (const text of invalid) expect(acceptsText(grammar, text) && exact, text.slice(0, 80)).toBe(false);
    expect(exact).toBe(residual.length === 0);
  });

  it("keeps keys that JavaScript treats specially", () => {
    const schema = JSON.parse(
      '{"type": "object", "properties": {"__proto__": {"type": "integer"}}, "required": ["__proto__"], "additionalProperties": false}',
    ) as JsonSchema;
    const { grammar } = compileSchema(schema);
    expect(acceptsText(grammar, '{"__proto__": 1}')).toBe(true);
    expect(acceptsText(grammar, '{"__proto__": "a"}')).toBe(false);
    expect(acceptsText(grammar, "{}")).toBe(false);
  });

  it("relaxes what comes after a budget is spent, and says so", () => {
    const properties = Object.fromEntries(
      range(50, (at) => [`k${at}`, { type: "object", properties: { [`p${at}`]: { type: "integer" } } }]),
    );
    const { grammar, exact, residual } = compileSchema(
      { type: "object", properties },
      { budget: { rules: 20 } },
    );
    expect(exact).toBe(false);
    expect(residual.every(({ direction }) => direction === "over")).toBe(true);
    expect(acceptsText(grammar, '{"k0": {"p0": 1}, "k49": {"p49": 1}}')).toBe(true);
  });
});
