import { describe, expect, test } from "vitest";
import {
  type Agent,
  createConversation,
  foldRun,
  type RunRequest,
  runLoop,
  taskToolName,
} from "../../src/agent/index.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/tools/index.ts";
import type { RunEvent } from "../../src/vocabulary/index.ts";
import { fenceProfile, writeCalls } from "./write-calls.ts";

const profile = resolveProfile(fenceProfile);
const schema = { type: "object", properties: {}, additionalProperties: false } as const;
const ran: string[] = [];
const tool = (name: string, permissions?: readonly string[]): Tool => ({
  name,
  description: name,
  inputSchema: schema,
  ...(permissions === undefined ? {} : { permissions }),
  execute: async (_, { ask }) => {
    for (const permission of permissions ?? []) await ask({ permission, patterns: ["x"] });
    ran.push(name);
    return { text: `${name} done` };
  },
});
const agents: readonly Agent[] = [
  { name: "reader", description: "Reads.", system: "You read.", tools: ["look"] },
  {
    name: "writer",
    description: "Writes.",
    system: "You write.",
    rules: [{ permission: "edit", action: "allow" }],
  },
];
const task = (agent: string) => writeCalls({ name: taskToolName, arguments: { agent, task: "Do it." } });
const call = (name: string) => writeCalls({ name, arguments: {} });

async function run(replies: readonly string[], more: Partial<RunRequest> = {}) {
  ran.length = 0;
  const model = createScriptedModel({ replies });
  const request: RunRequest = {
    messages: [{ role: "user", content: "Go." }],
    tools: [tool("look"), tool("change", ["edit"])],
    subagents: { agents },
    ...more,
  };
  const events: RunEvent[] = [];
  for await (const event of runLoop({ model, profile }, request)) events.push(event);
  // One turn asks several times for the same prompt.
  const prompts = [...new Set(model.requests.map(({ prompt }) => prompt.map(({ text }) => text).join("")))];
  return {
    prompts,
    ends: events.flatMap((event) =>
      event.type === "tool-end" ? [`${event.outcome}: ${event.content}`] : [],
    ),
    progress: events.flatMap((event) => (event.type === "tool-progress" ? [event.text] : [])),
    offered: events.flatMap((event) => (event.type === "turn-start" ? [event.tools] : [])),
  };
}

describe("an agent started by a run", () => {
  test("works in a context and with tools of its own, and gives back its answer", async () => {
    const seen = await run([task("reader"), call("look"), "It is blue.", "The reader says blue."]);
    expect(seen.ends).toEqual(["completed: It is blue."]);
    expect(seen.progress).toEqual(["look {}"]);
    expect(seen.offered[0]).toEqual(["look", "change", taskToolName]);
    expect(seen.prompts[1]).toContain("You read.");
    expect(seen.prompts[1]).not.toContain("Go.");
    expect(seen.prompts[1]).not.toContain('"change"');
    expect(seen.prompts[1]).not.toContain(taskToolName);
    expect(ran).toEqual(["look"]);
  });

  test("is held by the rules of whoever starts it, whatever its own allow", async () => {
    const denied = { rules: [{ permission: "edit", pattern: "x", action: "deny" }] } as const;
    const stopped = await run([task("writer"), call("change"), "I may not.", "Done."], {
      permissions: denied,
    });
    expect(ran).toEqual([]);
    expect(stopped.ends).toEqual(["completed: I may not."]);
    await run([task("writer"), call("change"), "Written.", "Done."]);
    expect(ran).toEqual(["change"]);
  });

  test("that comes to no answer is a failed call", async () => {
    const seen = await run([task("reader"), call("look"), call("look"), "Hm.", "Done."], {
      subagents: { agents: [{ ...agents[0], steps: 1 } as Agent] },
    });
    expect(seen.ends[0]).toContain('failed: The agent "reader" ended without an answer');
  });

  test("starts no others unless that is allowed, and there are not too many", async () => {
    const twice = await run([task("reader"), "One.", task("reader"), "None left."], {
      subagents: { agents, most: 1 },
    });
    expect(twice.ends[1]).toBe("failed: No more than 1 agents may be started in one run.");
    const deep = await run([task("writer"), task("reader"), "Deep.", "Back.", "Done."], {
      subagents: { agents, depth: 2 },
    });
    expect(deep.ends).toEqual(["completed: Back."]);
    expect(deep.prompts[1]).toContain(taskToolName);
    expect(deep.prompts[2]).not.toContain(taskToolName);
  });
});

describe("stop conditions", () => {
  test("of the caller end the run after a turn's calls", async () => {
    const { ends, offered } = await run([call("look"), call("look"), "Never."], {
      stopWhen: ({ turns, calls }) => (turns === 1 && calls[0]?.name === "look" ? "Seen enough." : false),
    });
    expect(ends).toEqual(["completed: look done"]);
    expect(offered).toHaveLength(1);
  });

  test.each([{ tokens: 1 }, { milliseconds: 1e-6 }])("%j leaves one turn without tools", async (limits) => {
    const { offered } = await run([call("look"), "Done."], { limits });
    expect(offered.at(-1)).toEqual([]);
  });
});

describe("a conversation", () => {
  test("answers what is sent while it is busy afterwards, in order, knowing what was said", async () => {
    const model = createScriptedModel({ replies: ["One.", "Two.", "Three."] });
    const conversation = createConversation({
      run: (prompt, before) =>
        runLoop({ model, profile }, { messages: [...before, { role: "user", content: prompt }], tools: [] }),
    });
    const answers = ["first", "second", "third"].map((prompt) => foldRun(conversation.send(prompt)));
    expect(conversation.waiting).toBe(3);
    expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(["One.", "Two.", "Three."]);
    expect(conversation.waiting).toBe(0);
    expect(conversation.messages.map(({ content }) => content)).toEqual([
      "first",
      "One.",
      "second",
      "Two.",
      "third",
      "Three.",
    ]);
    const last = model.requests[2]?.prompt.map(({ text }) => text).join("") ?? "";
    expect(last.indexOf("first")).toBeLessThan(last.indexOf("second"));
  });

  test("goes on after a run that was left half-way, whose calls nobody answered", async () => {
    const model = createScriptedModel({ replies: [call("look"), "Two."] });
    const conversation = createConversation({
      run: (prompt, before) =>
        runLoop(
          { model, profile },
          { messages: [...before, { role: "user", content: prompt }], tools: [tool("look")] },
        ),
    });
    for await (const event of conversation.send("first")) if (event.type === "turn-end") break;
    expect(conversation.messages).toEqual([
      { role: "user", content: "first" },
      { role: "assistant", content: "" },
    ]);
    expect((await foldRun(conversation.send("second"))).text).toBe("Two.");
  });
});
