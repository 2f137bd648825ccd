// The durable state of runs: sessions in one database, whole outputs beside it, one process at a time for each session.
// Knows nothing of who writes or of what a run does.
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { withFileLock } from "../models/file-lock.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import { openDatabase } from "./database.ts";
import { createOutputFiles } from "./output-files.ts";
import { readCalls, readEvents, readHistory, readRuns, readSummary, summaryColumns } from "./read-rows.ts";
import type { SessionRecord, SessionSummary } from "./records.ts";
import { migrations } from "./schema.ts";
import { openSession, type Session } from "./session.ts";

export interface JournalOptions {
  /** Folder of the database, the outputs and the locks; made where it is missing. */
  readonly folder: string;
  /** Told before, within and after each write. For tests that end the process there. */
  readonly observe?: (step: string) => void;
}

export interface NewSession {
  readonly workspace: string;
  readonly title?: string;
  /** Whose instructions and tools it has. */
  readonly agent?: string;
  readonly parent?: string;
}

export interface HoldOptions {
  readonly signal?: AbortSignal;
  /** What happens where another process holds the session: `wait` for it in turn, or `refuse` with `session-busy`. */
  readonly ifBusy?: "wait" | "refuse";
  /** Told once, where it has to wait. */
  readonly onWait?: (owner: string) => void;
}

export interface Journal {
  createSession(session: NewSession): string;
  /** The latest first. */
  list(): readonly SessionSummary[];
  /** All of a session. Throws `session-unknown`. */
  read(id: string): SessionRecord;
  /** The session whose id begins so. Throws `session-unknown` where there is none or more than one. */
  find(start: string): SessionSummary;
  /** Holds a session while `work` runs; nobody else writes to it meanwhile. Throws `session-unknown`, `session-busy`. */
  withSession<Result>(
    id: string,
    options: HoldOptions,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result>;
  /** Deletes whole sessions with their outputs. Those that a process holds stay; gives the ids that went. */
  prune(ids: readonly string[]): Promise<readonly string[]>;
  close(): void;
}

/** Opens the journal in a folder. Throws `journal-invalid`. */
export function openJournal(options: JournalOptions): Journal {
  const { folder, observe = () => {} } = options;
  const lockFolder = path.join(folder, "locks");
  mkdirSync(lockFolder, { recursive: true });
  const database = openDatabase({ file: path.join(folder, "journal.db"), migrations, observe });
  const files = createOutputFiles(path.join(folder, "outputs"), observe);
  const select = (condition: string, ...values: readonly string[]): readonly SessionSummary[] =>
    database
      .all(`SELECT ${summaryColumns} FROM sessions ${condition} ORDER BY updated DESC, id`, ...values)
      .map(readSummary);
  const get = (id: string): SessionSummary => {
    const [found] = select("WHERE id = ?", id);
    if (found === undefined) throw unknown(id);
    return found;
  };
  const hold = <Result>(id: string, more: HoldOptions, work: () => Promise<Result>): Promise<Result> => {
    const controller = new AbortController();
    const signal =
      more.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, more.signal]);
    const onWait = (owner: string) => {
      if (more.ifBusy !== "refuse") more.onWait?.(owner);
      else controller.abort(new CallwrightError("session-busy", `The session ${id} is in use by ${owner}.`));
    };
    return withFileLock(path.join(lockFolder, `${id}.lock`), { signal, onWait }, work).catch(
      (error: unknown) => {
        // The timer that waits for the lock wraps the reason why it ended.
        if (controller.signal.aborted) throw controller.signal.reason;
        throw error;
      },
    );
  };
  return {
    createSession: ({ workspace, title = "", agent = "", parent }) => {
      const id = randomUUID();
      const at = Date.now();
      database.transaction("session", () => {
        database.run(
          "INSERT INTO sessions (id, created, updated, title, workspace, agent, parent) VALUES (?, ?, ?, ?, ?, ?, ?)",
          id,
          at,
          at,
          title,
          workspace,
          agent,
          parent ?? null,
        );
      });
      return id;
    },
    list: () => select(""),
    find: (start) => {
      const found = select("WHERE substr(id, 1, length(?)) = ?", start, start);
      const [first] = found;
      if (first === undefined || start === "") throw unknown(start);
      if (found.length === 1) return first;
      throw new CallwrightError(
        "session-unknown",
        `"${start}" begins the id of ${found.length} sessions: write more of it.`,
      );
    },
    read: (id) => ({
      ...get(id),
      history: readHistory(database, id),
      calls: readCalls(database, id),
      runs: readRuns(database, id),
      events: readEvents(database, id),
      changes: database
        .all("SELECT call, path, undone FROM changes WHERE session = ? ORDER BY position", id)
        .map((row) => ({ path: String(row.path), callId: String(row.call), undone: row.undone === 1 })),
    }),
    withSession: (id, more, work) => {
      const { workspace } = get(id);
      return hold(id, more, async () => work(openSession({ database, files, id, workspace })));
    },
    prune: async (ids) => {
      const gone: string[] = [];
      for (const id of ids) {
        try {
          await hold(id, { ifBusy: "refuse" }, async () => {
            database.transaction("prune", () => database.run("DELETE FROM sessions WHERE id = ?", id));
            files.removeAll(id);
          });
          gone.push(id);
        } catch (error) {
          if (!(error instanceof CallwrightError && error.code === "session-busy")) throw error;
        }
      }
      return gone;
    },
    close: () => database.close(),
  };
}

function unknown(id: string): CallwrightError {
  return new CallwrightError(
    "session-unknown",
    `There is no session "${id}": callwright sessions list shows them.`,
  );
}
