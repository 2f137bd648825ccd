// The run's own tools: offered only where something is cut or hidden, and what they then give.
import { describe, expect, test } from "vitest";
import { runLoop } from "../../src/agent/index.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel, type ScriptedReply } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/tools/index.ts";
import type { JsonObject, RunEvent } from "../../src/vocabulary/index.ts";
import { toolCatalogue } from "../context/tool-catalogue.ts";
import { fenceProfile, writeCalls } from "./write-calls.ts";

const contextSize = 4096;
const text = Array.from({ length: 6_000 }, (_, at) => `line ${at}\n`).join("");

const dump: Tool = {
  name: "dump",
  description: "Dumps the log.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  execute: async () => ({ text }),
};
const call = (name: string, input: JsonObject = {}) => writeCalls({ name, arguments: input });

async function run(
  replies: readonly ScriptedReply[],
  tools: readonly Tool[],
  prompt = "What does the log say?",
) {
  const model = createScriptedModel({ replies, info: { contextSize } });
  const profile = resolveProfile(fenceProfile, { context: { size: contextSize, reserve: 512 } });
  const events: RunEvent[] = [];
  const messages = [{ role: "user" as const, content: prompt }];
  for await (const event of runLoop({ model, profile }, { messages, tools })) events.push(event);
  return {
    offered: events.flatMap((event) => (event.type === "turn-start" ? [event.tools] : [])),
    ends: events.flatMap((event) => (event.type === "tool-end" ? [event] : [])),
  };
}

describe("the tool that reads results", () => {
  test("is offered from where a result was cut on, and gives the whole text page by page", async () => {
    const { offered, ends } = await run(
      [
        call("dump"),
        call("read_result", { result: "r1", from: 20_000 }),
        call("read_result", { result: "r1", from: text.length - 10 }),
        "All is well.",
      ],
      [dump],
    );
    expect(offered).toEqual([
      ["dump"],
      ["dump", "read_result"],
      ["dump", "read_result"],
      ["dump", "read_result"],
    ]);
    expect(ends[0]?.content).toContain(
      `of ${text.length} characters cut here: read_result shows them, result r1`,
    );
    // A result may take 40 % of the window's tokens; a page has two characters for each of them.
    const end = 20_000 + 2 * 1638;
    const note = `[characters 20000 to ${end} of ${text.length}: go on with from ${end}]`;
    expect(ends[1]?.content).toBe(`${text.slice(20_000, end)}\n${note}`);
    const last = `[characters ${text.length - 10} to ${text.length} of ${text.length}]`;
    expect(ends[2]?.content).toBe(`${text.slice(-10)}\n${last}`);
  });

  test("is not offered where nothing was cut", async () => {
    const short: Tool = { ...dump, execute: async () => ({ text: text.slice(0, 2_000) }) };
    const { offered } = await run([call("dump"), "All is well."], [short]);
    expect(offered).toEqual([["dump"], ["dump"]]);
  });

  test("says what there is where the model asks for something else", async () => {
    const { ends } = await run(
      [
        call("dump"),
        call("read_result", { result: "log" }),
        call("read_result", { result: "r1", from: text.length }),
        "All is well.",
      ],
      [dump],
    );
    expect(ends.slice(1).map(({ outcome, content }) => `${outcome}: ${content}`)).toEqual([
      'failed: There is no result "log". Results: r1.',
      `failed: "r1" has ${text.length} characters.`,
    ]);
  });

  test("keeps clear of a tool of its name", async () => {
    const own: Tool = { ...dump, name: "read_result" };
    const { offered, ends } = await run(
      [call("read_result"), call("read_result_2", { result: "r1" }), "Done."],
      [own],
    );
    expect(offered[1]).toEqual(["read_result", "read_result_2"]);
    expect(ends[1]?.content.startsWith("line 0\nline 1\n")).toBe(true);
  });
});

describe("the tool that finds tools", () => {
  const catalogue: readonly Tool[] = toolCatalogue.map((tool) => ({
    ...tool,
    execute: async () => ({ text: "Done." }),
  }));
  const prompt = "Order a taxi to the opera.";

  test("is offered where tools are hidden, and what it finds is offered from then on", async () => {
    const { offered, ends } = await run(
      [
        call("find_tools", { query: "record a workout" }),
        call("log_workout", { sport: "yoga", minutes: 20 }),
        "It is on its way.",
      ],
      catalogue,
      prompt,
    );
    const [first = [], second = [], third = []] = offered;
    expect(first).toHaveLength(9);
    expect(first[0]).toBe("order_taxi");
    expect(first.at(-1)).toBe("find_tools");
    expect(first).not.toContain("log_workout");
    // What was offered stays in its place, so that the prompt's beginning does not change.
    expect(second.slice(0, 9)).toEqual(first);
    expect(second).toContain("log_workout");
    expect(third).toEqual(second);
    expect(ends[0]?.content).toContain("log_workout: Record a workout in the fitness diary.");
    expect(ends[1]).toMatchObject({ name: "log_workout", outcome: "completed" });
  });

  test("names what there is where no tool has a word of the query, and offers nothing by chance", async () => {
    const { offered, ends } = await run(
      [call("find_tools", { query: "记录一次锻炼" }), "It is on its way."],
      catalogue,
      prompt,
    );
    expect(ends[0]?.content).toMatch(/^No tool has any of these words\..*\blog_workout\b/);
    expect(offered[1]).toEqual(offered[0]);
  });

  test("is not offered where all tools fit", async () => {
    const { offered } = await run(["Good morning."], catalogue.slice(0, 5), prompt);
    expect(offered).toEqual([catalogue.slice(0, 5).map(({ name }) => name)]);
  });

  test("keeps clear of a tool of its name", async () => {
    const own = catalogue.map((tool, at) => (at === 0 ? { ...tool, name: "find_tools" } : tool));
    const { offered } = await run(["Good morning."], own, prompt);
    expect(offered[0]?.at(-1)).toBe("find_tools_2");
  });
});
