// Layouts that write values otherwise than JSON: what they write, what they lose, and that the loss is listed.
import { describe, expect, it } from "vitest";
import { typeValues } from "../../src/decode/type-values.ts";
import { findFormat } from "../../src/formats/index.ts";
import { writeJson } from "../../src/formats/write-json.ts";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import { compileSchema, writeInstance } from "../../src/schema-grammar/index.ts";
import type { JsonSchema, JsonValue } from "../../src/vocabulary/index.ts";

const options = { parallel: false, spacing: "spaced" } as const;

function compiledFor(format: string, schema: JsonSchema) {
  const layout = findFormat(format).argumentsLayout(options);
  return compileSchema(schema, { layout, objects: "closed" });
}

function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const anyText = objectOf({ a: { type: "string" } });

describe("strings that escape nothing", () => {
  it.each([
    ["qwen-xml", "<parameter=a>\nx</parameter>\n</function>\n</parameter>\n", "/properties/a"],
    ["glm-xml", "<arg_key>a</arg_key>\n<arg_value>x</arg_value></tool_call></arg_value>\n", "/properties/a"],
    ["minicpm-xml", '<param name="a"><![CDATA[x]]></param></function>]]></param>', "/properties/a"],
    ["gemma4", 'a:<|"|>x<|"|>}<|"|>', "/properties/a"],
    ["fn-gemma", "a:<escape>x<escape>,<escape>", "/properties/a"],
  ])("%s: what would end the value early is refused, and listed", (format, text, pointer) => {
    const compiled = compiledFor(format, anyText);
    expect(acceptsText(compiled.grammar, text)).toBe(false);
    expect(compiled.residual).toMatchObject([{ pointer, keyword: "type", direction: "under" }]);
    expect(compiled.exact).toBe(false);
  });

  it("are exact where the schema allows no such text", () => {
    const compiled = compiledFor(
      "qwen-xml",
      objectOf({ a: { enum: ["on", "off"] }, b: { type: "string", maxLength: 20 } }),
    );
    expect(compiled.residual).toEqual([]);
  });

  it("keep their bounds, beside closing tags that end nothing", () => {
    const { grammar, residual } = compiledFor("qwen-xml", objectOf({ a: { type: "string", maxLength: 40 } }));
    const written = (text: string) => `<parameter=a>\n${text}\n</parameter>\n`;
    expect(acceptsText(grammar, written("</parameter> and more"))).toBe(true);
    expect(acceptsText(grammar, written("x".repeat(40)))).toBe(true);
    expect(acceptsText(grammar, written("x".repeat(41)))).toBe(false);
    expect(residual.map(({ direction }) => direction)).toEqual(["under"]);
  });

  it("leave a long bound to the check after decoding, and say so", () => {
    const { residual } = compiledFor("qwen-xml", objectOf({ a: { type: "string", maxLength: 5000 } }));
    expect(residual).toContainEqual(
      expect.objectContaining({ pointer: "/properties/a", keyword: "maxLength", direction: "over" }),
    );
  });
});

describe("values between tags", () => {
  const mixed = objectOf({ a: { type: ["string", "null", "integer"] } });
  const tool = { name: "t", inputSchema: mixed };

  it("are typed by their text where several types are allowed", () => {
    const typed = (a: string) => typeValues({ name: "t", input: { a } }, [tool]).input;
    expect(typed("null")).toEqual({ a: null });
    expect(typed("12")).toEqual({ a: 12 });
    expect(typed("12 apples")).toEqual({ a: "12 apples" });
    expect(typed("1.5")).toEqual({ a: "1.5" });
    expect(typed("9007199254740993")).toEqual({ a: "9007199254740993" });
  });

  it.each<[JsonSchema, string, JsonValue]>([
    [{ enum: ["None", "Some", null] }, "None", "None"],
    [{ enum: ["None", "Some", null] }, "null", null],
    [{ enum: ["True", true] }, "True", "True"],
    [{ enum: ["True", true] }, "true", true],
    [{ type: ["string", "null"] }, "None", "None"],
    [{ type: ["boolean", "null"] }, "True", true],
    [{ type: ["boolean", "null"] }, "None", null],
    [{ type: ["string", "number"] }, "1e400", "1e400"],
    [{ type: ["string", "number"] }, "3.14159265358979323846", "3.14159265358979323846"],
    [
      { type: ["string", "number"] },
      "0.1000000000000000055511151231257827",
      "0.1000000000000000055511151231257827",
    ],
    [{ type: ["string", "number"] }, "3.141592653589793", Math.PI],
    [{ type: ["string", "number"] }, "-1.50E+2", -150],
    [{ type: ["string", "number"] }, "9007199254740993", "9007199254740993"],
    [{ type: ["string", "number"] }, "9007199254740992", 9007199254740992],
    [{ type: ["string", "number"] }, "1".repeat(400), "1".repeat(400)],
    [{ type: ["string", "array"] }, "[1.5, 12345678901234567890]", "[1.5, 12345678901234567890]"],
    [{ type: ["string", "array"] }, '[1.5, "12345678901234567890"]', [1.5, "12345678901234567890"]],
    [{ type: "number" }, "3.14159265358979323846", Math.PI],
    [{ type: "number" }, "1e400", "1e400"],
  ])("by %j: %s is %j, Python's words giving way to strings", (schema, text, value) => {
    const declared = { name: "t", inputSchema: objectOf({ a: schema }) };
    expect(typeValues({ name: "t", input: { a: text } }, [declared]).input).toEqual({ a: value });
  });

  it("cannot be a string that reads as another allowed value, which is listed", () => {
    const { residual } = compiledFor("glm-xml", mixed);
    const reasons = residual.map(({ direction, keyword }) => `${direction} ${keyword}`);
    expect(reasons).toEqual(["under type"]);
  });

  it("keep the digits of whole numbers in their text", () => {
    const schema = objectOf({ big: { type: "integer" }, text: { type: "string" } });
    const input = { big: "9223372036854775807", text: 'a "b"' };
    const { inputText } = typeValues({ name: "t", input }, [{ name: "t", inputSchema: schema }]);
    expect(inputText).toBe('{"big": 9223372036854775807, "text": "a \\"b\\""}');
  });

  it("cannot stand under a key that would close its tag, which is listed", () => {
    const compiled = compiledFor("qwen-xml", { type: "object", properties: { "a>b": { type: "integer" } } });
    expect(compiled.residual).toContainEqual(
      expect.objectContaining({ keyword: "properties", direction: "under" }),
    );
    expect(acceptsText(compiled.grammar, "<parameter=a>b>\n1\n</parameter>\n")).toBe(false);
    expect(acceptsText(compiled.grammar, "")).toBe(true);
  });
});

describe("arguments in Python", () => {
  const schema = objectOf({
    s: { type: "string" },
    "a key": { type: ["boolean", "null"] },
    o: { type: "object", properties: { k: { enum: ["it's"] } }, required: ["k"] },
  });

  it.each([
    ["s='a\\'\\\\\\n\\x01', **{'a key': True}, o={'k': 'it\\'s'}", true],
    ['s="", **{\'a key\': None}, o={"k": "it\'s"}', true],
    ["s='', a key=True, o={'k': 'it\\'s'}", false],
    ["s='', **{'a key': true}, o={'k': 'it\\'s'}", false],
    ["s='', **{'a key': True}, o={'k': 'its'}", false],
    ["s='', **{'a key': True}, o={k: 'it\\'s'}", false],
    ["s=1, **{'a key': True}, o={'k': 'it\\'s'}", false],
  ])("%s: %s", (text, accepted) => {
    expect(acceptsText(compiledFor("lfm-py", schema).grammar, text)).toBe(accepted);
  });

  it("lose nothing", () => {
    expect(compiledFor("lfm-py", anyText)).toMatchObject({ residual: [], exact: true });
  });
});

describe("keys of past calls", () => {
  // A lone surrogate has no bytes in UTF-8, so that only an escape can spell it.
  it.each([
    ["lfm-py", "\uFFFD='x', b={'\uFFFDk': 1}"],
    ["gemma4", '\uFFFD:<|"|>x<|"|>,b:{\uFFFDk:1}'],
    ["fn-gemma", "\uFFFD:<escape>x<escape>,b:{\uFFFDk:1}"],
  ])("%s: half a character is written as U+FFFD", (format, expected) => {
    const input = { "\ud800": "x", b: { "\udc00k": 1 } };
    expect(findFormat(format).writeCalls([{ name: "f", input }], options)).toContain(expected);
  });
});

describe("json-fence", () => {
  const format = findFormat("json-fence");
  const caps = { depth: 4, items: 10 };
  const free = objectOf({ a: {} });
  it.each<[JsonSchema, JsonValue]>([
    [free, [[1], [2, []], {}]],
    [free, { b: [[1, "x"], { c: null }], d: {} }],
    [objectOf({ a: { type: "object" } }), { b: { c: [1] } }],
    [objectOf({ a: { type: "array" } }), [[1], [2]]],
    [objectOf({ a: { items: {} } }), [{ b: [[1]] }]],
  ])("accepts any value in the very lines that it writes: %j, %j", (inputSchema, a) => {
    for (const parallel of [false, true]) {
      const request = { parallel, spacing: "spaced" } as const;
      const layout = format.argumentsLayout(request);
      const compiled = compileSchema(inputSchema, { layout, objects: "closed", caps });
      const tools = [{ name: "t", description: "", inputSchema, compiled }];
      const { grammar, opener } = format.constraint({ tools, ...request });
      const written = format.writeCalls([{ name: "t", input: { a } }], request).slice(opener.text.length);
      expect(acceptsText(grammar, written), written).toBe(true);
      expect(writeInstance(compiled, { a })).toBe(writeJson({ a }, { indent: 2, level: parallel ? 2 : 1 }));
    }
  });

  it("keeps values on one line where nothing bounds their depth", () => {
    const compiled = compileSchema(free, { layout: format.argumentsLayout(options), objects: "closed" });
    expect(writeInstance(compiled, { a: [[1], [2]] })).toBe('{\n    "a": [[1], [2]]\n  }');
  });
});
