// States of prompt beginnings on disk, so that a new process does not evaluate a known catalogue of tools again.
// A file counts only if it is whole and its name says that everything which shaped it is the same. Knows no model.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence, systemErrorCode } from "../../vocabulary/index.ts";
import { readJsonIfPresent } from "../read-if-present.ts";

export interface PrefixStoreOptions {
  readonly folder: string;
  /** All that shapes a state but its tokens: weights, runtime build, settings of the context. */
  readonly identity: string;
  /** Bytes that all states of all models may take; those used longest ago go first. */
  readonly bytes: number;
}

export interface PrefixStore {
  has(tokens: readonly number[]): boolean;
  /** The file that holds the state after just these tokens, or what is the matter with it. */
  find(tokens: readonly number[]): Promise<StoredPrefix>;
  /** Keeps what `write` writes; gives why that was not possible, where it was not. */
  keep(tokens: readonly number[], write: (path: string) => Promise<void>): Promise<string | undefined>;
  /** Removes a state that proved unusable. */
  remove(tokens: readonly number[]): Promise<void>;
}

export type StoredPrefix =
  | { readonly type: "found"; readonly path: string }
  | { readonly type: "missing" }
  | { readonly type: "damaged"; readonly reason: string };

interface StateRecord {
  readonly bytes: number;
  readonly sha256: string;
}

export function createPrefixStore({ folder, identity, bytes }: PrefixStoreOptions): PrefixStore {
  const pathOf = (tokens: readonly number[]): string => {
    const hash = createHash("sha256").update(identity).update(Uint32Array.from(tokens));
    return join(folder, `${hash.digest("hex").slice(0, 40)}.state`);
  };

  async function find(tokens: readonly number[]): Promise<StoredPrefix> {
    const path = pathOf(tokens);
    try {
      const record = (await readJsonIfPresent(recordPath(path))) as Partial<StateRecord> | undefined;
      if (record === undefined) return { type: "missing" };
      const { size } = await stat(path);
      if (size !== record.bytes || (await hashOf(path)) !== record.sha256) {
        return { type: "damaged", reason: "its content is not what was written" };
      }
      const now = new Date();
      await utimes(path, now, now);
      return { type: "found", path };
    } catch (error) {
      // Another process may have made room in between.
      return isAbsence(error) ? { type: "missing" } : { type: "damaged", reason: reasonOf(error) };
    }
  }

  async function keep(
    tokens: readonly number[],
    write: (path: string) => Promise<void>,
  ): Promise<string | undefined> {
    const path = pathOf(tokens);
    const temporary = `${path}.${randomUUID()}.tmp`;
    try {
      await mkdir(folder, { recursive: true });
      await write(temporary);
      const record: StateRecord = { bytes: (await stat(temporary)).size, sha256: await hashOf(temporary) };
      await writeFile(`${temporary}.json`, JSON.stringify(record));
      await rename(temporary, path);
      await rename(`${temporary}.json`, recordPath(path));
      await makeRoom(folder, bytes);
      return undefined;
    } catch (error) {
      // What could not be made need not be removed; either way the first reason is the one to tell.
      await Promise.allSettled([temporary, `${temporary}.json`].map((path) => rm(path, { force: true })));
      return reasonOf(error);
    }
  }

  return {
    has: (tokens) => existsSync(recordPath(pathOf(tokens))),
    find,
    keep,
    remove: async (tokens) => removeState(pathOf(tokens)),
  };
}

function recordPath(path: string): string {
  return `${path}.json`;
}

async function removeState(path: string): Promise<void> {
  // The record first: a state without one does not count.
  await rm(recordPath(path), { force: true });
  await rm(path, { force: true });
}

/** Temporary files older than this were left by a process that died. */
const abandonedMs = 3_600_000;

async function makeRoom(folder: string, bytes: number): Promise<void> {
  const states: { readonly path: string; readonly size: number; readonly used: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch((error: unknown) => {
      if (isAbsence(error)) return undefined;
      throw error;
    });
    if (stats === undefined) continue;
    if (name.endsWith(".state")) states.push({ path, size: stats.size, used: stats.mtimeMs });
    else if (name.includes(".tmp") && Date.now() - stats.mtimeMs > abandonedMs)
      await rm(path, { force: true });
  }
  states.sort((a, b) => b.used - a.used);
  let total = 0;
  for (const { path, size } of states) {
    total += size;
    if (total > bytes) await removeState(path);
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

function reasonOf(error: unknown): string {
  return systemErrorCode(error) ?? (error instanceof Error ? error.message : String(error));
}
