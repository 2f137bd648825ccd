// An SQLite file in WAL mode: statements, transactions, schema versions. The only file that knows libsql.
// Knows nothing of what the tables mean.
import { createRequire } from "node:module";
import type Libsql from "libsql";
import { CallwrightError } from "../vocabulary/index.ts";

export type SqlValue = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

export interface Database {
  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number };
  all(sql: string, ...values: readonly SqlValue[]): readonly Row[];
  /**
   * All of it or nothing. It survives the process when it returns; the machine's power too where it is `durable`, and with
   * it all that was written before. `name` is for whoever observes.
   */
  transaction<Result>(name: string, work: () => Result, durable?: "durable"): Result;
  close(): void;
}

export interface DatabaseOptions {
  readonly file: string;
  /** The statements that lead from each schema version to the next. */
  readonly migrations: readonly string[];
  /** Told before and after each write, in words. For tests that end the process there. */
  readonly observe?: (step: string) => void;
}

/** Milliseconds to wait for another process's write. */
const busyTimeout = 10_000;

/** Opens or creates the file and brings it to the newest schema. Throws `journal-invalid` where it is newer or no database. */
export function openDatabase(options: DatabaseOptions): Database {
  const { file, migrations, observe = () => {} } = options;
  const database = connect(file);
  const statements = new Map<string, Libsql.Statement<unknown[]>>();
  const prepare = (sql: string): Libsql.Statement<unknown[]> => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = database.prepare(sql) as Libsql.Statement<unknown[]>;
    statements.set(sql, made);
    return made;
  };
  const transaction = <Result>(name: string, work: () => Result, durable?: "durable"): Result => {
    // Within another it is a part of that one.
    if (database.inTransaction) return work();
    observe(`before ${name}`);
    if (durable !== undefined) database.exec("PRAGMA synchronous = FULL");
    database.exec("BEGIN IMMEDIATE");
    let result: Result;
    try {
      result = work();
      observe(`within ${name}`);
      database.exec("COMMIT");
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      throw error;
    } finally {
      if (durable !== undefined) database.exec("PRAGMA synchronous = NORMAL");
    }
    observe(`after ${name}`);
    return result;
  };
  try {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA foreign_keys = ON");
    migrate();
  } catch (cause) {
    database.close();
    if (cause instanceof CallwrightError) throw cause;
    throw new CallwrightError(
      "journal-invalid",
      `"${file}" cannot be used as a journal: ${messageOf(cause)}.`,
      {
        cause,
      },
    );
  }
  return {
    run: (sql, ...values) => ({ changes: prepare(sql).run(...values).changes }),
    all: (sql, ...values) => prepare(sql).all(...values) as readonly Row[],
    transaction,
    close: () => {
      statements.clear();
      database.close();
    },
  };

  function migrate(): void {
    for (;;) {
      const [row] = database.prepare("PRAGMA user_version").all() as readonly Row[];
      const version = Number(row?.user_version);
      if (version > migrations.length) {
        throw new CallwrightError(
          "journal-invalid",
          `"${file}" was written by a newer Callwright (schema ${version}, known: ${migrations.length}): update it.`,
        );
      }
      const next = migrations[version];
      if (next === undefined) return;
      transaction(`migration ${version + 1}`, () => {
        // Another process may have been faster.
        const [now] = database.prepare("PRAGMA user_version").all() as readonly Row[];
        if (Number(now?.user_version) !== version) return;
        for (const statement of next.split(/;\s*\n/).filter((part) => part.trim() !== "")) {
          database.exec(statement);
          observe(`within migration ${version + 1}`);
        }
        database.exec(`PRAGMA user_version = ${version + 1}`);
      });
    }
  }
}

/** The binary is loaded only where there is a journal. */
function connect(file: string): Libsql.Database {
  const requirePackage = createRequire(import.meta.url);
  try {
    const Connection: typeof Libsql = requirePackage("libsql");
    return new Connection(file, { timeout: busyTimeout });
  } catch (cause) {
    throw new CallwrightError(
      "journal-invalid",
      `The journal "${file}" cannot be opened: ${messageOf(cause)}.`,
      {
        cause,
      },
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
