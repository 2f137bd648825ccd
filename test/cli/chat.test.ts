// The chat as a person types it, with a scripted model; the session is read back from the journal afterwards.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createPerson, readAnswer } from "../../src/cli/ask-person.ts";
import { attachFiles } from "../../src/cli/attach-files.ts";
import { talk } from "../../src/cli/chat.ts";
import { describeTrace } from "../../src/cli/describe-trace.ts";
import { openSetup, type WorkspaceOptions } from "../../src/cli/workspace-options.ts";
import { createEngine } from "../../src/engine.ts";
import { openJournal } from "../../src/journal/index.ts";
import { createScriptedModel } from "../../src/models/scripted.ts";
import { openWorkspace, parseRule } from "../../src/tools/index.ts";
import type { RunEvent } from "../../src/vocabulary/index.ts";
import { fenceProfile, writeCalls } from "../agent/write-calls.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-chat-"));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "notes.md"), "milk 2.10\n");
});

const options = (more: Partial<WorkspaceOptions> = {}) => ({
  workspace: folder,
  agent: "build",
  maxSteps: 12,
  ...more,
});
const write = (name: string, content: string) =>
  writeCalls({ name: "write_file", arguments: { path: name, content } });

/** Types lines, each once something has been printed, and gives what was shown and kept. */
async function chat(
  replies: readonly string[],
  typed: readonly (readonly [RegExp, string])[],
  more: Partial<WorkspaceOptions> = {},
) {
  const journal = openJournal({ folder: path.join(folder, ".journal") });
  const model = createScriptedModel({ replies });
  const engine = createEngine({ model, profile: fenceProfile });
  const setup = await openSetup(options(more), {}, () => {});
  const input = new PassThrough();
  const output = new PassThrough();
  const events: RunEvent[] = [];
  let shown = "";
  const waiting = [...typed];
  const look = () => {
    while (waiting[0]?.[0].test(shown)) {
      input.write(`${waiting.shift()?.[1]}\n`);
      shown += "|";
    }
  };
  output.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    look();
  });
  const print = (event: RunEvent) => {
    events.push(event);
    if (event.type === "text-delta") shown += event.text;
    if (event.type === "run-end") shown += `<${event.reason}>`;
    look();
  };
  try {
    const id = journal.list()[0]?.id ?? journal.createSession({ workspace: folder });
    await journal.withSession(id, {}, async (session) => {
      const talking = talk({ engine, options: options(more), setup, session, input, output, print });
      look();
      await talking;
    });
    return { shown, events, record: journal.read(id), left: waiting.length };
  } finally {
    await engine.close();
    await setup.close();
    journal.close();
  }
}

describe("a chat", () => {
  test("asks before a file is changed, and takes the change back", async () => {
    const { shown, record, left } = await chat(
      [write("new.txt", "one\n"), "Written."],
      [
        [/^/, "Write one."],
        [/write_file asks for edit: new\.txt.*\+one.*Allow\?/s, "y"],
        [/Written\.<done>/, "/undo"],
        [/Taken back: new\.txt/, "/undo"],
        [/nothing to take back/, "/exit"],
      ],
    );
    expect(left).toBe(0);
    expect(shown).toContain("Taken back: new.txt");
    expect(() => readFileSync(path.join(folder, "new.txt"))).toThrow();
    expect(record.changes).toEqual([{ path: "new.txt", callId: record.calls[0]?.id, undone: true }]);
    expect(describeTrace(record)).toMatch(
      /asked: edit new\.txt\n\s+answered: once\n\s+write_file .*: completed/,
    );
  });

  test("tells the model of a no, with its reason", async () => {
    const { record } = await chat(
      [write("new.txt", "one\n"), "I did not."],
      [
        [/^/, "Write one."],
        [/Allow\?/, "write to docs instead"],
        [/<done>/, "/exit"],
      ],
    );
    expect(record.calls).toMatchObject([
      { state: "denied", content: expect.stringContaining("write to docs instead") },
    ]);
  });

  test("asks nothing that a rule allows, and remembers always in the workspace", async () => {
    const allowed = await chat(
      [write("a.txt", "x"), "Done."],
      [
        [/^/, "Go."],
        [/<done>/, "/exit"],
      ],
      {
        allow: [{ at: 1, rule: parseRule("edit", "allow") }],
      },
    );
    expect(allowed.shown).not.toContain("Allow?");
    const typed = [
      [/^/, "Go."],
      [/Allow\?/, "a"],
      [/<done>/, "/exit"],
    ] as const;
    await chat([write("b.txt", "x"), "Done."], typed);
    rmSync(path.join(folder, "b.txt"));
    const again = await chat(
      [write("b.txt", "x"), "Done."],
      [
        [/^/, "Go."],
        [/<done>/, "/exit"],
      ],
    );
    expect(again.shown).not.toContain("Allow?");
  });

  test("answers in order what was typed while it was busy", async () => {
    const { record } = await chat(
      ["One.", "Two."],
      [
        [/^/, "first"],
        [/^/, "second"],
        [/One\..*Two\.<done>/s, "/exit"],
      ],
    );
    expect(record.history.map(({ content }) => content).slice(1)).toEqual([
      "first",
      "One.",
      "second",
      "Two.",
    ]);
  });

  test("shows its tools, and goes on after a prompt that fails", async () => {
    const { shown } = await chat(
      [],
      [
        [/^/, "/tools"],
        [/write_file/, "/what"],
        [/There is no \/what/, "hello"],
        [/no text for reply/, "/exit"],
      ],
      {
        deny: [{ at: 1, rule: parseRule("shell", "deny") }],
      },
    );
    expect(shown).toMatch(/- shell {2}built-in: the rule "deny shell"/);
  });
});

describe("answers of a person", () => {
  test.each([
    ["y", "once"],
    [" YES ", "once"],
    ["a", "always"],
    ["n", "no"],
    ["", "no"],
    ["yess", "no"],
    ["not this one", { no: "not this one" }],
  ])("%j", (text, answer) => {
    expect(readAnswer(text, true)).toEqual(answer);
  });

  test("to what is unclear are not remembered", async () => {
    expect(readAnswer("a", false)).toBe("no");
    const written: string[] = [];
    const note = (text: string) => void written.push(text);
    const question = async (text: string) => {
      note(text);
      return "y";
    };
    const person = createPerson({ question }, note);
    const signal = new AbortController().signal;
    const request = {
      callId: "c",
      tool: "shell",
      permission: "shell",
      patterns: ["$x"],
      unclear: "a variable",
      signal,
    };
    expect(await person.allow({ ...request, metadata: { command: "$x \u001b[2J" } })).toBe("once");
    expect(written.join("")).toContain("not all of it can be told beforehand: a variable");
    expect(written.join("")).toContain("$ $x \\x1b[2J");
    expect(written.join("")).not.toContain("[a]lways");
  });

  test("to a model's question may be a number", async () => {
    const signal = new AbortController().signal;
    for (const [given, answer] of [
      ["2", "blue"],
      ["green", "green"],
      ["", undefined],
    ] as const) {
      const person = createPerson({ question: async () => given }, () => {});
      expect(await person.answer({ question: "Which?", options: ["red", "blue"], signal })).toBe(answer);
    }
  });
});

describe("files in a prompt", () => {
  test("are added once, within the workspace, and words stay words", async () => {
    const workspace = await openWorkspace(folder);
    writeFileSync(path.join(folder, "a b.txt"), "spaced");
    writeFileSync(path.join(folder, "image.bin"), new Uint8Array([0, 1]));
    expect(
      await attachFiles(
        'What is in @notes.md and @"a b.txt"? Ask @kim, me@notes.md',
        ["notes.md"],
        workspace,
      ),
    ).toBe(
      'What is in @notes.md and @"a b.txt"? Ask @kim, me@notes.md\n\n[notes.md]\nmilk 2.10\n\n\n[a b.txt]\nspaced',
    );
    expect(await attachFiles("@image.bin", [], workspace)).toContain("2 bytes, no text");
    expect(await attachFiles("@../secret", [], workspace)).toBe("@../secret");
    await expect(attachFiles("x", ["../secret"], workspace)).rejects.toMatchObject({
      code: "file-unreadable",
    });
  });
});

describe("what a workspace brings", () => {
  test("is loaded only where somebody said so", async () => {
    const agents = path.join(folder, ".callwright", "agents");
    const tools = path.join(folder, ".callwright", "tools");
    for (const made of [agents, tools]) (await import("node:fs")).mkdirSync(made, { recursive: true });
    writeFileSync(
      path.join(agents, "clerk.json"),
      '{ "system": "You file.", "tools": ["mine"], "rules": ["deny edit"] }',
    );
    writeFileSync(
      path.join(tools, "mine.mjs"),
      'export default { name: "mine", description: "d", inputSchema: { type: "object" }, execute: async () => ({ text: "" }) };',
    );
    await expect(openSetup(options({ agent: "clerk" }), {}, () => {})).rejects.toThrow("--project");
    const plain = await openSetup(options(), {}, () => {});
    expect(plain.sources({}).find(({ name }) => name === "project")?.tools).toEqual([]);
    const setup = await openSetup(options({ agent: "clerk", project: true }), {}, () => {});
    expect(setup.agent).toMatchObject({ system: "You file.", tools: ["mine"] });
    expect(setup.rules).toEqual([{ permission: "edit", pattern: "*", action: "deny" }]);
  });

  test.each([
    ["{}", "system"],
    ['{ "system": "x", "rules": ["maybe edit"] }', "allow, ask or deny"],
    ['{ "system": "x", "tools": "all" }', "tools"],
  ])("is refused where it is wrong: %s", async (text, reason) => {
    const agents = path.join(folder, ".callwright", "agents");
    (await import("node:fs")).mkdirSync(agents, { recursive: true });
    writeFileSync(path.join(agents, "clerk.json"), text);
    await expect(openSetup(options({ agent: "clerk", project: true }), {}, () => {})).rejects.toThrow(reason);
  });
});
