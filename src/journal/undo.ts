// Which file changes of a session stand and can be taken back, the latest call's first. Touches no file itself.
import type { Database } from "./database.ts";
import { readBlob } from "./read-rows.ts";

export interface RecordedChange {
  readonly callId: string;
  /** Relative to the session's workspace. */
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

export interface Undo {
  /** The changes of the latest call that has any which stand, the latest first; empty where there is none. */
  latest(): readonly RecordedChange[];
  /** Notes that the changes of a call were taken back. */
  markUndone(callId: string): void;
}

export function createUndo(setting: {
  readonly database: Database;
  readonly id: string;
  readonly write: (name: string, work: () => void) => void;
}): Undo {
  const { database, id, write } = setting;
  return {
    latest: () => {
      const rows = database.all(
        `SELECT * FROM changes WHERE session = ? AND undone = 0 AND call = (
          SELECT call FROM changes WHERE session = ? AND undone = 0 ORDER BY position DESC LIMIT 1
        ) ORDER BY position DESC`,
        id,
        id,
      );
      return rows.map((row) => ({
        callId: String(row.call),
        path: String(row.path),
        before: readBlob(row.before),
        after: readBlob(row.after),
      }));
    },
    markUndone: (callId) =>
      write("undo", () => {
        database.run("UPDATE changes SET undone = 1 WHERE session = ? AND call = ?", id, callId);
      }),
  };
}
