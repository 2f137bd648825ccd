import { describe, expect, test } from "vitest";
import {
  type AskedPermission,
  createApprovals,
  createPermissionGate,
  PermissionDenied,
  type PermissionPolicy,
} from "../../src/agent/permission-gate.ts";
import { runCall } from "../../src/agent/run-call.ts";
import { runLoop } from "../../src/agent/run-loop.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/tools/index.ts";
import type { RunOnlyEvent } from "../../src/vocabulary/index.ts";
import { fenceProfile } from "./write-calls.ts";

const asked = (more: Partial<AskedPermission> = {}): AskedPermission => ({
  callId: "c1",
  tool: "write_file",
  permission: "edit",
  patterns: ["a.md"],
  signal: new AbortController().signal,
  ...more,
});

function gateOf(policy: PermissionPolicy | undefined, approvals = createApprovals()) {
  const events: RunOnlyEvent[] = [];
  const gate = createPermissionGate(policy, approvals);
  return {
    events,
    gate,
    ask: (more: Partial<AskedPermission> = {}) => gate.ask(asked(more), (event) => events.push(event)),
  };
}

const answers = (events: readonly RunOnlyEvent[]) =>
  events.flatMap((event) => (event.type === "permission-answered" ? [event.answer] : []));

describe("the gate", () => {
  test("asks nobody where a rule decides", async () => {
    const { ask, events } = gateOf({
      rules: [
        { permission: "edit", action: "allow" },
        { permission: "edit", pattern: "b.md", action: "deny" },
      ],
      allow: () => {
        throw new Error("nobody should be asked");
      },
    });
    await ask();
    await expect(ask({ patterns: ["b.md"] })).rejects.toThrow(
      'denied by the rule "deny edit:b.md": edit b.md',
    );
    expect(events).toEqual([]);
  });

  test("says no where there is nobody, and where nobody answers in time", async () => {
    const nobody = gateOf(undefined);
    await expect(nobody.ask()).rejects.toThrow(PermissionDenied);
    expect(answers(nobody.events)).toEqual(["nobody"]);
    const slow = gateOf({ allow: () => new Promise<boolean>(() => {}), askMilliseconds: 10 });
    await expect(slow.ask()).rejects.toThrow("Nobody answered within 0.01 s");
    expect(answers(slow.events)).toEqual(["timeout"]);
  });

  test("takes for a no what is no clear yes", async () => {
    for (const answer of ["yes", 1, {}, null, undefined]) {
      await expect(gateOf({ allow: () => answer as never }).ask()).rejects.toThrow(PermissionDenied);
    }
  });

  test("tells the model why, where a person said so", async () => {
    const { ask } = gateOf({ allow: () => ({ no: "Write to b.md instead." }) });
    await expect(ask()).rejects.toThrow("edit a.md. Write to b.md instead.");
  });

  test("remembers a no, and a yes only where it was for always", async () => {
    let times = 0;
    const given = ["once", "always", "no"] as const;
    const { ask, events } = gateOf({ allow: () => given[times++] ?? "no" });
    await ask();
    await ask();
    await ask();
    await expect(ask({ patterns: ["b.md"] })).rejects.toThrow("Permission denied");
    await expect(ask({ patterns: ["b.md"] })).rejects.toThrow("still denied");
    expect(answers(events)).toEqual(["once", "always", "no"]);
  });

  test("never remembers what was unclear", async () => {
    let times = 0;
    const approvals = createApprovals();
    const policy: PermissionPolicy = {
      allow: () => {
        times += 1;
        return "always";
      },
    };
    const { ask } = gateOf(policy, approvals);
    await ask({ unclear: "a variable" });
    await ask({ unclear: "a variable" });
    expect(times).toBe(2);
    expect(approvals.list()).toEqual([]);
  });

  test("lets what was allowed for always answer questions, and undo no deny", async () => {
    const approvals = createApprovals();
    approvals.add([{ permission: "edit", pattern: "*", action: "allow" }]);
    await gateOf(undefined, approvals).ask();
    const { ask } = gateOf({ rules: [{ permission: "edit", action: "deny" }] }, approvals);
    await expect(ask()).rejects.toThrow("denied by the rule");
  });

  test("asks one question at a time, and none that another answer settled", async () => {
    let open = 0;
    let most = 0;
    const { ask, events } = gateOf({
      allow: async () => {
        open += 1;
        most = Math.max(most, open);
        await Promise.resolve();
        open -= 1;
        return "always" as const;
      },
    });
    await Promise.all([ask(), ask(), ask({ patterns: ["b.md"] })]);
    expect(most).toBe(1);
    expect(answers(events)).toHaveLength(2);
  });

  test("stops asking where the call is aborted, and goes on with the next question", async () => {
    const controller = new AbortController();
    const { ask } = gateOf({
      allow: ({ patterns }) => (patterns[0] === "a.md" ? new Promise<boolean>(() => {}) : true),
    });
    const first = ask({ signal: controller.signal });
    const second = ask({ patterns: ["b.md"] });
    setTimeout(() => controller.abort(new Error("left")), 5);
    await expect(first).rejects.toThrow("left");
    await second;
  });
});

describe("a call", () => {
  const setting = (tool: Tool, policy: PermissionPolicy, milliseconds = 5_000) => ({
    runId: "run",
    turn: 1,
    messages: [],
    tools: [tool],
    offered: [tool.name],
    gate: createPermissionGate(policy),
    milliseconds,
    signal: new AbortController().signal,
    emit: () => {},
    shorten: async (text: string) => text,
  });
  const call = { id: "c1", name: "t", input: { a: 1 } };

  test("has as much time as before once a person has thought about it", async () => {
    const tool: Tool = {
      name: "t",
      description: "",
      inputSchema: true,
      execute: async (_, { ask, signal }) => {
        await ask({ permission: "edit", patterns: ["x"] });
        return { text: String(signal.aborted) };
      },
    };
    const policy = { allow: () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 120)) };
    expect(await runCall(call, setting(tool, policy, 60))).toMatchObject({
      outcome: "completed",
      content: "false",
    });
  });

  test("of a tool that asks for nothing is asked about where a rule speaks of it", async () => {
    const tool: Tool = {
      name: "t",
      description: "",
      inputSchema: true,
      execute: async () => ({ text: "ran" }),
    };
    const ask = { permission: "t", action: "ask" } as const;
    const seen: unknown[] = [];
    const allow = (request: AskedPermission) => {
      seen.push(request.patterns);
      return false;
    };
    expect(await runCall(call, setting(tool, { rules: [ask], allow }))).toMatchObject({ outcome: "denied" });
    expect(seen).toEqual([['{"a":1}']]);
    expect(await runCall(call, setting(tool, { allow }))).toMatchObject({ outcome: "completed" });
  });
});

test("a tool that is denied altogether is not offered", async () => {
  const tool = (name: string, permissions: readonly string[]): Tool => ({
    name,
    description: name,
    inputSchema: true,
    permissions,
    execute: async () => ({ text: "" }),
  });
  const model = createScriptedModel({ replies: ["Hello."] });
  const request = {
    messages: [{ role: "user" as const, content: "Hello" }],
    tools: [tool("read_file", ["read"]), tool("write_file", ["edit"]), tool("shell", ["shell"])],
    permissions: {
      rules: [
        { permission: "edit", action: "deny" },
        { permission: "shell", action: "deny" },
        { permission: "shell", pattern: "ls", action: "allow" },
      ] as const,
    },
  };
  const offered: (readonly string[])[] = [];
  for await (const event of runLoop({ model, profile: resolveProfile(fenceProfile) }, request)) {
    if (event.type === "turn-start") offered.push(event.tools);
  }
  expect(offered).toEqual([["read_file", "shell"]]);
});
