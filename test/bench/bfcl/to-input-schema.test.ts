import { expect, it } from "vitest";
import { toInputSchema } from "../../../src/bench/bfcl/to-input-schema.ts";

it("turns BFCL's types into JSON Schema's, at every depth", () => {
  const schema = {
    type: "dict",
    required: ["a"],
    properties: {
      a: { type: "float", description: "size", optional: true, default: 1 },
      b: { type: "array", items: { type: "dict", properties: { c: { type: "tuple" } } } },
      d: { type: "any" },
    },
  };
  expect(toInputSchema(schema)).toEqual({
    type: "object",
    required: ["a"],
    properties: {
      a: { type: "number", description: "size", default: 1 },
      b: { type: "array", items: { type: "object", properties: { c: { type: "array" } } } },
      d: {},
    },
  });
});

it("lets the type win over an enum that contradicts it", () => {
  expect(toInputSchema({ type: "integer", enum: ["1", "2", "two"] })).toEqual({
    type: "integer",
    enum: [1, 2],
  });
  expect(toInputSchema({ type: "boolean", enum: ["True", "False"] })).toEqual({
    type: "boolean",
    enum: [true, false],
  });
  expect(toInputSchema({ type: "integer", enum: ["one"] })).toEqual({ type: "integer" });
  expect(toInputSchema({ type: "string", enum: ["1", "a"] })).toEqual({ type: "string", enum: ["1", "a"] });
});
