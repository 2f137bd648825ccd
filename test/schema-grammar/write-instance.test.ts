import { describe, expect, it } from "vitest";
import { compileSchema, writeInstance } from "../../src/schema-grammar/index.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    size: { anyOf: [{ type: "integer" }, { type: "object", properties: { w: { type: "number" } } }] },
    tags: { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
  },
  required: ["size"],
};

describe("writeInstance", () => {
  it.each<[title: string, value: unknown, text: string]>([
    ["puts keys in the schema's order", { tags: ["b", "a"], size: 1 }, '{"size": 1, "tags": ["b", "a"]}'],
    ["puts undeclared keys last", { z: null, size: 1, name: "n" }, '{"name": "n", "size": 1, "z": null}'],
    ["goes into branches", { size: { h: 1, w: 2.5 } }, '{"size": {"w": 2.5, "h": 1}}'],
    ["escapes only what must be", { size: 1, name: 'é"\n/' }, '{"name": "é\\"\\n/", "size": 1}'],
    ["spells large numbers without exponent", { size: 1e21 }, '{"size": 1000000000000000000000}'],
    ["spells small numbers without exponent", { size: { w: 1e-7 } }, '{"size": {"w": 0.0000001}}'],
  ])("%s", (_title, value, text) => {
    expect(writeInstance(compileSchema(schema), value)).toBe(text);
  });

  it.each<[title: string, value: unknown]>([
    ["a missing key", { name: "n" }],
    ["a wrong type", { size: "1" }],
    ["a repeated item", { size: 1, tags: ["a", "a"] }],
    ["another type altogether", [1]],
    ["what is no JSON", undefined],
  ])("gives nothing for %s", (_title, value) => {
    expect(writeInstance(compileSchema(schema), value)).toBeUndefined();
  });

  it("keeps to the layout", () => {
    const compiled = compileSchema(schema, { spacing: { indent: 2, level: 0 } });
    expect(writeInstance(compiled, { size: 1, tags: ["a"] })).toBe(
      '{\n  "size": 1,\n  "tags": [\n    "a"\n  ]\n}',
    );
    expect(writeInstance(compileSchema(schema, { spacing: "compact" }), { size: 1 })).toBe('{"size":1}');
  });

  it("knows how many keys there may be", () => {
    const compiled = compileSchema({ type: "object", maxProperties: 2 });
    expect(writeInstance(compiled, { a: 1, b: 2 })).toBe('{"a": 1, "b": 2}');
    expect(writeInstance(compiled, { a: 1, b: 2, c: 3 })).toBeUndefined();
  });

  it("throws for a copy", () => {
    expect(() => writeInstance({ ...compileSchema(true) }, 1)).toThrow(TypeError);
  });
});
