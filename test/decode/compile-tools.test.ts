// Which tools cannot be offered, and why.
import { describe, expect, test } from "vitest";
import { checkTools } from "../../src/decode/check-tools.ts";
import type { JsonSchema } from "../../src/vocabulary/index.ts";

const object: JsonSchema = { type: "object", properties: {} };
const tool = (name: string, inputSchema: JsonSchema = object) => ({ name, description: "", inputSchema });

describe("a tool's name", () => {
  test.each<[string, string]>([
    ["with an escape", "a\u001b[31m"],
    ["with a line end", "a\nb"],
    ["with a C1 control character", "a\u009bb"],
    ["with half a character", "a\ud83d"],
    ["of 257 characters", "a".repeat(257)],
  ])("%s is refused", (_, name) => {
    expect(() => checkTools([tool("good"), tool(name)], { onBadTool: "leave-out" })).toThrow(
      expect.objectContaining({ code: "tool-invalid", pointer: "/1/name" }),
    );
  });

  test.each(["get weather", "größe/見る", "💡", "a".repeat(256)])("%s is taken", (name) => {
    expect(() => checkTools([tool(name)], { onBadTool: "refuse" })).not.toThrow();
  });
});

describe("an input schema that allows no object", () => {
  const none: readonly JsonSchema[] = [
    { type: "string" },
    { type: ["string", "array", "null"] },
    { enum: ["a", 3] },
    { anyOf: [{ type: "integer" }, { $ref: "#/$defs/text" }], $defs: { text: { type: "string" } } },
  ];
  test.each(none)("%j is refused, naming the tool", (schema) => {
    expect(() => checkTools([tool("speak", schema)], { onBadTool: "refuse" })).toThrow(
      expect.objectContaining({
        code: "schema-unsatisfiable",
        message: expect.stringMatching(/"speak".*arguments are always an object/),
      }),
    );
    expect(() => checkTools([tool("speak", schema)], { onBadTool: "leave-out" })).not.toThrow();
  });

  const some: readonly JsonSchema[] = [
    true,
    {},
    { properties: { a: { type: "string" } } },
    { type: ["string", "object"] },
    { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { b: { type: "null" } } } } },
    { const: { a: 1 } },
  ];
  test.each(some)("%j is none of those", (schema) => {
    expect(() => checkTools([tool("speak", schema)], { onBadTool: "refuse" })).not.toThrow();
  });
});
