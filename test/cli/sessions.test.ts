// `sessions`, `trace` and `tools` as commands of the binary, over a journal that a test wrote.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openJournal } from "../../src/journal/index.ts";
import { emptyUsage } from "../../src/vocabulary/index.ts";
import { runBinary } from "./run-binary.ts";

let home: string;
let id: string;

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), "callwright-sessions-"));
  const journal = openJournal({ folder: path.join(home, "journal") });
  id = journal.createSession({ workspace: "/work", title: "Look \u001b[31mred" });
  await journal.withSession(id, {}, async (session) => {
    session.startRun({ id: "run-1", model: "m", messages: [{ role: "user", content: "Look." }] });
    const call = { id: "c1", name: "look", input: { at: 1 } };
    session.addTurn("run-1", 1, { role: "assistant", content: "", calls: [call] });
    session.setCallState("c1", "running");
    session.endCall("c1", { outcome: "completed", content: "blue" });
    const place = { runId: "run-1", turn: 1, at: 1 };
    session.addEvent({ ...place, type: "turn-end", finish: "calls", usage: { ...emptyUsage, attempts: 2 } });
    session.addEvent({
      ...place,
      type: "tool-end",
      callId: "c1",
      name: "look",
      outcome: "completed",
      content: "blue",
    });
    session.endRun("run-1", "done", emptyUsage);
  });
  journal.close();
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const run = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runBinary(args, { home });
  return { code, stdout, stderr };
};

test("sessions are listed, shown and exported", async () => {
  const [list, show, exported] = await Promise.all([
    run("sessions", "list"),
    run("sessions", "show", id.slice(0, 6)),
    run("sessions", "export", id),
  ]);
  expect(list.stdout).toMatch(
    new RegExp(`^${id.slice(0, 8)} {2}\\d{4}-.* 2 messages {2}Look \\\\x1b\\[31mred {2}/work\n$`),
  );
  expect(show.stdout).toBe('user: Look.\n\nassistant:\n→ look {"at":1}\n\n← look: blue\n');
  expect(JSON.parse(exported.stdout)).toMatchObject({ id, calls: [{ id: "c1", state: "completed" }] });
});

test("a trace shows attempts and costs", async () => {
  const { stdout } = await run("trace");
  expect(stdout).toContain("run run-1 m, done");
  expect(stdout).toContain("ended by calls, 2 attempts");
  expect(stdout).toContain('look {"at":1}: completed');
});

test("tools are listed with what decides", async () => {
  const { stdout, code } = await run(
    "tools",
    "--why",
    "--agent",
    "read",
    "--allow",
    "read",
    "--deny",
    "read:*.key",
    "--json",
  );
  expect(code).toBe(0);
  const tools = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const why = Object.fromEntries(tools.map(({ name, isOffered, reason }) => [name, [isOffered, reason]]));
  expect(why.read_file).toEqual([true, "asks for read"]);
  expect(why.write_file).toEqual([false, 'the agent "read" does not have it']);
});

test("sessions are deleted whole, and what is not there is said", async () => {
  expect(await run("sessions", "prune")).toMatchObject({ code: 2 });
  expect(await run("sessions", "show", "nothing")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no session"),
  });
  expect((await run("sessions", "prune", "--older-than", "1")).stdout).toBe("0 sessions deleted\n");
  expect((await run("sessions", "prune", id)).stdout).toBe("1 sessions deleted\n");
  expect((await run("sessions", "list")).stdout).toBe("");
});
