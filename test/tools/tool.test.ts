import { expect, test } from "vitest";
import { defineTool, type Tool } from "../../src/tools/index.ts";

const tool: Tool = { name: "now", description: "Tells the time.", inputSchema: { type: "object" } };

test("a tool is given back as it is", () => {
  expect(defineTool(tool)).toBe(tool);
});

test("a key that no tool has is refused, with the one that was meant", () => {
  const mistyped = { ...tool, exectue: async () => ({ text: "noon" }) };
  expect(() => defineTool(mistyped)).toThrow(
    expect.objectContaining({
      name: "CallwrightError",
      code: "tool-invalid",
      pointer: "/exectue",
      message: 'Tool "now" has a key that tools do not have: "exectue". Did you mean execute?',
    }),
  );
});
