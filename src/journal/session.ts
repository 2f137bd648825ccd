// One session that this process holds: what happens in it is written here before it is acted on.
// Nothing that was written is changed, but for a call's state, which only goes forward to one end.
// Long because it is one list of what may be written, each statement beside its promise.
import type { PermissionRule } from "../tools/index.ts";
import type {
  AssistantMessage,
  Call,
  JsonObject,
  Message,
  RunEvent,
  SystemMessage,
  Usage,
  UserMessage,
} from "../vocabulary/index.ts";
import type { Database } from "./database.ts";
import type { OutputFiles } from "./output-files.ts";
import { readCalls, readHistory } from "./read-rows.ts";
import { type CallEnd, type CallState, neverBegan, outcomeUnknown } from "./records.ts";
import { createUndo, type RecordedChange, type Undo } from "./undo.ts";

export interface CallOutcome {
  readonly outcome: CallEnd;
  /** What the model is told. */
  readonly content: string;
  readonly metadata?: JsonObject;
}

export interface KeptOutput {
  readonly handle: string;
  readonly callId: string;
  readonly characters: number;
}

export interface Session {
  readonly id: string;
  /** As a model may be shown it: every call with one result. */
  history(): readonly Message[];
  /** Calls that were made and have not begun, in their order. */
  pendingCalls(): readonly Call[];
  /** Gives the calls that have not begun their end: they are not run any more. */
  dropPendingCalls(): void;
  startRun(run: { readonly id: string; readonly model: string; readonly messages: readonly Message[] }): void;
  /** A message to the model within a run. */
  addMessage(runId: string, turn: number, message: UserMessage | SystemMessage): void;
  /** What the model answered, with its calls, before any of them is run. */
  addTurn(runId: string, turn: number, message: AssistantMessage): void;
  setCallState(callId: string, state: Exclude<CallState, CallEnd>): void;
  /** Throws where the call has an end already. */
  endCall(callId: string, outcome: CallOutcome): void;
  endRun(runId: string, reason: string, usage: Usage): void;
  /** Kept for traces; written with what is written next. */
  addEvent(event: RunEvent): void;
  /** Keeps a whole text; gives its handle. */
  keepOutput(callId: string, text: string): KeptOutput;
  outputs(): readonly KeptOutput[];
  readOutput(handle: string): string | undefined;
  recordChange(change: RecordedChange): void;
  readonly undo: Undo;
  /** What people said *always* to in this workspace. */
  readonly approvals: { list(): readonly PermissionRule[]; add(rules: readonly PermissionRule[]): void };
}

/** From which states each state may be reached: a call that may have had an effect never counts as one that had none. */
const before: Readonly<Record<Exclude<CallState, CallEnd>, readonly CallState[]>> = {
  requested: ["requested", "validated"],
  validated: ["requested", "validated"],
  allowed: ["requested", "validated", "allowed"],
  running: ["requested", "validated", "allowed", "running"],
};

/** Events that say nothing that is not in other rows, or that only pass by. */
const passing: ReadonlySet<RunEvent["type"]> = new Set([
  "reasoning-delta",
  "text-delta",
  "call-delta",
  "prefill-progress",
  "tool-progress",
]);

export interface SessionSetting {
  readonly database: Database;
  readonly files: OutputFiles;
  readonly id: string;
  readonly workspace: string;
}

/** Opens a session that nobody else holds: what was running when its last holder died is interrupted now. */
export function openSession(setting: SessionSetting): Session {
  const { database, files, id, workspace } = setting;
  let position = nextPosition("messages");
  let eventPosition = nextPosition("events");
  let waiting: string[] = [];
  const write = <Result>(name: string, work: () => Result, durable?: "durable"): Result =>
    database.transaction(
      name,
      () => {
        const result = work();
        for (const event of waiting) {
          database.run("INSERT INTO events VALUES (?, ?, ?)", id, eventPosition, event);
          eventPosition += 1;
        }
        waiting = [];
        database.run("UPDATE sessions SET updated = ? WHERE id = ?", Date.now(), id);
        return result;
      },
      durable,
    );
  recover();
  return {
    id,
    history: () => readHistory(database, id),
    pendingCalls: () =>
      readCalls(database, id)
        .filter(({ state }) => state === "requested" || state === "validated" || state === "allowed")
        .map((call) => ({ id: call.id, name: call.name, input: call.input })),
    dropPendingCalls: () =>
      write("dropped calls", () => {
        database.run(
          `UPDATE calls SET state = 'interrupted', content = ?, updated = ?
            WHERE session = ? AND state IN ('requested', 'validated', 'allowed')`,
          neverBegan,
          Date.now(),
          id,
        );
      }),
    startRun: (run) =>
      write("run start", () => {
        const at = Date.now();
        database.run(
          "INSERT INTO runs (id, session, model, started) VALUES (?, ?, ?, ?)",
          run.id,
          id,
          run.model,
          at,
        );
        for (const message of run.messages) insert(run.id, 0, message);
      }),
    addMessage: (runId, turn, message) => write("message", () => insert(runId, turn, message)),
    addTurn: (runId, turn, message) => write("turn", () => insert(runId, turn, message)),
    // What may have an effect from now on has to be known even where the power fails.
    setCallState: (callId, state) => {
      const mark = () => {
        const { changes } = database.run(
          `UPDATE calls SET state = ?, updated = ?
            WHERE session = ? AND id = ? AND state IN (SELECT value FROM json_each(?))`,
          state,
          Date.now(),
          id,
          callId,
          JSON.stringify(before[state]),
        );
        if (changes !== 1)
          throw new Error(`The call "${callId}" is further already and cannot become ${state}.`);
      };
      write(`call ${state}`, mark, state === "running" ? "durable" : undefined);
    },
    endCall: (callId, { outcome, content, metadata }) =>
      write(`call ${outcome}`, () => {
        const { changes } = database.run(
          `UPDATE calls SET state = ?, content = ?, metadata = ?, updated = ?
            WHERE session = ? AND id = ? AND state IN ('requested', 'validated', 'allowed', 'running')`,
          outcome,
          content,
          metadata === undefined ? null : JSON.stringify(metadata),
          Date.now(),
          id,
          callId,
        );
        if (changes !== 1) throw new Error(`The call "${callId}" has a result already.`);
      }),
    endRun: (runId, reason, usage) =>
      write("run end", () => {
        database.run(
          "UPDATE runs SET ended = ?, reason = ?, usage = ? WHERE id = ?",
          Date.now(),
          reason,
          JSON.stringify(usage),
          runId,
        );
      }),
    addEvent: (event) => {
      if (!passing.has(event.type)) waiting.push(JSON.stringify(withoutTexts(event)));
    },
    keepOutput: (callId, text) => {
      const [row] = database.all("SELECT count(*) AS count FROM outputs WHERE session = ?", id);
      const handle = `r${Number(row?.count) + 1}`;
      files.write(id, handle, text);
      write("output", () => {
        database.run("INSERT INTO outputs VALUES (?, ?, ?, ?)", id, handle, callId, text.length);
      });
      return { handle, callId, characters: text.length };
    },
    outputs: () =>
      database
        .all("SELECT * FROM outputs WHERE session = ? ORDER BY length(handle), handle", id)
        .map((row) => ({
          handle: String(row.handle),
          callId: String(row.call),
          characters: Number(row.characters),
        })),
    readOutput: (handle) => {
      const known = database.all("SELECT 1 FROM outputs WHERE session = ? AND handle = ?", id, handle);
      return known.length === 0 ? undefined : files.read(id, handle);
    },
    recordChange: (change) => {
      const keep = () => {
        database.run(
          "INSERT INTO changes (session, position, call, path, before, after) VALUES (?, ?, ?, ?, ?, ?)",
          id,
          nextPosition("changes"),
          change.callId,
          change.path,
          change.before,
          change.after,
        );
      };
      write("change", keep, "durable");
    },
    undo: createUndo({ database, id, write }),
    approvals: {
      list: () =>
        database
          .all("SELECT permission, pattern FROM approvals WHERE workspace = ? ORDER BY id", workspace)
          .map((row) => ({
            permission: String(row.permission),
            pattern: String(row.pattern),
            action: "allow" as const,
          })),
      add: (rules) =>
        write("approval", () => {
          for (const { permission, pattern = "*" } of rules) {
            database.run(
              "INSERT INTO approvals (workspace, permission, pattern, session, at) VALUES (?, ?, ?, ?, ?)",
              workspace,
              permission,
              pattern,
              id,
              Date.now(),
            );
          }
        }),
    },
  };

  function nextPosition(table: "messages" | "events" | "changes"): number {
    const [row] = database.all(
      `SELECT coalesce(max(position), 0) + 1 AS next FROM ${table} WHERE session = ?`,
      id,
    );
    return Number(row?.next);
  }

  function recover(): void {
    const open = database.all("SELECT 1 FROM calls WHERE session = ? AND state = 'running' LIMIT 1", id);
    if (open.length === 0) return;
    write("recovery", () => {
      database.run(
        "UPDATE calls SET state = 'interrupted', content = ?, updated = ? WHERE session = ? AND state = 'running'",
        outcomeUnknown,
        Date.now(),
        id,
      );
    });
  }

  function insert(runId: string, turn: number, message: Message): void {
    if (message.role === "tool") {
      throw new TypeError("Results are written with their calls, not as messages of their own.");
    }
    const at = Date.now();
    database.run(
      "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)",
      id,
      position,
      runId,
      turn,
      message.role,
      at,
    );
    for (const [index, part] of partsOf(message).entries()) {
      database.run("INSERT INTO parts VALUES (?, ?, ?, ?, ?)", id, position, index, part.type, part.text);
    }
    for (const call of message.role === "assistant" ? (message.calls ?? []) : []) {
      database.run(
        "INSERT INTO calls (session, id, message, name, input, state, updated) VALUES (?, ?, ?, ?, ?, 'validated', ?)",
        id,
        call.id,
        position,
        call.name,
        JSON.stringify(call.input),
        at,
      );
    }
    position += 1;
  }
}

interface Part {
  readonly type: "text" | "reasoning" | "call";
  readonly text: string;
}

function partsOf(message: AssistantMessage | UserMessage | SystemMessage): readonly Part[] {
  const text: readonly Part[] = message.content === "" ? [] : [{ type: "text", text: message.content }];
  if (message.role !== "assistant") return text;
  const { reasoning, calls = [] } = message;
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning } as const]),
    ...text,
    ...calls.map((call) => ({ type: "call", text: call.id }) as const),
  ];
}

/** What a call was given and gave stands in its own row. */
function withoutTexts(event: RunEvent): object {
  if (event.type === "tool-start") return { ...event, input: {} };
  if (event.type !== "tool-end") return event;
  const { content, metadata: _metadata, ...rest } = event;
  return { ...rest, content: "", characters: content.length };
}
