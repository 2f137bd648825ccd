import { expect, test } from "vitest";
import { listCatalogue, offeredTools } from "../../src/agent/index.ts";
import { defaultRules, parseRule, type Tool } from "../../src/tools/index.ts";

const tool = (name: string, permissions?: readonly string[]): Tool => ({
  name,
  description: name,
  inputSchema: true,
  ...(permissions === undefined ? {} : { permissions }),
});

const options = {
  sources: [
    { name: "built-in", tools: [tool("write_file", ["edit"]), tool("read_file", ["read"])] },
    { name: "project", tools: () => [tool("zebra"), tool("apple"), tool("read_file")] },
  ],
  rules: [...defaultRules, parseRule("edit", "deny")],
};

test("says of each tool whether it is offered, and why", () => {
  expect(
    listCatalogue(options).map(({ tool: { name }, source, isOffered, reason }) => [
      name,
      source,
      isOffered,
      reason,
    ]),
  ).toEqual([
    ["write_file", "built-in", false, 'the rule "deny edit"'],
    ["read_file", "built-in", true, "asks for read"],
    ["apple", "project", true, "asks for nothing"],
    ["read_file", "project", false, "its name is taken by a tool of built-in"],
    ["zebra", "project", true, "asks for nothing"],
  ]);
  expect(offeredTools(options).map(({ name }) => name)).toEqual(["read_file", "apple", "zebra"]);
});

test("an agent has only its own", () => {
  const agent = { name: "a", description: "", system: "", tools: ["apple"] };
  expect(offeredTools({ ...options, agent }).map(({ name }) => name)).toEqual(["apple"]);
  expect(listCatalogue({ ...options, agent })[1]?.reason).toBe('the agent "a" does not have it');
});
