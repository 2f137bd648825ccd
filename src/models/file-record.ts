// What was proven about a model file, kept beside it: so that a start does not hash half a gigabyte again.
// A record counts only while the file's size and time of change are those it was written for.
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { CallwrightError } from "../vocabulary/index.ts";
import type { FetchableModel } from "./model-entry.ts";
import { readJsonIfPresent, statIfPresent } from "./read-if-present.ts";

export interface FileRecord {
  readonly size: number;
  /** The file's time of change, in milliseconds since the epoch. */
  readonly changed: number;
  readonly sha256: string;
  /** Where the file came from, in words. */
  readonly source: string;
}

export type FileCheck =
  | { readonly type: "missing" }
  | { readonly type: "good"; readonly sha256: string; readonly source: string; readonly size: number }
  /** Not what the catalogue or its own record says. */
  | { readonly type: "wrong"; readonly reason: string };

export interface CheckFileOptions {
  /** Hash the file even where a valid record spares it. */
  readonly rehash?: boolean;
  readonly signal?: AbortSignal;
  /** Told before a whole file is read. */
  readonly onHash?: () => void;
}

/** Whether the file at a path is what the model's sources or its own record say. Keeps the record up to date. */
export async function checkModelFile(
  path: string,
  model: FetchableModel,
  options: CheckFileOptions = {},
): Promise<FileCheck> {
  const stats = await statIfPresent(path);
  if (stats === undefined) return { type: "missing" };
  if (!stats.isFile()) return { type: "wrong", reason: "it is not a file" };
  const record = await readRecord(path);
  const isFresh = record?.size === stats.size && record.changed === stats.mtimeMs;
  if (
    record !== undefined &&
    isFresh &&
    options.rehash !== true &&
    isAccepted(model, record.sha256, record)
  ) {
    return { type: "good", sha256: record.sha256, source: record.source, size: stats.size };
  }
  const wrongSize = sizeFault(model, record, stats.size);
  if (wrongSize !== undefined) return { type: "wrong", reason: wrongSize };
  if (record === undefined && knownHashes(model).size === 0) {
    return { type: "wrong", reason: "nothing says what its SHA-256 should be" };
  }
  options.onHash?.();
  const sha256 = (await hashInto(createHash("sha256"), path, options)).digest("hex");
  if (isAccepted(model, sha256, record)) {
    const source = record?.sha256 === sha256 ? record.source : "found in place";
    await writeRecord(path, { size: stats.size, changed: stats.mtimeMs, sha256, source });
    return { type: "good", sha256, source, size: stats.size };
  }
  const expected = [...knownHashes(model)].join(" or ") || record?.sha256;
  return { type: "wrong", reason: `its SHA-256 is ${sha256}, not ${expected}` };
}

/** Feeds a file into a hash, from its start to `end` (exclusive) or its end. */
export async function hashInto(
  hash: Hash,
  path: string,
  options: { readonly end?: number; readonly signal?: AbortSignal } = {},
): Promise<Hash> {
  if (options.end === 0) return hash;
  const end = options.end === undefined ? {} : { end: options.end - 1 };
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20, ...end, ...signal })) {
    hash.update(bytes);
  }
  return hash;
}

export function recordPath(path: string): string {
  return `${path}.json`;
}

export async function writeRecord(path: string, record: FileRecord): Promise<void> {
  const temporary = `${recordPath(path)}.${process.pid}.new`;
  await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`);
  await rename(temporary, recordPath(path));
}

/** Removes a model file and its record. Throws `CallwrightError` `model-file-invalid` where a folder stands there. */
export async function removeModelFile(path: string): Promise<void> {
  const stats = await statIfPresent(path);
  if (stats?.isDirectory()) {
    // A folder was not put there by us; what is in it may be somebody's.
    throw new CallwrightError("model-file-invalid", `${path} is a folder. Move it away and try again.`);
  }
  await rm(path, { force: true });
  await rm(recordPath(path), { force: true });
}

/** Undefined where there is none, or where it is damaged: the file is then hashed again. */
async function readRecord(path: string): Promise<FileRecord | undefined> {
  const record = (await readJsonIfPresent(recordPath(path))) as Partial<FileRecord> | null | undefined;
  if (typeof record?.size !== "number" || typeof record.changed !== "number") return undefined;
  if (typeof record.sha256 !== "string" || typeof record.source !== "string") return undefined;
  return record as FileRecord;
}

/** Whether a hash is one the catalogue names, or the recorded one where a hub source names none. */
function isAccepted(model: FetchableModel, sha256: string, record: FileRecord | undefined): boolean {
  if (knownHashes(model).has(sha256)) return true;
  return namesUnhashedSource(model) && record?.sha256 === sha256;
}

function sizeFault(model: FetchableModel, record: FileRecord | undefined, size: number): string | undefined {
  const sizes = new Set(model.sources.flatMap((source) => source.size ?? []));
  if (namesUnhashedSource(model) && record !== undefined) sizes.add(record.size);
  if (sizes.size === 0 || sizes.has(size)) return undefined;
  return `it has ${size} bytes, not ${[...sizes].join(" or ")}`;
}

function knownHashes({ sources }: FetchableModel): ReadonlySet<string> {
  return new Set(sources.flatMap(({ sha256 }) => sha256 ?? []));
}

/** A hub source without a hash: what the hub stated was checked and stands in the record. */
function namesUnhashedSource({ sources }: FetchableModel): boolean {
  return sources.some(({ sha256 }) => sha256 === undefined);
}
