// The loop cases that end a process half-way and go on: each with a journal, a process's death being a fresh opening.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type AskedPermission, type RunRequest, runLoop } from "../../src/agent/index.ts";
import { openJournal, type Session } from "../../src/journal/index.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import type { Tool } from "../../src/tools/index.ts";
import type { JsonObject, JsonSchema, RunEvent } from "../../src/vocabulary/index.ts";
import { fenceProfile, type WrittenCall, writeCalls } from "./write-calls.ts";

interface DurableCase {
  readonly input: {
    readonly user?: string;
    readonly tools: readonly {
      readonly function: { readonly name: string; readonly parameters: JsonSchema };
    }[];
    readonly modelScript: readonly (
      | { readonly text: string }
      | { readonly call: WrittenCall }
      | { readonly calls: readonly WrittenCall[] }
    )[];
    readonly store?: readonly {
      readonly type: string;
      readonly text?: string;
      readonly id?: string;
      readonly name?: string;
      readonly arguments?: JsonObject;
      readonly error?: string;
    }[];
  };
  readonly expected: Readonly<Record<string, unknown>>;
}

const readCase = (id: string): DurableCase =>
  JSON.parse(readFileSync(new URL(`../cases/${id}.json`, import.meta.url), "utf8"));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-durable-"));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

const written = ({ input }: DurableCase) =>
  input.modelScript.map((turn) => {
    if ("text" in turn) return turn.text;
    return "call" in turn ? writeCalls(turn.call) : writeCalls(...turn.calls);
  });

/** A process of its own: opens the journal, holds the session, does something, and is gone. */
async function inProcess<Result>(work: (session: Session, id: string) => Promise<Result>): Promise<Result> {
  const journal = openJournal({ folder });
  try {
    const id = journal.list()[0]?.id ?? journal.createSession({ workspace: "/" });
    return await journal.withSession(id, {}, (session) => work(session, id));
  } finally {
    journal.close();
  }
}

function read() {
  const journal = openJournal({ folder });
  try {
    return journal.read(journal.list()[0]?.id ?? "");
  } finally {
    journal.close();
  }
}

async function run(
  replies: readonly string[],
  request: Omit<RunRequest, "messages"> & { readonly prompt?: string },
) {
  const model = createScriptedModel({ replies });
  const { prompt, ...rest } = request;
  const messages = prompt === undefined ? [] : [{ role: "user" as const, content: prompt }];
  const events: RunEvent[] = [];
  for await (const event of runLoop(
    { model, profile: resolveProfile(fenceProfile) },
    { messages, ...rest },
  )) {
    events.push(event);
  }
  return {
    events,
    prompts: model.requests.map(({ prompt: parts }) => parts.map(({ text }) => text).join("")),
  };
}

/** A process that dies within a tool or a question: nothing after it is ever reached. */
const death = () => new Promise<never>(() => {});

/** Reads a run until an event, and leaves it as a killed process does: nothing more is written. */
async function runUntil(isThere: () => boolean, start: () => Promise<unknown>): Promise<void> {
  void start();
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function toolsOf(
  { input }: DurableCase,
  execute: (name: string) => Tool["execute"],
  asks: readonly string[] = [],
) {
  return input.tools.map(({ function: { name, parameters } }): Tool => {
    const own = execute(name);
    return {
      name,
      description: name,
      inputSchema: parameters,
      ...(asks.includes(name) ? { permissions: [name] } : {}),
      ...(own === undefined ? {} : { execute: own }),
    };
  });
}

/** The journal of a process that is still "running" is opened by the next: its lock is taken from it. */
function forgetLocks(): void {
  rmSync(path.join(folder, "locks"), { recursive: true, force: true });
}

describe("durable case", () => {
  test("u089-crash-after-effect", async () => {
    const given = readCase("u089-crash-after-effect");
    let executions = 0;
    let asked = 0;
    let isDead = false;
    const allow = () => {
      asked += 1;
      return true;
    };
    const tools = toolsOf(
      given,
      () => async (input, context) => {
        await context.ask({ permission: "send_mail", patterns: [String(input.to)] });
        executions += 1;
        // It returned; the process dies before the result is stored.
        isDead = true;
        return death();
      },
      ["send_mail"],
    );
    await runUntil(
      () => isDead,
      () =>
        inProcess((session) =>
          run(written(given), { prompt: given.input.user ?? "", tools, session, permissions: { allow } }),
        ),
    );
    expect(read().calls.map(({ state }) => state)).toEqual(["running"]);
    forgetLocks();
    const resumed = await inProcess((session) =>
      run(written(given).slice(1), { tools, session, permissions: { allow } }),
    );
    expect(executions).toBe(given.expected.toolExecutions);
    expect(asked - 1).toBeLessThanOrEqual(Number(given.expected.promptsToUserAfterResumeMax));
    expect(resumed.prompts[0]).toContain(given.expected.resultToModelMentions);
    expect(read().calls).toMatchObject([{ state: "interrupted" }]);
    expect(read().history.at(-1)?.content).toBe("Sent, please check.");
  });

  test("u090-dangling-call-on-resume", async () => {
    const given = readCase("u090-dangling-call-on-resume");
    await inProcess(async (session) => store(session, given));
    const tools = toolsOf(given, () => () => Promise.reject(new Error("it must not run")));
    const { prompts } = await inProcess((session) =>
      run(written(given), { prompt: "Go on", tools, session }),
    );
    const { history, calls } = read();
    const ids = history.flatMap((message) =>
      message.role === "tool" ? [[message.callId, message.isError]] : [],
    );
    expect(ids).toEqual([["c1", true]]);
    expect(prompts[0]).toContain("Not run: interrupted before it began.");
    expect(calls).toMatchObject([{ id: "c1", state: "interrupted" }]);
  });

  test("u091-one-result-per-call", async () => {
    const given = readCase("u091-one-result-per-call");
    await inProcess(async (session) => store(session, given));
    let executions = 0;
    const tools = toolsOf(given, () => async () => {
      executions += 1;
      return { text: "" };
    });
    await inProcess((session) => run(written(given), { tools, session }));
    // The second time there is nothing left to do.
    await expect(inProcess((session) => run(written(given), { tools, session }))).rejects.toThrow(
      "nothing left to do",
    );
    const results = read().history.filter((message) => message.role === "tool");
    expect(results).toMatchObject([{ callId: "c1" }]);
    expect(executions).toBe(given.expected.toolExecutions);
    expect(read().runs.at(-1)?.reason).toBe("done");
  });

  test("u092-parallel-mixed-approval", async () => {
    const given = readCase("u092-parallel-mixed-approval");
    const executed: string[] = [];
    let isAsking = false;
    const tools = toolsOf(
      given,
      (name) => async (_, context) => {
        if (name === "write_file") await context.ask({ permission: name, patterns: ["b.txt"] });
        executed.push(name);
        return { text: "hello" };
      },
      ["write_file"],
    );
    const firstAllow = (_: AskedPermission) => {
      isAsking = true;
      return death();
    };
    await runUntil(
      () => isAsking,
      () =>
        inProcess((session) =>
          run(written(given), {
            prompt: given.input.user ?? "",
            tools,
            session,
            parallel: true,
            permissions: { allow: firstAllow },
          }),
        ),
    );
    const before = read().calls;
    expect(before.map(({ state }) => state)).toEqual(["completed", "validated"]);
    forgetLocks();
    await inProcess((session) =>
      run(written(given).slice(1), { tools, session, permissions: { allow: () => true } }),
    );
    const { calls, history } = read();
    expect(executed).toEqual(["read_file", "write_file"]);
    expect(calls.map(({ id, state }) => [id, state])).toEqual(before.map(({ id }) => [id, "completed"]));
    expect(history.filter(({ role }) => role === "tool")).toHaveLength(2);
    expect(history.at(-1)?.content).toBe("Copied.");
  });
});

/** Writes what the case says a process left behind. */
function store(session: Session, { input }: DurableCase): void {
  for (const entry of input.store ?? []) {
    if (entry.type === "user") {
      session.startRun({ id: "run", model: "m", messages: [{ role: "user", content: entry.text ?? "" }] });
    } else if (entry.type === "call") {
      const call = { id: entry.id ?? "", name: entry.name ?? "", input: entry.arguments ?? {} };
      session.addTurn("run", 1, { role: "assistant", content: "", calls: [call] });
      if ("state" in entry && entry.state === "requested") session.setCallState(call.id, "requested");
      else session.setCallState(call.id, "running");
    } else
      session.endCall(entry.id ?? "", { outcome: "interrupted", content: "Interrupted: outcome unknown." });
  }
}
