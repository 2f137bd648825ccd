// An outsider's calls: which run beside each other, what they are told, and what the gate lets through.
import { describe, expect, test } from "vitest";
import { createToolService } from "../../src/agent/tool-service.ts";
import { defineTool, type Tool, ToolFailure } from "../../src/tools/index.ts";

const { signal } = new AbortController();

function service(
  tools: readonly Tool[],
  rules: Parameters<typeof createToolService>[0]["permissions"]["rules"] = [],
) {
  return createToolService({ sources: [{ name: "test", tools }], permissions: { rules } });
}

const waiting = (name: string, concurrency: "parallel" | "alone", log: string[]) =>
  defineTool({
    name,
    description: name,
    inputSchema: { type: "object", properties: {} },
    concurrency,
    execute: async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      return { text: name };
    },
  });

describe("calls", () => {
  test("run side by side where all of them may be, and else one after the other", async () => {
    const log: string[] = [];
    const tools = service([
      waiting("a", "parallel", log),
      waiting("b", "parallel", log),
      waiting("c", "alone", log),
    ]);
    const names = ["a", "b", "c", "a"];
    await Promise.all(names.map((name) => tools.call({ name, input: {}, signal })));
    expect(log).toEqual([
      ...["a begins", "b begins", "a ends", "b ends"],
      ...["c begins", "c ends", "a begins", "a ends"],
    ]);
  });

  test("go on after one that failed", async () => {
    const failing = defineTool({
      name: "fails",
      description: "fails",
      inputSchema: { type: "object", properties: {} },
      execute: async () => {
        throw new ToolFailure("No such thing.");
      },
    });
    const tools = service([failing, waiting("c", "alone", [])]);
    const results = await Promise.all(["fails", "c"].map((name) => tools.call({ name, input: {}, signal })));
    expect(results).toEqual([
      { outcome: "failed", content: "No such thing." },
      { outcome: "completed", content: "c" },
    ]);
  });

  test("that a rule denies reach nothing, and tools that a rule hides are not listed", async () => {
    const log: string[] = [];
    const asking = defineTool({
      ...waiting("w", "alone", log),
      permissions: ["edit"],
      execute: async (_input, { ask }) => {
        await ask({ permission: "edit", patterns: ["x.key"] });
        log.push("done");
        return { text: "done" };
      },
    });
    const denied = service(
      [asking],
      [
        { permission: "edit", pattern: "*", action: "allow" },
        { permission: "edit", pattern: "*.key", action: "deny" },
      ],
    );
    expect((await denied.call({ name: "w", input: {}, signal })).outcome).toBe("denied");
    const hidden = service([asking], [{ permission: "edit", pattern: "*", action: "deny" }]);
    expect(hidden.list()).toEqual([]);
    expect(log).toEqual([]);
  });
});
