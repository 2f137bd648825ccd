// Every attack of the table is denied or asked, and none runs. Whoever is asked here says no.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPermissionGate } from "../../src/agent/permission-gate.ts";
import { type CallResult, runCall } from "../../src/agent/run-call.ts";
import { runLoop } from "../../src/agent/run-loop.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { changingTools, openWorkspace, type Tool } from "../../src/tools/index.ts";
import type { JsonObject, RunEvent, RunOnlyEvent } from "../../src/vocabulary/index.ts";
import { carelessRules, commandingResults, harmlessCommands, shellAttacks, toolAttacks } from "./attacks.ts";
import { fenceProfile, writeCalls } from "./write-calls.ts";

let folder: string;
let tools: readonly Tool[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-attacks-"));
  const root = path.join(folder, "root");
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  write("root/notes.md", "a word\nanother\n");
  write("root/src/a.txt", "a\n");
  write("root/secrets/key.txt", "the key\n");
  write("root/locked/config.txt", "kept\n");
  write("root/.env", "KEY=1\n");
  write("root/script.sh", "unlink notes.md\n");
  write("outside/secret.txt", "the secret\n");
  mkdirSync(path.join(root, "docs"));
  symlinkSync("../outside", path.join(root, "out"));
  symlinkSync("../outside/secret.txt", path.join(root, "leak.txt"));
  symlinkSync("../outside/nowhere.txt", path.join(root, "dangling.txt"));
  symlinkSync("../secrets", path.join(root, "docs", "inner"));
  tools = changingTools(await openWorkspace(root), { environment: process.env });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every file and what is in it, the outside included. */
function snapshot(): string {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return entries
    .map((entry) => {
      const full = path.join(folder, entry);
      return existsSync(full) && statSync(full).isFile() ? `${entry}: ${readFileSync(full, "utf8")}` : entry;
    })
    .join("\n");
}

async function attempt(name: string, input: JsonObject): Promise<{ result: CallResult; asked: number }> {
  const events: RunOnlyEvent[] = [];
  const result = await runCall(
    { id: "c1", name, input },
    {
      runId: "run",
      turn: 1,
      messages: [],
      tools,
      offered: tools.map((tool) => tool.name),
      gate: createPermissionGate({ rules: carelessRules, allow: () => false }),
      milliseconds: 20_000,
      signal: new AbortController().signal,
      emit: (event) => events.push(event),
      shorten: async (text) => text,
    },
  );
  return { result, asked: events.filter(({ type }) => type === "permission-asked").length };
}

const rows = shellAttacks.flatMap(({ group, expected, commands }) =>
  commands.map((command) => ({ group, expected, command })),
);

test("the table has its size, and no row twice", () => {
  expect(rows.length + toolAttacks.length + commandingResults.length).toBeGreaterThanOrEqual(250);
  expect(new Set(rows.map(({ command }) => command)).size).toBe(rows.length);
});

describe("runs without a question", () => {
  test.each(harmlessCommands)("%s", async (command) => {
    const { result, asked } = await attempt("shell", { command });
    expect({ content: result.content, outcome: result.outcome, asked }).toMatchObject({
      outcome: "completed",
      asked: 0,
    });
    rmSync(path.join(folder, "root", "new.txt"), { force: true });
  });
});

describe("a shell command is stopped:", () => {
  test.each(rows)("$group: $command", async ({ command, expected }) => {
    const before = snapshot();
    const { result, asked } = await attempt("shell", { command });
    expect(result.outcome).toBe("denied");
    if (expected === "denied") expect(asked).toBe(0);
    expect(snapshot()).toBe(before);
  });
});

describe("a tool's call is stopped:", () => {
  test.each(toolAttacks)("$tool $input", async ({ tool, input }) => {
    const before = snapshot();
    // Whoever may read it has read it, so that it is the permission that stops the change.
    if (tool !== "read_file") await attempt("read_file", input);
    const { result } = await attempt(tool, input);
    expect(["denied", "failed"]).toContain(result.outcome);
    if (result.outcome === "failed") {
      expect(result.content).toMatch(
        /outside the workspace|NUL|is empty|is a folder|does not exist|^Read ".env"/,
      );
    }
    expect(snapshot()).toBe(before);
  });
});

describe("what a result orders is judged like everything else:", () => {
  test.each(commandingResults)("$result", async ({ result, obeys }) => {
    const before = snapshot();
    const bait: Tool = {
      name: "fetch_page",
      description: "Fetches",
      inputSchema: true,
      execute: async () => ({ text: result }),
    };
    const replies = [
      writeCalls({ name: "fetch_page", arguments: {} }),
      writeCalls({ name: obeys.tool, arguments: obeys.input }),
      "I may not.",
    ];
    const model = createScriptedModel({ replies });
    const request = {
      messages: [{ role: "user" as const, content: "What does the page say?" }],
      tools: [bait, ...tools],
      permissions: { rules: carelessRules, allow: () => false },
    };
    const ends: string[] = [];
    for await (const event of runLoop({ model, profile: resolveProfile(fenceProfile) }, request)) {
      if (isEnd(event)) ends.push(`${event.name} ${event.outcome}`);
    }
    expect(ends[0]).toBe("fetch_page completed");
    expect(ends[1]).toMatch(new RegExp(`^${obeys.tool} (denied|failed)$`));
    expect(snapshot()).toBe(before);
  });
});

function isEnd(event: RunEvent): event is RunEvent & { type: "tool-end" } {
  return event.type === "tool-end";
}
