import { describe, expect, it } from "vitest";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import { type CompileOptions, compileSchema } from "../../src/schema-grammar/index.ts";
import type { JsonSchema } from "../../src/vocabulary/index.ts";

type Row = readonly [title: string, schema: unknown, accepted: readonly string[], refused: readonly string[]];

function check(rows: readonly Row[], options: CompileOptions = {}): void {
  it.each(rows)("%s", (_title, schema, accepted, refused) => {
    const { grammar, exact, residual } = compileSchema(schema, options);
    for (const text of accepted) expect(acceptsText(grammar, text), text).toBe(true);
    for (const text of refused) expect(acceptsText(grammar, text), text).toBe(false);
    if (options.objects !== "closed") expect({ exact, residual }).toEqual({ exact: true, residual: [] });
  });
}

const id = "https://example.org/root.json";
const draft7 = "http://json-schema.org/draft-07/schema#";

describe("types and values", () => {
  check([
    ["true allows any value", true, ["null", '[1, {"a": []}]', "1e3", '"x"'], ["", "[1,2]", "01", "nul"]],
    ["a type list", { type: ["integer", "null"] }, ["3", "null", "-7"], ['"3"', "3.5", "{}"]],
    [
      "integers have no fraction and no leading zero",
      { type: "integer" },
      ["0", "-12"],
      ["1.5", "007", "-", "+1"],
    ],
    [
      "enum of all types",
      { enum: [1, "a", null, [1, 2], { b: 1, a: 2 }] },
      ["1", '"a"', "null", "[1, 2]", '{"b": 1, "a": 2}'],
      ["2", '"b"', "[1]", '{"b": 1}'],
    ],
    ["const", { const: 'x"y' }, ['"x\\"y"'], ['"x"']],
    ["enum narrowed by a type", { type: "string", enum: ["a", 1] }, ['"a"'], ["1"]],
    ["enum narrowed by a bound", { enum: [1, 5, "a"], minimum: 2 }, ["5", '"a"'], ["1"]],
    ["bounds are for numbers only", { minimum: 3 }, ['"a"', "3", "[]"], ["2", "2.9"]],
    [
      "exclusive bounds",
      { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 3 },
      ["1", "2"],
      ["0", "3"],
    ],
    ["draft 4's boolean bounds", { type: "integer", minimum: 0, exclusiveMinimum: true }, ["1"], ["0", "-1"]],
    [
      "multiples of decimals",
      { type: "number", multipleOf: 0.25, minimum: 0, maximum: 1 },
      ["0", "0.25", "1"],
      ["0.3", "1.25"],
    ],
    [
      "lengths count code points",
      { type: "string", minLength: 2, maxLength: 2 },
      ['"ab"', '"😀é"', '"\\n\\""'],
      ['"a"', '"abc"'],
    ],
    [
      "pattern with a length",
      { type: "string", pattern: "^a+$", maxLength: 2 },
      ['"a"', '"aa"'],
      ['""', '"aaa"', '"b"'],
    ],
  ]);
});

describe("objects", () => {
  const pair = { properties: { a: { type: "integer" }, b: { type: "string" } } };
  check([
    [
      "optional keys in order",
      { type: "object", ...pair, additionalProperties: false },
      ["{}", '{"a": 1}', '{"b": "x"}', '{"a": 1, "b": "x"}'],
      ['{"b": "x", "a": 1}', '{"c": 1}', '{"a": 1,}', '{"a": "x"}'],
    ],
    [
      "required keys",
      { type: "object", ...pair, required: ["b"] },
      ['{"b": ""}', '{"a": 1, "b": ""}'],
      ["{}", '{"a": 1}'],
    ],
    [
      "open keys come last and are none of the declared",
      { type: "object", ...pair },
      ['{"c": 1}', '{"a": 1, "ab": 2, "": 3}'],
      ['{"c": 1, "a": 1}', '{"a": "x"}', '{"c": 1, "b": 2}'],
    ],
    [
      "other keys by a schema",
      { type: "object", additionalProperties: { type: "boolean" } },
      ["{}", '{"x": true, "y": false}'],
      ['{"x": 1}'],
    ],
    [
      "keys by pattern",
      {
        type: "object",
        patternProperties: { "^n": { type: "integer" }, x$: { minimum: 2 } },
        additionalProperties: false,
      },
      ['{"n": 1, "x": 2, "nx": 3}'],
      ['{"nx": 1}', '{"n": "a"}', '{"y": 1}'],
    ],
    [
      "a declared key also meets its pattern",
      { type: "object", properties: { n: {} }, patternProperties: { "^n": { type: "integer" } } },
      ['{"n": 1}'],
      ['{"n": "a"}'],
    ],
    [
      "required keys that nothing declares",
      { type: "object", required: ["z"], additionalProperties: { type: "integer" } },
      ['{"z": 1}', '{"y": 2, "z": 1}'],
      ["{}", '{"z": "a"}'],
    ],
    ["names of keys", { type: "object", propertyNames: { maxLength: 2 } }, ['{"ab": 1}'], ['{"abc": 1}']],
    [
      "how many keys",
      { type: "object", minProperties: 1, maxProperties: 2 },
      ['{"a": 1}', '{"a": 1, "b": 2}'],
      ["{}", '{"a": 1, "b": 2, "c": 3}'],
    ],
    [
      "how many of declared keys",
      { type: "object", ...pair, additionalProperties: false, minProperties: 2 },
      ['{"a": 1, "b": ""}'],
      ['{"a": 1}', "{}"],
    ],
    [
      "a key that must not be there",
      { type: "object", properties: { a: false } },
      ["{}", '{"b": 1}'],
      ['{"a": 1}'],
    ],
    [
      "one key calls for another",
      { type: "object", dependentRequired: { a: ["b"] } },
      ["{}", '{"b": 1}', '{"a": 1, "b": 1}', '{"b": 1, "a": 1}'],
      ['{"a": 1}', '{"a": 1, "c": 1}'],
    ],
    [
      "one key calls for a schema",
      { type: "object", dependentSchemas: { a: { properties: { b: { const: 1 } } } } },
      ['{"b": 2}', '{"b": 1, "a": 0}'],
      ['{"b": 2, "a": 0}'],
    ],
    [
      "keys with quotes and odd names",
      {
        type: "object",
        properties: { 'a"b': { const: 1 }, ["__proto__"]: { const: 2 } },
        additionalProperties: false,
      },
      ['{"a\\"b": 1}', '{"__proto__": 2}'],
      ['{"__proto__": 1}'],
    ],
  ]);
});

describe("arrays", () => {
  check([
    ["items", { type: "array", items: { type: "integer" } }, ["[]", "[1, 2]"], ['["a"]', "[1,2]", "[1, ]"]],
    [
      "how many items",
      { type: "array", items: { const: 1 }, minItems: 1, maxItems: 2 },
      ["[1]", "[1, 1]"],
      ["[]", "[1, 1, 1]"],
    ],
    [
      "a tuple that may be cut short",
      { type: "array", prefixItems: [{ const: 1 }, { const: 2 }] },
      ["[]", "[1]", "[1, 2]", "[1, 2, null]"],
      ["[2]", "[1, 1]"],
    ],
    [
      "a closed tuple",
      { type: "array", prefixItems: [{ const: 1 }, { const: 2 }], items: false, minItems: 2 },
      ["[1, 2]"],
      ["[1]", "[1, 2, 3]"],
    ],
    [
      "the older tuple",
      { type: "array", items: [{ const: 1 }], additionalItems: { const: 2 } },
      ["[1, 2, 2]"],
      ["[1, 1]"],
    ],
    ["contains", { type: "array", contains: { const: 1 } }, ["[1]", "[0, 1, 2]"], ["[]", "[0]"]],
    [
      "contains, counted",
      { type: "array", contains: { const: 1 }, minContains: 2, maxContains: 2 },
      ["[1, 1]", "[0, 1, 0, 1]"],
      ["[1]", "[1, 1, 1]"],
    ],
    [
      "unique items of few values",
      { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
      ["[]", '["a"]', '["b", "a"]'],
      ['["a", "a"]', '["a", "b", "a"]'],
    ],
    [
      "what no keyword looked at",
      { prefixItems: [{ const: 1 }], unevaluatedItems: false, type: "array" },
      ["[]", "[1]"],
      ["[1, 2]"],
    ],
  ]);
});

describe("schemas combined", () => {
  const tagged = (tag: string, name: string) => ({
    properties: { kind: { const: tag }, [name]: { type: "integer" } },
    required: ["kind", name],
  });
  check([
    [
      "allOf",
      { allOf: [{ type: "integer" }, { minimum: 2 }, { maximum: 3 }] },
      ["2", "3"],
      ["1", "4", '"a"'],
    ],
    [
      "allOf joins properties",
      {
        type: "object",
        allOf: [
          { properties: { a: { type: "integer" } }, required: ["a"] },
          { properties: { a: { minimum: 3 }, b: { const: 1 } } },
        ],
      },
      ['{"a": 3, "b": 1}'],
      ['{"a": 2}', '{"b": 1}'],
    ],
    [
      "anyOf",
      { anyOf: [{ type: "integer" }, { type: "string", maxLength: 1 }] },
      ["7", '"a"'],
      ['"ab"', "null"],
    ],
    [
      "oneOf leaves out what two allow",
      {
        oneOf: [
          { type: "integer", minimum: 0 },
          { type: "integer", maximum: 5 },
        ],
      },
      ["-1", "6"],
      ["0", "5", "3"],
    ],
    [
      "oneOf with a tag",
      { type: "object", oneOf: [tagged("a", "x"), tagged("b", "y")] },
      ['{"kind": "a", "x": 1}', '{"kind": "b", "y": 1}'],
      ['{"kind": "a", "y": 1}', '{"kind": "c", "x": 1}'],
    ],
    [
      "oneOf of required keys",
      { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      ['{"a": 1}', '{"c": 0, "b": 1}'],
      ["{}", '{"a": 1, "b": 1}'],
    ],
    ["not a type", { not: { type: "string" } }, ["1", "{}"], ['"a"']],
    ["not an enum", { type: "string", not: { enum: ["a", "b"] } }, ['"c"', '"ab"', '""'], ['"a"', '"b"']],
    [
      "not required",
      { type: "object", not: { required: ["a", "b"] } },
      ['{"a": 1}', '{"b": 1}', "{}"],
      ['{"a": 1, "b": 1}'],
    ],
    ["not a pattern", { type: "string", not: { pattern: "\\d" } }, ['"ab"'], ['"a1"']],
    [
      "if, then, else",
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { type: "integer" }, then: { minimum: 5 }, else: { type: "null" } },
      ["5", "null"],
      ["4", '"a"'],
    ],
    [
      "if on a key",
      {
        type: "object",
        properties: { k: { enum: ["a", "b"] } },
        required: ["k"],
        if: { properties: { k: { const: "a" } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ["v"] },
      },
      ['{"k": "a", "v": 1}', '{"k": "b"}'],
      ['{"k": "a"}'],
    ],
    [
      "what no branch looked at",
      {
        type: "object",
        properties: { a: true },
        anyOf: [{ properties: { b: { const: 1 } }, required: ["b"] }, true],
        unevaluatedProperties: false,
      },
      ['{"a": 0}', '{"a": 0, "b": 1}'],
      ['{"c": 1}', '{"b": 2}'],
    ],
  ]);
});

describe("references", () => {
  const tree = {
    $defs: {
      node: {
        type: "object",
        properties: { v: { type: "integer" }, kids: { type: "array", items: { $ref: "#/$defs/node" } } },
        required: ["v"],
        additionalProperties: false,
      },
    },
  };
  check([
    [
      "recursion",
      { ...tree, $ref: "#/$defs/node" },
      ['{"v": 1, "kids": [{"v": 2, "kids": []}]}'],
      ['{"v": 1, "kids": [{}]}'],
    ],
    [
      "the root itself",
      { properties: { a: { $ref: "#" } }, additionalProperties: false, type: "object" },
      ['{"a": {"a": {}}}'],
      ['{"a": 1}', '{"a": {"b": 1}}'],
    ],
    [
      "siblings count",
      { $ref: "#/$defs/i", minimum: 3, $defs: { i: { type: "integer" } } },
      ["3"],
      ["2", '"a"'],
    ],
    [
      "siblings do not count in draft 7",
      { $schema: draft7, $ref: "#/definitions/i", minimum: 3, definitions: { i: { type: "integer" } } },
      ["2"],
      ['"a"'],
    ],
    ["escaped pointers", { $ref: "#/$defs/a~1b%25", $defs: { "a/b%": { const: 1 } } }, ["1"], ["2"]],
    [
      "anchors and identifiers",
      {
        $id: id,
        $defs: { a: { $anchor: "here", const: 1 }, b: { $id: "b.json", const: 2 } },
        anyOf: [{ $ref: "#here" }, { $ref: "b.json" }],
      },
      ["1", "2"],
      ["3"],
    ],
    [
      "a branch that leads back adds nothing",
      { $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] } }, $ref: "#/$defs/a" },
      ["null"],
      ["1"],
    ],
    [
      "allOf over recursion",
      {
        $defs: { n: { type: "object", properties: { next: { $ref: "#/$defs/n" } } } },
        allOf: [{ $ref: "#/$defs/n" }, { required: ["next"] }],
      },
      ['{"next": {}}', '{"next": {"next": {}}}'],
      ["{}", '{"next": 1}'],
    ],
  ]);

  const strictTree = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://example.org/strict-tree",
    $dynamicAnchor: "node",
    $ref: "tree",
    unevaluatedProperties: false,
    $defs: {
      tree: {
        $id: "tree",
        $dynamicAnchor: "node",
        type: "object",
        properties: { data: true, kids: { type: "array", items: { $dynamicRef: "#node" } } },
      },
    },
  };
  const olderStrictTree = {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $id: "https://example.org/strict-tree",
    $recursiveAnchor: true,
    $ref: "tree",
    unevaluatedProperties: false,
    $defs: {
      tree: {
        $id: "tree",
        $recursiveAnchor: true,
        type: "object",
        properties: { data: true, kids: { type: "array", items: { $recursiveRef: "#" } } },
      },
    },
  };
  const strictTexts = ['{"data": 1, "kids": [{"data": 2}]}'];
  const looseTexts = ['{"daat": 1}', '{"kids": [{"daat": 1}]}'];
  check([
    ["a dynamic reference lands on the outermost anchor", strictTree, strictTexts, looseTexts],
    ["so does a recursive one", olderStrictTree, strictTexts, looseTexts],
    [
      "draft 4's identifiers are bases",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "http://example.org/a.json",
        properties: {
          x: {
            id: "b.json",
            definitions: { n: { type: "null" } },
            allOf: [{ $ref: "b.json#/definitions/n" }],
          },
        },
      },
      ['{"x": null}'],
      ['{"x": 1}'],
    ],
    [
      "an id that no draft makes a base does not move pointers",
      {
        id: "x",
        properties: { a: { id: "y", items: { $ref: "#/definitions/n" } } },
        definitions: { n: { type: "null" } },
      },
      ['{"a": [null]}'],
      ['{"a": [1]}'],
    ],
  ]);

  it("come from documents that are handed in", () => {
    const documents = { "https://example.org/n.json": { $defs: { n: { type: "integer" } } } };
    const { grammar, exact } = compileSchema({ $ref: "https://example.org/n.json#/$defs/n" }, { documents });
    expect([exact, acceptsText(grammar, "1"), acceptsText(grammar, '"a"')]).toEqual([true, true, false]);
  });

  it("to a document that nobody handed in let anything through and are listed", () => {
    const { grammar, exact, residual } = compileSchema({ not: { $ref: "https://example.org/none.json" } });
    expect(exact).toBe(false);
    expect(residual).toEqual([
      expect.objectContaining({ pointer: "/not/$ref", keyword: "$ref", direction: "over" }),
    ]);
    expect(acceptsText(grammar, '{"a": 1}')).toBe(true);
  });
});

describe("closed objects", () => {
  const closed = { objects: "closed" } as const;
  check(
    [
      [
        "undeclared keys are forbidden where nothing is said",
        { type: "object", properties: { a: {} } },
        ["{}", '{"a": {"b": 1}}'],
        ['{"c": 1}'],
      ],
      [
        "what is said stays",
        { type: "object", properties: { a: {} }, additionalProperties: true },
        ['{"c": 1}'],
        [],
      ],
      [
        "branches add their keys",
        {
          type: "object",
          properties: { a: {} },
          anyOf: [{ properties: { b: { const: 1 } }, required: ["b"] }],
        },
        ['{"a": 0, "b": 1}'],
        ['{"b": 1, "c": 1}'],
      ],
      [
        "required keys stay possible",
        { type: "object", properties: { a: {} }, required: ["z"] },
        ['{"z": 1}'],
        ["{}", '{"z": 1, "y": 1}'],
      ],
      ["an object without properties takes no keys at the root", { type: "object" }, ["{}"], ['{"a": 1}']],
      [
        "an object without properties is free elsewhere",
        { type: "object", properties: { a: { type: "object" } } },
        ['{"a": {"b": 1}}'],
        ['{"b": 1}'],
      ],
    ],
    closed,
  );

  it("are listed as under", () => {
    const { residual } = compileSchema({ type: "object", properties: { a: {} } }, closed);
    expect(residual).toEqual([
      expect.objectContaining({ keyword: "additionalProperties", direction: "under" }),
    ]);
  });
});

describe("order and layout", () => {
  const schema = {
    type: "object",
    properties: { a: { const: 1 }, b: { const: 2 }, c: { type: "array", items: { const: 3 } } },
    required: ["c"],
    additionalProperties: false,
  };
  check(
    [
      [
        "any order",
        schema,
        ['{"c": [], "a": 1}', '{"b": 2, "c": [], "a": 1}'],
        ['{"a": 1}', '{"c": [], "c": []}'],
      ],
    ],
    { keyOrder: "any" },
  );
  check([["compact", schema, ['{"a":1,"c":[3,3]}'], ['{"a": 1, "c": [3, 3]}']]], { spacing: "compact" });
  check(
    [
      [
        "over lines",
        schema,
        ['{\n    "a": 1,\n    "c": [\n      3,\n      3\n    ]\n  }', '{\n    "c": []\n  }'],
        ['{"a": 1, "c": []}'],
      ],
    ],
    { spacing: { indent: 2, level: 1 } },
  );

  it("puts required keys first where any order is asked for and the keys are many", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const properties = Object.fromEntries(names.map((name) => [name, { const: 1 }]));
    const { grammar } = compileSchema({ type: "object", properties, required: ["f"] }, { keyOrder: "any" });
    for (const text of ['{"f": 1, "a": 1}', '{"a": 1, "f": 1}'])
      expect(acceptsText(grammar, text)).toBe(true);
  });

  it("writes places that recurse on one line", () => {
    const tree = { type: "object", properties: { a: { $ref: "#/$defs/tree" } }, additionalProperties: false };
    const schema = { type: "array", items: { $ref: "#/$defs/tree" }, $defs: { tree } };
    const { grammar } = compileSchema(schema, { spacing: { indent: 1, level: 0 } });
    expect(acceptsText(grammar, '[\n {"a": {"a": {}}}\n]')).toBe(true);
    expect(acceptsText(grammar, '[{"a": {}}]')).toBe(false);
  });
});

describe("what cannot be", () => {
  it.each([
    ["false", false],
    ["bounds that cross", { type: "integer", minimum: 3, maximum: 2 }],
    ["a required key that is forbidden", { type: "object", properties: { a: false }, required: ["a"] }],
    ["recursion without an end", { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] }],
    ["types that exclude each other", { allOf: [{ type: "string" }, { type: "object" }] }],
    ["exactly one of two equal ones", { oneOf: [{ type: "object" }, { type: "object" }] }],
  ])("is not an error but not satisfiable: %s", (_title, schema) => {
    expect(compileSchema(schema).satisfiable).toBe(false);
  });

  it.each([
    ["a type that is none", { properties: { a: { type: "text" } } }, "schema-invalid", "/properties/a/type"],
    ["a negative count", { minLength: -1 }, "schema-invalid", "/minLength"],
    ["a schema that is none", { items: 3 }, "schema-invalid", "/items"],
    ["a list that is none", { anyOf: {} }, "schema-invalid", "/anyOf"],
    [
      "a reference to nothing",
      { properties: { a: { $ref: "#/$defs/x" } } },
      "schema-invalid",
      "/properties/a/$ref",
    ],
    ["a reference to itself", { $ref: "#" }, "schema-invalid", ""],
    [
      "allOf of itself",
      { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" },
      "schema-invalid",
      "/$defs/a",
    ],
  ])("is an error with its pointer: %s", (_title, schema, code, pointer) => {
    expect(() => compileSchema(schema)).toThrow(expect.objectContaining({ code, pointer }));
  });

  it("is read in a stated way where real files are odd", () => {
    const { warnings } = compileSchema({ type: "object", properties: [], enum: null });
    expect(warnings).toEqual([
      { pointer: "/properties", text: "empty array read as empty object" },
      { pointer: "/enum", text: "null keyword ignored" },
    ]);
    expect(compileSchema({ format: "moon-phase" }).warnings).toEqual([
      { pointer: "/format", text: 'unknown format "moon-phase" refuses nothing' },
    ]);
  });
});

describe("what is not enforced", () => {
  it.each([
    ["unique open items", { type: "array", uniqueItems: true }, "/uniqueItems", "uniqueItems"],
    ["many keys of a kind", { type: "object", minProperties: 3 }, "", "minProperties"],
    ["a back-reference", { type: "string", pattern: "^(a|b)\\1$" }, "/pattern", "pattern"],
    [
      "a format of a dialect that only annotates",
      { $schema: "https://json-schema.org/draft/2020-12/schema", format: "date" },
      "/format",
      "format",
    ],
    [
      "what strings hold, in the draft that lets it refuse",
      { $schema: draft7, contentEncoding: "base64" },
      "/contentEncoding",
      "contentEncoding",
    ],
  ])("is listed: %s", (_title, schema, pointer, keyword) => {
    expect(compileSchema(schema).residual).toEqual([
      expect.objectContaining({ pointer, keyword, direction: "over" }),
    ]);
  });

  it("never refuses what the negation of an inexact part may allow", () => {
    const { grammar } = compileSchema({ type: "string", not: { pattern: "^(a|b)\\1$" } });
    expect(acceptsText(grammar, '"ab"')).toBe(true);
    const content = { $schema: draft7, type: "string", not: { contentMediaType: "application/json" } };
    expect(acceptsText(compileSchema(content).grammar, '"{"')).toBe(true);
  });

  it("is not listed where it refuses nothing: contents of strings before draft 7 and after it", () => {
    for (const draft of [
      "http://json-schema.org/draft-06/schema#",
      "https://json-schema.org/draft/2019-09/schema",
    ])
      expect(compileSchema({ $schema: draft, contentEncoding: "base64" }).exact).toBe(true);
    expect(compileSchema({ contentMediaType: 7 }).exact).toBe(true);
  });
});

describe("caps", () => {
  it("bound what the schema leaves unbounded, and are told apart from residuals", () => {
    const schema = {
      type: "object",
      properties: {
        s: { type: "string" },
        t: { type: "string", maxLength: 9 },
        l: { type: "array", items: { const: 1 } },
      },
      additionalProperties: false,
    };
    const { grammar, exact, caps } = compileSchema(schema, { caps: { stringLength: 3, items: 2 } });
    expect(exact).toBe(true);
    expect(caps).toEqual([
      { cap: "stringLength", limit: 3, places: 1 },
      { cap: "items", limit: 2, places: 1 },
    ]);
    for (const text of ['{"s": "abc"}', '{"t": "abcdefghi"}', '{"l": [1, 1]}'])
      expect(acceptsText(grammar, text), text).toBe(true);
    for (const text of ['{"s": "abcd"}', '{"l": [1, 1, 1]}'])
      expect(acceptsText(grammar, text), text).toBe(false);
  });

  it("bound any value in depth", () => {
    const { grammar } = compileSchema(true, { caps: { depth: 2 } });
    expect(acceptsText(grammar, "[[1, []]]")).toBe(true);
    expect(acceptsText(grammar, "[[[1]]]")).toBe(false);
  });

  it("bound recursion in rounds, whatever stands between, and nothing else in depth", () => {
    const tree = {
      properties: { name: { type: "string" }, parts: { type: "array", items: { $ref: "#" } } },
      additionalProperties: false,
      type: "object",
    };
    const { grammar, exact, caps } = compileSchema(tree, { caps: { depth: 2 } });
    expect(exact).toBe(true);
    expect(caps).toEqual([expect.objectContaining({ cap: "depth", limit: 2 })]);
    for (const text of ['{"parts": []}', '{"parts": [{"name": "a", "parts": []}, {}]}'])
      expect(acceptsText(grammar, text), text).toBe(true);
    expect(acceptsText(grammar, '{"parts": [{"parts": [{}]}]}')).toBe(false);
    const nested = { items: { items: { items: { type: "integer" }, type: "array" }, type: "array" } };
    const defs = { $defs: { list: nested }, $ref: "#/$defs/list", type: "array" };
    const deep = compileSchema(defs, { caps: { depth: 1 } });
    expect([deep.caps, acceptsText(deep.grammar, "[[[1]]]")]).toEqual([[], true]);
  });

  it("stand back where the schema itself asks for more rounds", () => {
    const properties = { b: { $ref: "#/$defs/b" } };
    const b = { type: "object", properties: { b: { $ref: "#/$defs/b" }, a: { $ref: "#" } } };
    const schema = { $defs: { b }, type: "object", properties, required: ["b"] };
    const { grammar, satisfiable } = compileSchema(schema, { caps: { depth: 1 } });
    expect([satisfiable, acceptsText(grammar, '{"b": {"b": {"a": {"b": {}}}}}')]).toEqual([true, true]);
  });
});

describe("compileSchema for a reader that goes no deeper than so many levels", () => {
  const nested = (levels: number): JsonSchema =>
    Array.from({ length: levels }).reduce<JsonSchema>((items) => ({ type: "array", items }), true);
  const tree = { type: "object", properties: { part: { $ref: "#" } }, additionalProperties: false };
  it.each<[JsonSchema, number, boolean]>([
    [{ type: "string" }, 0, false],
    // Any value is a container inside as many as the cap of 2 says.
    [nested(0), 3, false],
    [nested(0), 2, true],
    [nested(4), 7, false],
    [nested(4), 6, true],
    [{ type: "array", items: { type: "integer" } }, 1, false],
    [tree, 3, false],
    [tree, 2, true],
  ])("lists that values of %j may pass %d levels: %s", (schema, readLevels, passes) => {
    const { residual } = compileSchema(schema, { caps: { depth: 2 }, readLevels });
    const reason = `values that nest deeper than ${readLevels} levels cannot be read`;
    const listed = [{ pointer: "", keyword: "type", direction: "over", reason }];
    expect(residual).toEqual(passes ? listed : []);
  });
});

describe("compileSchema on numbers and depths that no text reaches", () => {
  it.each(["maxLength", "maxItems", "maxProperties"])("takes an immense %s for no bound", (keyword) => {
    const { grammar, satisfiable } = compileSchema({ [keyword]: 1e300 });
    expect(satisfiable).toBe(true);
    for (const text of ['"abc"', "[1, 2]", '{"a": 1}']) expect(acceptsText(grammar, text)).toBe(true);
  });

  it("reads an empty array as the empty schema, with a warning", () => {
    const { grammar, warnings } = compileSchema([]);
    expect(acceptsText(grammar, "[1]")).toBe(true);
    expect(warnings).toHaveLength(1);
  });

  it("refuses a constant that nests too deep, as it does a schema", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}1${"]".repeat(20_000)}`);
    for (const schema of [{ const: deep }, { enum: [deep] }]) {
      expect(() => compileSchema(schema)).toThrow(/deeper than 400 levels/);
    }
  });
});
