import { describe, expect, it } from "vitest";
import { checkCall } from "../../src/decode/check-call.ts";
import { sayWhatIsWrong } from "../../src/decode/say-what-is-wrong.ts";
import { undeclaredKeys } from "../../src/decode/undeclared-keys.ts";
import type { JsonSchema, JsonValue } from "../../src/vocabulary/index.ts";

const edit = {
  name: "edit",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      mode: { enum: ["append", "replace"] },
      lines: { type: "array", items: { type: "object", properties: { n: { type: "integer" } } } },
    },
    required: ["path"],
  },
};
const read = { name: "read", inputSchema: { type: "object", properties: {} } };
const tools = [edit, read];

describe("checkCall", () => {
  const verdicts: readonly {
    input: JsonValue;
    name?: string;
    faults: readonly [string, string, string, string][];
  }[] = [
    { input: { path: "a", mode: "append", lines: [{ n: 1 }] }, faults: [] },
    { input: {}, faults: [["", "required", "path (required)", "nothing"]] },
    { input: { path: 1 }, faults: [["/path", "type", "string", "1"]] },
    {
      input: { path: "a", mode: "insert" },
      faults: [["/mode", "enum", 'one of "append", "replace"', '"insert"']],
    },
    {
      input: { path: "a", lines: [{ m: 1 }] },
      faults: [["/lines/0/m", "additionalProperties", "one of the parameters n", "m"]],
    },
    {
      input: { now: true },
      name: "read",
      faults: [["/now", "additionalProperties", "no parameters", "now"]],
    },
    {
      input: { path: "a", lines: [{ n: Infinity }] },
      faults: [["/lines/0/n", "type", "a number that fits a double", "Infinity"]],
    },
    { input: [], faults: [["", "type", "object", "[]"]] },
    { input: {}, name: "write", faults: [["", "tool", "one of the tools edit, read", "write"]] },
  ];
  for (const { input, name = "edit", faults } of verdicts) {
    it(`${name} ${JSON.stringify(input)}: ${faults.length === 0 ? "valid" : faults[0]?.[1]}`, () => {
      const found = checkCall({ name, input }, tools);
      expect(found.map((fault) => [fault.pointer, fault.keyword, fault.expected, fault.came])).toEqual(
        faults,
      );
    });
  }

  it.each([{ multipleOf: 5 }, { type: "number", multipleOf: 0.5 }, { allOf: [{ multipleOf: 5 }] }])(
    "refuses a number that is not finite, under %j",
    (schema) => {
      const inputSchema = { type: "object", properties: { n: schema } };
      const input: JsonValue = JSON.parse('{"n": 1e400}');
      const [fault, ...others] = checkCall({ name: "t", input }, [{ name: "t", inputSchema }]);
      expect(others).toEqual([]);
      expect(fault).toMatchObject({ pointer: "/n", expected: "a number that fits a double" });
    },
  );

  it("says once, and at the key, what a closed schema refuses", () => {
    const closed = { name: "f", inputSchema: { ...edit.inputSchema, additionalProperties: false } };
    const found = checkCall({ name: "f", input: { path: "a", colour: 1 } }, [closed]);
    expect(found.map((fault) => fault.pointer)).toEqual(["/colour"]);
  });
});

describe("undeclaredKeys", () => {
  const a = { properties: { a: {} } };
  const b = { properties: { b: {} } };
  const conditional = '{"if": {"properties": {"a": {}}}, "then": {"properties": {"b": {}}}}';
  const found: readonly { schema: JsonSchema; value: JsonValue; pointers: readonly string[] }[] = [
    { schema: a, value: { a: 1, x: 2 }, pointers: ["/x"] },
    { schema: { type: "object" }, value: { anything: 1 }, pointers: [] },
    { schema: { ...a, additionalProperties: true }, value: { x: 2 }, pointers: [] },
    { schema: { ...a, additionalProperties: { type: "number" } }, value: { x: 2 }, pointers: [] },
    { schema: { ...a, additionalProperties: null }, value: { x: 2 }, pointers: ["/x"] },
    { schema: { ...a, unevaluatedProperties: {} }, value: { x: 2 }, pointers: [] },
    { schema: { ...a, patternProperties: { "^x-": {} } }, value: { "x-y": 1, y: 1 }, pointers: ["/y"] },
    { schema: { ...a, required: ["x"] }, value: { x: 2, y: 1 }, pointers: ["/y"] },
    { schema: { ...a, dependencies: { a: ["x"] } }, value: { a: 1, x: 2, y: 1 }, pointers: ["/y"] },
    { schema: { ...a, dependentRequired: { x: ["a"] } }, value: { a: 1, x: 2, y: 1 }, pointers: ["/y"] },
    { schema: { allOf: [a, b] }, value: { a: 1, b: 2, c: 3 }, pointers: ["/c"] },
    { schema: { anyOf: [a, { ...b, additionalProperties: true }] }, value: { c: 3 }, pointers: [] },
    { schema: { $ref: "#/$defs/inner", $defs: { inner: a } }, value: { a: 1, b: 2 }, pointers: ["/b"] },
    { schema: { ...a, $ref: "https://example.org/other" }, value: { b: 2 }, pointers: [] },
    { schema: JSON.parse(conditional), value: { a: 1, b: 1, c: 1 }, pointers: ["/c"] },
    { schema: { items: a }, value: [{ a: 1 }, { z: 1 }], pointers: ["/1/z"] },
    { schema: { prefixItems: [a], items: b }, value: [{ b: 1 }, { b: 1 }], pointers: ["/0/b"] },
    { schema: { properties: { "a/b": a } }, value: { "a/b": { z: 1 } }, pointers: ["/a~1b/z"] },
    { schema: { properties: { toString: a } }, value: { valueOf: 1 }, pointers: ["/valueOf"] },
    {
      schema: { $ref: "#/$defs/tree", $defs: { tree: { properties: { next: { $ref: "#/$defs/tree" } } } } },
      value: { next: { next: { last: 1 } } },
      pointers: ["/next/next/last"],
    },
  ];
  for (const { schema, value, pointers } of found) {
    it(`${JSON.stringify(schema)} and ${JSON.stringify(value)}: ${pointers.join(" ") || "none"}`, () => {
      expect(undeclaredKeys(schema, value).map((key) => key.pointer)).toEqual(pointers);
    });
  }
});

describe("sayWhatIsWrong", () => {
  const line = (input: JsonValue, name = "edit") =>
    sayWhatIsWrong({ name, faults: checkCall({ name, input }, tools) }, tools);

  it("names the field, what was expected and what came, in one line", () => {
    expect(line({ path: 2 })).toBe("The call to edit was not made. path: expected string, came 2.");
    expect(line({ path: "a", lines: [{ n: "x" }] })).toBe(
      'The call to edit was not made. lines[0].n: expected integer, came "x".',
    );
    expect(line({ mode: "append" })).toBe(
      "The call to edit was not made. path (required) is missing; came: mode.",
    );
    expect(line({ path: "a", size: 1 })).toBe(
      "The call to edit was not made. There is no parameter size; expected one of the parameters path, mode, lines.",
    );
    expect(line({}, "write")).toBe(
      "The call to write was not made. There is no tool write; the tools are: edit, read.",
    );
  });

  it("says no more than three things at once", () => {
    expect(line({ path: 1, mode: 2, lines: 3, a: 1, b: 2 }).split(". ")).toHaveLength(4);
  });
});
