import { describe, expect, test } from "vitest";
import { chooseTools, type ToolDiet } from "../../src/context/choose-tools.ts";
import type { Message, ToolDescription } from "../../src/vocabulary/index.ts";

const tool = (name: string, description = "Does something."): ToolDescription => ({
  name,
  description,
  inputSchema: { type: "object" },
});

/** A hundred tokens each, whatever they hold. */
const count = async () => 100;
const animals = ["cat", "dog", "fox", "owl", "bee", "ant"].map((name) => tool(name));
const finder = tool("find_tools");

async function choose(more: Partial<ToolDiet<ToolDescription>>) {
  const diet = { tools: animals, messages: [], request: "", room: 300, most: 8, always: [], count };
  const { offered, cuts } = await chooseTools({ ...diet, ...more });
  return { names: offered.map(({ name }) => name), cuts };
}

const called = (name: string): Message => ({
  role: "assistant",
  content: "",
  calls: [{ id: name, name, input: {} }],
});
const asked = (content: string): Message => ({ role: "user", content });

describe("the tools of a request", () => {
  test("are all offered, in their own order and without the finder, where they fit", async () => {
    const { names, cuts } = await choose({ room: 600, finder, request: "an owl" });
    expect(names).toEqual(["cat", "dog", "fox", "owl", "bee", "ant"]);
    expect(cuts).toEqual([]);
  });

  test("are those that fit best where not all fit, and the others are told with their cost", async () => {
    const { names, cuts } = await choose({ request: "the bee, the ant" });
    expect(names.slice(0, 2).sort()).toEqual(["ant", "bee"]);
    expect(names).toHaveLength(3);
    expect(cuts).toEqual([
      { part: "tools", tokens: 300, text: "3 of 6 tools not offered, about 100 tokens each: dog, fox, owl" },
    ]);
  });

  test("are the first ones where no word tells, and that is said", async () => {
    const { names, cuts } = await choose({ request: "一只猫" });
    expect(names).toEqual(["cat", "dog", "fox"]);
    expect(cuts[0]?.text).toBe(
      "3 of 6 tools not offered, about 100 tokens each: owl, bee, ant; no tool has a word of the request, so that the first ones are offered",
    );
  });

  test("are no more than the profile says", async () => {
    expect((await choose({ room: 500, most: 2, request: "ant" })).names).toHaveLength(2);
  });

  test("hold the finder, which takes its own room, where some are hidden", async () => {
    expect((await choose({ finder, request: "owl" })).names).toEqual(["owl", "cat", "find_tools"]);
  });

  test("hold one at least, even where none fits", async () => {
    expect((await choose({ room: 0, request: "fox" })).names).toEqual(["fox"]);
  });

  test("hold what was named or called for this request or the last one, behind the others", async () => {
    const messages = [
      asked("first"),
      called("dog"),
      asked("second"),
      called("ant"),
      asked("third"),
      called("bee"),
    ];
    const { names } = await choose({ messages, always: ["fox"], room: 100, request: "owl" });
    expect(names).toEqual(["owl", "ant", "bee", "fox"]);
  });

  test("stay in their places when one of them is called", async () => {
    const before = await choose({ messages: [asked("owl")], request: "owl" });
    const after = await choose({ messages: [asked("owl"), called("dog")], request: "owl" });
    expect(after.names).toEqual(before.names);
  });
});
