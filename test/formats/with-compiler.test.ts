// The formats and the schema compiler have to agree on every blank and line break of nested values.
import { describe, expect, it } from "vitest";
import { findFormat, formats, type OfferedTool } from "../../src/formats/index.ts";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import { compileSchema, type Spacing } from "../../src/schema-grammar/index.ts";
import type { JsonObject, JsonSchema } from "../../src/vocabulary/index.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    count: { type: "integer", minimum: 0 },
    mode: { enum: ["fast", "slow"] },
    tags: { type: "array", items: { type: "string" } },
    place: {
      type: "object",
      properties: {
        at: { type: "array", items: { type: "number" } },
        deep: { type: "object", properties: {} },
      },
      required: ["at"],
    },
  },
  required: ["text"],
};
const accepted: readonly JsonObject[] = [
  { text: "" },
  { text: 'a "b" \\ \n </tool_call> ``` 🦊', count: 0, mode: "slow", tags: [] },
  { text: "x", tags: ["a", "b"], place: { at: [1.5, -2], deep: {} } },
  { text: "x", place: { at: [] } },
];
const refused: readonly JsonObject[] = [
  {},
  { text: 1 },
  { text: "x", mode: "medium" },
  { text: "x", count: -1 },
  { text: "x", more: 1 },
  { text: "x", place: {} },
  { count: 1, text: "keys out of order" },
];
const layouts: readonly Spacing[] = ["compact", "spaced", { indent: 2, level: 0 }, { indent: 4, level: 0 }];

const readByType = new Set(["qwen-xml", "minicpm-xml", "glm-xml"]);

describe("formats with compiled schemas", () => {
  for (const format of formats) {
    for (const parallel of [false, true]) {
      for (const spacing of layouts) {
        it(`${format.name}, parallel ${parallel}, ${JSON.stringify(spacing)}`, () => {
          const options = { parallel, spacing };
          const compile = { objects: "closed", layout: format.argumentsLayout(options) } as const;
          const tools: readonly OfferedTool[] = [
            { name: "set", description: "", inputSchema: schema, compiled: compileSchema(schema, compile) },
            {
              name: "get",
              description: "",
              inputSchema: { type: "object", properties: {} },
              compiled: compileSchema({ type: "object", properties: {} }, compile),
            },
          ];
          const { grammar } = format.constraint({ tools, ...options });
          const opener = format.openers[0]?.text ?? "";
          const verdict = (name: string, input: JsonObject) =>
            acceptsText(grammar, format.writeCalls([{ name, input }], options).slice(opener.length));
          expect(accepted.map((input) => verdict("set", input))).toEqual(accepted.map(() => true));
          // Between tags the text 1 is the string "1", which is allowed.
          const wrong = refused.filter(({ text }) => text !== 1 || !readByType.has(format.name));
          expect(wrong.map((input) => verdict("set", input))).toEqual(wrong.map(() => false));
          expect(verdict("get", {})).toBe(true);
          expect(verdict("get", { text: "" })).toBe(false);
          expect(verdict("put", { text: "" })).toBe(false);
        });
      }
    }
  }

  it("keep the rules of tools apart that have the same schema", () => {
    const format = findFormat("hermes-json");
    const options = { parallel: true, spacing: "spaced" } as const;
    const compiled = compileSchema(schema, { objects: "closed", spacing: "spaced" });
    const tools = ["a", "b"].map((name) => ({ name, description: "", inputSchema: schema, compiled }));
    const { grammar } = format.constraint({ tools, ...options });
    const calls = ["a", "b", "a"].map((name) => ({ name, input: { text: name } }));
    expect(acceptsText(grammar, format.writeCalls(calls, options).slice("<tool_call>".length))).toBe(true);
  });
});
