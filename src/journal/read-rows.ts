// Reads rows of the journal as records. The history is always one that a model may be shown: every call in it has one
// result, right behind the message that made it.
import {
  type AssistantMessage,
  isJsonObject,
  type JsonObject,
  type Message,
  type RunEvent,
  type ToolMessage,
} from "../vocabulary/index.ts";
import type { Database, Row } from "./database.ts";
import {
  type CallRecord,
  type CallState,
  neverBegan,
  outcomeUnknown,
  type RunRecord,
  type SessionSummary,
} from "./records.ts";

/** The messages of a session. Calls without an end are given the result that says so. */
export function readHistory(database: Database, session: string): readonly Message[] {
  const parts = groupBy(
    database.all("SELECT * FROM parts WHERE session = ? ORDER BY message, position", session),
    (row) => Number(row.message),
  );
  const calls = groupBy(readCallRows(database, session), (row) => Number(row.message));
  const messages = database.all("SELECT * FROM messages WHERE session = ? ORDER BY position", session);
  return messages.flatMap((row) => {
    const position = Number(row.position);
    return readMessage(
      String(row.role),
      parts.get(position) ?? [],
      (calls.get(position) ?? []).map(readCall),
    );
  });
}

/** The calls of a session, in the order in which they were made. */
export function readCalls(database: Database, session: string): readonly CallRecord[] {
  return readCallRows(database, session).map(readCall);
}

export function readRuns(database: Database, session: string): readonly RunRecord[] {
  return database.all("SELECT * FROM runs WHERE session = ? ORDER BY started, id", session).map((row) => ({
    id: String(row.id),
    model: String(row.model),
    started: Number(row.started),
    ...(row.ended === null ? {} : { ended: Number(row.ended) }),
    ...(row.reason === null ? {} : { reason: String(row.reason) }),
    ...(row.usage === null ? {} : { usage: JSON.parse(String(row.usage)) }),
  }));
}

export function readEvents(database: Database, session: string): readonly RunEvent[] {
  const rows = database.all("SELECT event FROM events WHERE session = ? ORDER BY position", session);
  return rows.map((row) => JSON.parse(String(row.event)) as RunEvent);
}

export const summaryColumns = `sessions.*,
  (SELECT count(*) FROM messages WHERE messages.session = sessions.id) AS messages,
  (SELECT count(*) FROM calls WHERE calls.session = sessions.id
    AND state IN ('requested', 'validated', 'allowed', 'running')) AS open`;

export function readSummary(row: Row): SessionSummary {
  return {
    id: String(row.id),
    created: Number(row.created),
    updated: Number(row.updated),
    title: String(row.title),
    workspace: String(row.workspace),
    agent: String(row.agent),
    ...(row.parent === null ? {} : { parent: String(row.parent) }),
    messages: Number(row.messages),
    open: Number(row.open),
  };
}

/** Bytes as SQLite gives them back: libsql hands out bare buffers. */
export function readBlob(value: unknown): Uint8Array | null {
  if (value === null) return null;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array) return value;
  throw new TypeError("A column of bytes holds something else.");
}

function readCallRows(database: Database, session: string): readonly Row[] {
  return database.all(
    `SELECT calls.* FROM calls LEFT JOIN parts
      ON parts.session = calls.session AND parts.message = calls.message
      AND parts.type = 'call' AND parts.text = calls.id
      WHERE calls.session = ? ORDER BY calls.message, parts.position`,
    session,
  );
}

function readCall(row: Row): CallRecord {
  const metadata: unknown = row.metadata === null ? undefined : JSON.parse(String(row.metadata));
  return {
    id: String(row.id),
    name: String(row.name),
    input: JSON.parse(String(row.input)) as JsonObject,
    state: String(row.state) as CallState,
    ...(row.content === null ? {} : { content: String(row.content) }),
    ...(isJsonObject(metadata) ? { metadata } : {}),
  };
}

function readMessage(role: string, parts: readonly Row[], calls: readonly CallRecord[]): readonly Message[] {
  const textOf = (type: string) =>
    parts
      .filter((part) => part.type === type)
      .map((part) => String(part.text))
      .join("");
  if (role === "system" || role === "user") return [{ role, content: textOf("text") }];
  if (role !== "assistant") throw new TypeError(`The journal holds a message of the unknown role "${role}".`);
  const reasoning = textOf("reasoning");
  const message: AssistantMessage = {
    role,
    content: textOf("text"),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { calls: calls.map(({ id, name, input }) => ({ id, name, input })) }),
  };
  return [message, ...calls.map(readResult)];
}

function readResult({ id, name, state, content }: CallRecord): ToolMessage {
  const told = content ?? (state === "running" ? outcomeUnknown : neverBegan);
  const message: ToolMessage = { role: "tool", callId: id, name, content: told };
  return state === "completed" ? message : { ...message, isError: true };
}

function groupBy(rows: readonly Row[], key: (row: Row) => number): ReadonlyMap<number, readonly Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}
