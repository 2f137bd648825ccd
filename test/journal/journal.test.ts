import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Journal, openJournal, type Session } from "../../src/journal/index.ts";
import { type AssistantMessage, CallwrightError, emptyUsage } from "../../src/vocabulary/index.ts";

let folder: string;
let journal: Journal;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-journal-"));
  journal = openJournal({ folder });
  const [made, opened] = [folder, () => journal];
  onTestFinished(() => {
    opened().close();
    rmSync(made, { recursive: true, force: true });
  });
});

/** What a process that died leaves: the same folder, opened anew. */
function reopen(): void {
  journal.close();
  journal = openJournal({ folder });
}

const create = () => journal.createSession({ workspace: "/work", title: "a title" });
const use = <Result>(id: string, work: (session: Session) => Result) =>
  journal.withSession(id, { ifBusy: "refuse" }, async (session) => work(session));

const turn = (...ids: readonly string[]): AssistantMessage => ({
  role: "assistant",
  content: "I look.",
  reasoning: "Hm.",
  calls: ids.map((id) => ({ id, name: "look", input: { id } })),
});

function begin(session: Session, ...ids: readonly string[]): void {
  session.startRun({ id: "run", model: "m", messages: [{ role: "user", content: "Look." }] });
  session.addTurn("run", 1, turn(...ids));
}

describe("a session", () => {
  test("gives back its messages, each call with its one result, in the order of the calls", async () => {
    const id = create();
    await use(id, (session) => {
      begin(session, "c2", "c1");
      session.setCallState("c1", "running");
      session.endCall("c1", { outcome: "completed", content: "one", metadata: { lines: 1 } });
      session.endCall("c2", { outcome: "failed", content: "two" });
      session.addMessage("run", 1, { role: "user", content: "Go on." });
      session.addTurn("run", 2, { role: "assistant", content: "Done." });
      session.endRun("run", "done", emptyUsage);
    });
    reopen();
    const record = journal.read(id);
    expect(record.history).toEqual([
      { role: "user", content: "Look." },
      turn("c2", "c1"),
      { role: "tool", callId: "c2", name: "look", content: "two", isError: true },
      { role: "tool", callId: "c1", name: "look", content: "one" },
      { role: "user", content: "Go on." },
      { role: "assistant", content: "Done." },
    ]);
    expect(record).toMatchObject({ title: "a title", workspace: "/work", open: 0, messages: 4 });
    expect(record.calls.map(({ state }) => state)).toEqual(["failed", "completed"]);
    expect(record.calls[1]?.metadata).toEqual({ lines: 1 });
    expect(record.runs).toMatchObject([{ id: "run", reason: "done" }]);
  });

  test("lets a call have one end, and no state after it", async () => {
    const id = create();
    await use(id, (session) => {
      begin(session, "c1");
      session.endCall("c1", { outcome: "completed", content: "one" });
      expect(() => session.endCall("c1", { outcome: "failed", content: "two" })).toThrow(
        "has a result already",
      );
      expect(() => session.setCallState("c1", "running")).toThrow("is further already");
      session.addTurn("run", 2, turn("c2"));
      session.setCallState("c2", "running");
      expect(() => session.setCallState("c2", "allowed")).toThrow("is further already");
      expect(() => session.endCall("c9", { outcome: "failed", content: "" })).toThrow();
      expect(() => session.addTurn("run", 3, turn("c1"))).toThrow();
    });
    // What was refused left nothing half written.
    expect(journal.read(id).messages).toBe(3);
  });

  test("marks what was running when its process died as interrupted, and keeps what had not begun", async () => {
    const id = create();
    await use(id, (session) => {
      begin(session, "c1", "c2", "c3");
      session.endCall("c1", { outcome: "completed", content: "one" });
      session.setCallState("c2", "running");
    });
    reopen();
    const before = journal.read(id);
    expect(before.calls.map(({ state }) => state)).toEqual(["completed", "running", "validated"]);
    await use(id, (session) => {
      expect(session.pendingCalls().map((call) => call.id)).toEqual(["c3"]);
      expect(session.history().slice(2)).toMatchObject([
        { callId: "c1", content: "one" },
        { callId: "c2", content: expect.stringContaining("outcome unknown"), isError: true },
        { callId: "c3", content: "Not run: interrupted before it began.", isError: true },
      ]);
      session.dropPendingCalls();
      expect(session.pendingCalls()).toEqual([]);
    });
    expect(journal.read(id).calls.map(({ state }) => state)).toEqual([
      "completed",
      "interrupted",
      "interrupted",
    ]);
  });

  test("keeps events but for those that pass by, without the texts that stand elsewhere", async () => {
    const id = create();
    await use(id, (session) => {
      const place = { runId: "run", turn: 1, at: 1 };
      session.addEvent({ ...place, type: "text-delta", text: "a" });
      session.addEvent({ ...place, type: "notice", code: "x", text: "y" });
      session.addEvent({
        ...place,
        type: "tool-end",
        callId: "c",
        name: "n",
        outcome: "completed",
        content: "secret",
      });
      begin(session);
    });
    const { events } = journal.read(id);
    expect(events.map(({ type }) => type)).toEqual(["notice", "tool-end"]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("keeps whole outputs by handle, beyond the process", async () => {
    const id = create();
    const text = "long\n".repeat(10_000);
    await use(id, (session) => {
      begin(session, "c1", "c2");
      expect(session.keepOutput("c1", text).handle).toBe("r1");
      expect(session.keepOutput("c2", "é").handle).toBe("r2");
    });
    reopen();
    await use(id, (session) => {
      expect(session.readOutput("r1")).toBe(text);
      expect(session.readOutput("r9")).toBeUndefined();
      expect(session.readOutput("../../journal.db")).toBeUndefined();
      expect(session.outputs().map(({ callId }) => callId)).toEqual(["c1", "c2"]);
    });
  });

  test("remembers approvals for its workspace, not for others", async () => {
    const id = create();
    await use(id, (session) =>
      session.approvals.add([{ permission: "shell", pattern: "git status", action: "allow" }]),
    );
    const other = journal.createSession({ workspace: "/elsewhere" });
    await use(create(), (session) =>
      expect(session.approvals.list()).toEqual([
        { permission: "shell", pattern: "git status", action: "allow" },
      ]),
    );
    await use(other, (session) => expect(session.approvals.list()).toEqual([]));
  });
});

describe("two holders of one session", () => {
  test("are refused or queued, never interleaved", async () => {
    const id = create();
    let release = () => {};
    const first = journal.withSession(
      id,
      {},
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    await expect(use(id, () => 1)).rejects.toMatchObject({ code: "session-busy" });
    const order: string[] = [];
    const second = journal.withSession(id, { onWait: () => order.push("waits") }, async () =>
      order.push("second"),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push("first ends");
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(["waits", "first ends", "second"]);
  });

  test("a holder whose process died holds nothing", async () => {
    const id = create();
    const dead = spawnSync(process.execPath, ["-e", ""]);
    const owner = { process: dead.pid, host: os.hostname(), token: "t" };
    writeFileSync(path.join(folder, "locks", `${id}.lock`), JSON.stringify(owner));
    expect(await use(id, () => "held")).toBe("held");
  });

  test("a holder in another process is seen", async () => {
    const id = create();
    const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
    onTestFinished(() => void other.kill());
    const owner = { process: other.pid, host: os.hostname(), token: "t" };
    writeFileSync(path.join(folder, "locks", `${id}.lock`), JSON.stringify(owner));
    await expect(use(id, () => 1)).rejects.toThrow(`in use by process ${other.pid}`);
  });
});

describe("the journal", () => {
  test("finds sessions by the beginning of their id and lists the latest first", async () => {
    const [a, b] = [create(), create()];
    await new Promise((resolve) => setTimeout(resolve, 5));
    await use(a, (session) => begin(session));
    expect(journal.list().map(({ id }) => id)).toEqual([a, b]);
    expect(journal.find(a.slice(0, 20)).id).toBe(a);
    for (const wrong of ["", "nothing"]) expect(() => journal.find(wrong)).toThrow(CallwrightError);
  });

  test("deletes whole sessions, but none that is held", async () => {
    const [a, b] = [create(), create()];
    await use(a, (session) => {
      begin(session, "c1");
      session.keepOutput("c1", "text");
    });
    await use(b, async () => {
      expect(await journal.prune([a, b])).toEqual([a]);
    });
    await journal.withSession(b, {}, async () => {
      expect(await journal.prune([b])).toEqual([]);
    });
    expect(journal.list().map(({ id }) => id)).toEqual([b]);
    expect(readdirSync(path.join(folder, "outputs"))).toEqual([]);
    expect(() => journal.read(a)).toThrow(CallwrightError);
  });

  test("goes from an older schema to the newest, and refuses a newer one", async () => {
    const { openDatabase } = await import("../../src/journal/database.ts");
    const { migrations } = await import("../../src/journal/schema.ts");
    const file = path.join(folder, "old", "journal.db");
    const { mkdirSync } = await import("node:fs");
    mkdirSync(path.dirname(file));
    const old = openDatabase({ file, migrations: migrations.slice(0, 1) });
    old.run(
      "INSERT INTO sessions (id, created, updated, title, workspace, agent) VALUES ('s', 1, 1, 'kept', '/w', '')",
    );
    old.close();
    const now = openJournal({ folder: path.dirname(file) });
    expect(now.read("s")).toMatchObject({ title: "kept", changes: [] });
    now.close();
    expect(() => openDatabase({ file, migrations: migrations.slice(0, 1) })).toThrow("newer Callwright");
  });

  test("that is no database is said", () => {
    const broken = mkdtempSync(path.join(os.tmpdir(), "callwright-journal-"));
    writeFileSync(
      path.join(broken, "journal.db"),
      "this is no database, but it is long enough to look like a file",
    );
    expect(() => openJournal({ folder: broken })).toThrow(CallwrightError);
    rmSync(broken, { recursive: true, force: true });
  });
});
