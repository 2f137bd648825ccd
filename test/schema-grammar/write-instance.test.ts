import { describe, expect, it } from "vitest";
import { compileSchema, writeInstance } from "../../src/schema-grammar/index.ts";
import type { JsonValue } from "../../src/vocabulary/index.ts";

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

  it("takes no branch whose list is longer than the value's", () => {
    const compiled = compileSchema({ not: { const: [[-2], null] } }, { spacing: { indent: 2, level: 0 } });
    expect(writeInstance(compiled, [[], [null]])).toBe("[\n  [],\n  [null]\n]");
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

  it("writes keys that only `required` names after the declared ones, and all keys as stored where any order will do", () => {
    const named = { properties: { a: {}, b: {} }, required: ["z", "y"] };
    const value = { y: 1, b: 2, z: 3, a: 4 };
    expect(writeInstance(compileSchema(named), value)).toBe('{"a": 4, "b": 2, "y": 1, "z": 3}');
    const anyOrder = compileSchema(named, { keyOrder: "any" });
    expect(writeInstance(anyOrder, value)).toBe('{"y": 1, "b": 2, "z": 3, "a": 4}');
  });

  // Each of the three would take longer than anyone waits if what failed once were tried again.
  it("tries no combination of keys twice where one value fits nowhere", () => {
    const names = Array.from({ length: 60 }, (_, index) => `k${index}`);
    const integers = { properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])) };
    const value = Object.fromEntries(names.map((name) => [name, name === "k59" ? "no" : 1]));
    expect(writeInstance(compileSchema(integers), value)).toBeUndefined();
    expect(writeInstance(compileSchema(integers), { ...value, k59: 1 })).toContain('"k59": 1');
  });

  it("tries no part twice where alternatives share it", () => {
    const shared = { properties: { next: { $ref: "#" }, leaf: { type: "integer" } } };
    const node = { anyOf: [shared, { ...shared, required: ["a"] }, { ...shared, required: ["b"] }] };
    let value: JsonValue = { leaf: "no" };
    for (let depth = 0; depth < 40; depth++) value = { next: value };
    expect(writeInstance(compileSchema(node), value)).toBeUndefined();
  });

  it("tries no run of items twice", () => {
    const contains = { pattern: "^(a|b)\\1$" };
    const items = { contains, minContains: 10, maxContains: 12, items: { type: "string" } };
    const value = Array.from({ length: 50 }, (_, index) => (index === 49 ? 5 : "aa"));
    expect(writeInstance(compileSchema(items), value)).toBeUndefined();
  });

  it("throws for a copy", () => {
    expect(() => writeInstance({ ...compileSchema(true) }, 1)).toThrow(TypeError);
  });
});
