import { describe, expect, it } from "vitest";
import { createValidator } from "../../src/schema-grammar/validator.ts";

const draft7 = "http://json-schema.org/draft-07/schema#";
const draft2020 = "https://json-schema.org/draft/2020-12/schema";

describe("createValidator", () => {
  it.each<[title: string, schema: unknown, valid: readonly unknown[], invalid: readonly unknown[]]>([
    ["reads null keywords as absent", { type: "string", enum: null }, ["a"], [3]],
    ["reads an empty array for an object", { type: "object", properties: [] }, [{}, { x: 1 }], [3]],
    ["does not know an invented format", { format: "moon-phase" }, ["x"], []],
    ["checks formats where no dialect is stated", { format: "ipv4" }, ["10.0.0.1", 4], ["10.0.0"]],
    ["checks formats in 2020-12 as well", { $schema: draft2020, format: "ipv4" }, [4], ["10.0.0"]],
    ["ignores what stands beside $ref in draft 7", siblings(draft7), ["abc"], [3]],
    ["reads what stands beside $ref else", siblings(draft2020), ["a"], ["abc", 3]],
    ["reads draft 4's boolean bounds", { minimum: 3, exclusiveMinimum: true }, [4], [3]],
    ["reads tuples without a dialect", { items: [{ type: "string" }] }, [["a", 1], []], [[1]]],
    ["reads OpenAPI's nullable", { type: "string", nullable: true }, [null, "a"], [3]],
    ["takes decimals as written", { multipleOf: 0.1 }, [0.3, 1], [0.35]],
    ["falls back to patterns without u", { pattern: "^\\-a$" }, ["-a"], ["a"]],
    [
      "keeps two patterns of one schema apart",
      { properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } },
      [{ a: "a", b: "b" }],
      [{ b: "a" }, { a: "b" }],
    ],
    ["lets a missing document refuse nothing", { $ref: "https://example.org/none.json" }, [1, "a"], []],
    [
      "ignores an id that is no base",
      { id: "urn:x", properties: { id: { type: "integer" } } },
      [{ id: 1 }],
      [{ id: "a" }],
    ],
  ])("%s", (_title, schema, valid, invalid) => {
    const validate = createValidator(schema);
    for (const value of valid) expect(validate(value), JSON.stringify(value)).toEqual([]);
    for (const value of invalid) expect(validate(value), JSON.stringify(value)).not.toEqual([]);
  });

  it("names the place, what was expected and what came", () => {
    const validate = createValidator({ properties: { n: { type: "integer" } }, required: ["n", "m"] });
    expect(validate({ n: "7" }).map(({ params: _params, ...fault }) => fault)).toEqual([
      { pointer: "", keyword: "required", expected: 'a property "m"', came: '{"n":"7"}' },
      { pointer: "/n", keyword: "type", expected: "integer", came: '"7"' },
    ]);
  });

  it("refuses a malformed schema with the pointer of the fault", () => {
    expect(() => createValidator({ properties: { a: { type: "text" } } })).toThrow(
      expect.objectContaining({ code: "schema-invalid", pointer: "/properties/a/type" }),
    );
  });

  it("uses documents that are handed in", () => {
    const documents = { "https://example.org/name.json": { type: "string" } };
    const validate = createValidator({ $ref: "https://example.org/name.json" }, { documents });
    expect(validate("a")).toEqual([]);
    expect(validate(1)).not.toEqual([]);
  });
});

function siblings(dialect: string): unknown {
  return {
    $schema: dialect,
    $ref: "#/definitions/text",
    maxLength: 2,
    definitions: { text: { type: "string" } },
  };
}

describe("createValidator and the key __proto__", () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"],"additionalProperties":false}',
  );
  it("accepts the key where it is declared, and judges its value", () => {
    expect(createValidator(schema)(JSON.parse('{"__proto__": 3}'))).toEqual([]);
    expect(createValidator(schema)(JSON.parse('{"__proto__": "x"}'))).not.toEqual([]);
  });
});
