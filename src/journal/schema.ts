// The journal's tables, as the steps by which they came to be: never changed, only added to.

/** Statement lists, each leading from the schema version of its index to the next. */
export const migrations: readonly string[] = [
  `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  title TEXT NOT NULL, workspace TEXT NOT NULL, agent TEXT NOT NULL, parent TEXT
) STRICT;
CREATE TABLE runs (
  id TEXT PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  model TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER, reason TEXT, usage TEXT
) STRICT;
CREATE TABLE messages (
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, position INTEGER NOT NULL,
  run TEXT NOT NULL, turn INTEGER NOT NULL, role TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE parts (
  session TEXT NOT NULL, message INTEGER NOT NULL, position INTEGER NOT NULL,
  type TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (session, message, position),
  FOREIGN KEY (session, message) REFERENCES messages ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE calls (
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, id TEXT NOT NULL,
  message INTEGER NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL, state TEXT NOT NULL,
  content TEXT, metadata TEXT, updated INTEGER NOT NULL,
  PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_of_message ON calls (session, message);
CREATE TABLE approvals (
  id INTEGER PRIMARY KEY, workspace TEXT NOT NULL, permission TEXT NOT NULL, pattern TEXT NOT NULL,
  session TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE outputs (
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, handle TEXT NOT NULL,
  call TEXT NOT NULL, characters INTEGER NOT NULL,
  PRIMARY KEY (session, handle)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, position INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE changes (
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, position INTEGER NOT NULL,
  call TEXT NOT NULL, path TEXT NOT NULL, before BLOB, after BLOB, undone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_time ON sessions (updated);
`,
];
