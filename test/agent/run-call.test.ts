import { describe, expect, test } from "vitest";
import { createPermissionGate } from "../../src/agent/permission-gate.ts";
import { type CallSetting, runCall } from "../../src/agent/run-call.ts";
import { runCalls } from "../../src/agent/run-calls.ts";
import { type Tool, ToolFailure } from "../../src/tools/index.ts";
import type { Call, RunOnlyEvent } from "../../src/vocabulary/index.ts";

const tool = (name: string, more: Partial<Tool>): Tool => ({
  name,
  description: name,
  inputSchema: true,
  ...more,
});

function setting(tools: readonly Tool[], more: Partial<CallSetting> = {}) {
  const events: RunOnlyEvent[] = [];
  const made: CallSetting = {
    runId: "run",
    turn: 1,
    messages: [],
    tools,
    offered: tools.map(({ name }) => name),
    gate: createPermissionGate(undefined),
    milliseconds: 5_000,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    shorten: async (text) => text,
    ...more,
  };
  return { setting: made, events };
}

const call = (name: string, id = "c1"): Call => ({ id, name, input: {} });

describe("a call ends in exactly one result", () => {
  test("completed", async () => {
    const given = setting([tool("t", { execute: async () => ({ text: "fine" }) })]);
    expect(await runCall(call("t"), given.setting)).toEqual({ outcome: "completed", content: "fine" });
    expect(given.events.map(({ type }) => type)).toEqual(["tool-start", "tool-end"]);
  });

  test("failed, by the tool's own word", async () => {
    const execute = async () => {
      throw new ToolFailure("No such city.");
    };
    const given = setting([tool("t", { execute })]);
    expect(await runCall(call("t"), given.setting)).toEqual({ outcome: "failed", content: "No such city." });
  });

  test("crashed, where what was thrown has no text", async () => {
    const execute = async () => {
      throw Object.create(null);
    };
    const given = setting([tool("t", { execute })]);
    expect(await runCall(call("t"), given.setting)).toMatchObject({ outcome: "crashed" });
    expect(given.events.map(({ type }) => type)).toEqual(["tool-start", "tool-end"]);
  });

  test("crashed, with one line for the model and the stack elsewhere", async () => {
    const execute = () => {
      throw new Error("boom\nsecond line");
    };
    const given = setting([tool("t", { execute })]);
    const result = await runCall(call("t"), given.setting);
    expect(result).toMatchObject({ outcome: "crashed", content: '"t" crashed: boom' });
    expect(result.metadata?.stack).toContain("second line");
  });

  test("crashed, where the tool returns nothing usable", async () => {
    const given = setting([tool("t", { execute: async () => undefined as never })]);
    expect(await runCall(call("t"), given.setting)).toMatchObject({ outcome: "crashed" });
  });

  test("failed, where there is nothing to execute", async () => {
    const given = setting([tool("t", {})]);
    expect(await runCall(call("t"), given.setting)).toMatchObject({ outcome: "failed" });
  });

  test("stale, where the tool was offered and is gone", async () => {
    const given = setting([], { offered: ["t"] });
    expect(await runCall(call("t"), given.setting)).toMatchObject({ outcome: "stale" });
  });

  test("failed with the names there are, where it was never offered", async () => {
    const given = setting([tool("a", {}), tool("b", {})]);
    const result = await runCall(call("t"), given.setting);
    expect(result).toEqual({ outcome: "failed", content: 'There is no tool "t". Tools: a, b.' });
  });

  test("failed at its deadline, which reaches the tool", async () => {
    let reached = false;
    const execute: NonNullable<Tool["execute"]> = (_, { signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          reached = true;
        });
      });
    const given = setting([tool("t", { execute })], { milliseconds: 20 });
    const result = await runCall(call("t"), given.setting);
    expect(result).toMatchObject({
      outcome: "failed",
      content: expect.stringContaining("longer than 0.02 s"),
    });
    expect(reached).toBe(true);
  });

  test("interrupted, where the run is aborted", async () => {
    const controller = new AbortController();
    const execute = () => {
      controller.abort();
      return new Promise<never>(() => {});
    };
    const given = setting([tool("t", { execute })], { signal: controller.signal });
    expect(await runCall(call("t"), given.setting)).toMatchObject({ outcome: "interrupted" });
    expect(await runCall(call("t"), given.setting)).toMatchObject({ outcome: "interrupted" });
  });

  test("and what the tool says afterwards is not heard", async () => {
    let later = () => {};
    const execute: NonNullable<Tool["execute"]> = async (_, { progress }) => {
      progress("at work");
      later = () => progress("too late");
      return { text: "done" };
    };
    const given = setting([tool("t", { execute })]);
    await runCall(call("t"), given.setting);
    later();
    expect(given.events.map(({ type }) => type)).toEqual(["tool-start", "tool-progress", "tool-end"]);
  });
});

describe("permissions", () => {
  const asking = tool("shell", {
    execute: async (_, { ask }) => {
      await ask({ permission: "shell", patterns: ["git push"] });
      return { text: "pushed" };
    },
  });

  test("are denied where nobody can be asked", async () => {
    const given = setting([asking]);
    const result = await runCall(call("shell"), given.setting);
    expect(result.outcome).toBe("denied");
    expect(given.events.map(({ type }) => type)).toEqual([
      "tool-start",
      "permission-asked",
      "permission-answered",
      "tool-end",
    ]);
  });

  test("that were denied are not asked for again", async () => {
    let asked = 0;
    const gate = createPermissionGate({
      allow: () => {
        asked += 1;
        return false;
      },
    });
    const given = setting([asking], { gate });
    await runCall(call("shell", "c1"), given.setting);
    const again = await runCall(call("shell", "c2"), given.setting);
    expect(again).toMatchObject({ outcome: "denied", content: expect.stringContaining("still denied") });
    expect(asked).toBe(1);
  });

  test("that are given let the call complete", async () => {
    const gate = createPermissionGate({ allow: async ({ tool: name }) => name === "shell" });
    expect(await runCall(call("shell"), setting([asking], { gate }).setting)).toMatchObject({
      outcome: "completed",
    });
  });
});

describe("the calls of one turn", () => {
  /** Runs calls and gives how many were running at most. */
  async function peak(concurrency: Tool["concurrency"], calls: readonly Call[]) {
    let running = 0;
    let most = 0;
    const execute = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return { text: "done" };
    };
    const tools = [tool("t", { execute, ...(concurrency === undefined ? {} : { concurrency }) })];
    const steps = runCalls({
      calls,
      tools,
      run: (one, emit) => runCall(one, setting(tools, { emit }).setting),
    });
    const ends: string[] = [];
    let step = await steps.next();
    for (; !step.done; step = await steps.next())
      if (step.value.type === "tool-end") ends.push(step.value.callId);
    return { most, ends, results: step.value.length };
  }

  const three = ["c1", "c2", "c3"].map((id) => call("t", id));

  test("run one after another unless their tool says otherwise", async () => {
    expect(await peak(undefined, three)).toEqual({ most: 1, ends: ["c1", "c2", "c3"], results: 3 });
    expect(await peak("alone", three)).toMatchObject({ most: 1 });
  });

  test("run side by side where their tool allows it", async () => {
    expect(await peak("parallel", three)).toMatchObject({ most: 3, results: 3 });
  });

  test("run one at a time for the same resource", async () => {
    const calls = ["a", "b", "a"].map((path, at) => ({ id: `c${at}`, name: "t", input: { path } }));
    const resource = (input: { readonly path?: unknown }) => String(input.path);
    expect(await peak({ resource }, calls)).toMatchObject({ most: 2, results: 3 });
  });

  test("are reported while others are still running", async () => {
    const quick = tool("quick", { concurrency: "parallel", execute: async () => ({ text: "quick" }) });
    let finish = () => {};
    const slow = tool("slow", {
      concurrency: "parallel",
      execute: () =>
        new Promise((resolve) => {
          finish = () => resolve({ text: "slow" });
        }),
    });
    const steps = runCalls({
      calls: [call("slow", "c1"), call("quick", "c2")],
      tools: [quick, slow],
      run: (one, emit) => runCall(one, setting([quick, slow], { emit }).setting),
    });
    const ended: string[] = [];
    let step = await steps.next();
    for (; !step.done; step = await steps.next()) {
      if (step.value.type !== "tool-end") continue;
      ended.push(step.value.callId);
      finish();
    }
    expect(ended).toEqual(["c2", "c1"]);
    expect(step.value.map((result) => result.content)).toEqual(["slow", "quick"]);
  });
});
