// A model file on its way: written under a temporary name, hashed as it is written, resumable where its source can.
// The note beside it says which source its bytes came from and up to where they may be kept.
import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import { hashInto } from "./file-record.ts";
import { readJsonIfPresent, statIfPresent } from "./read-if-present.ts";
import type { ResumePoint } from "./sources/opened-source.ts";

interface PartialNote {
  /** Identifies the source. */
  readonly source: string;
  readonly state: string;
  /** Bytes that may be kept; absent: all that are there. */
  readonly offset?: number;
}

export interface PartialFile {
  readonly written: number;
  append(bytes: Uint8Array): Promise<void>;
  /** Notes that what was appended so far may be resumed with this state. */
  checkpoint(state: string): Promise<void>;
  /** Closes the file, flushed to disk, and gives its hash. */
  finish(): Promise<string>;
  close(): Promise<void>;
}

export function partialPath(target: string): string {
  return `${target}.partial`;
}

/** Whether a transfer was begun and not finished. */
export async function hasPartial(target: string): Promise<boolean> {
  return (await statIfPresent(partialPath(target))) !== undefined;
}

/** Where a partial file of this source may be taken up again. */
export async function findResumePoint(target: string, source: string): Promise<ResumePoint | undefined> {
  const note = await readNote(target);
  if (note?.source !== source) return undefined;
  const size = (await statIfPresent(partialPath(target)))?.size ?? 0;
  const offset = note.offset ?? size;
  return offset > 0 && offset <= size ? { offset, state: note.state } : undefined;
}

export interface OpenPartialOptions {
  readonly source: string;
  /** How many bytes of the file that is there are kept. */
  readonly offset: number;
  /** Set where the transfer can be resumed at any byte. */
  readonly state?: string;
  readonly signal?: AbortSignal;
}

/** Opens the partial file for appending after its first `offset` bytes. */
export async function openPartial(target: string, options: OpenPartialOptions): Promise<PartialFile> {
  const { source, offset, state } = options;
  const path = partialPath(target);
  // The old note goes first: no crash may leave it beside bytes of another source.
  if (offset === 0) await rm(notePath(target), { force: true });
  const file = await open(path, offset === 0 ? "w" : "r+");
  try {
    await file.truncate(offset);
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const hash = await hashInto(createHash("sha256"), path, { end: offset, ...signal });
    if (state !== undefined) await writeNote(target, { source, state });
    return appendTo(file, { target, source, offset, hash });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Removes what there is of a partial file. */
export async function removePartial(target: string): Promise<void> {
  await rm(partialPath(target), { force: true });
  await rm(notePath(target), { force: true });
}

interface AppendOptions {
  readonly target: string;
  readonly source: string;
  readonly offset: number;
  readonly hash: Hash;
}

function appendTo(file: FileHandle, { target, source, offset, hash }: AppendOptions): PartialFile {
  let written = offset;
  return {
    get written() {
      return written;
    },
    async append(bytes) {
      let done = 0;
      while (done < bytes.length) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, written + done);
        done += bytesWritten;
      }
      hash.update(bytes);
      written += bytes.length;
    },
    checkpoint: (state) => writeNote(target, { source, state, offset: written }),
    async finish() {
      await file.sync();
      await file.close();
      return hash.digest("hex");
    },
    close: () => file.close(),
  };
}

function notePath(target: string): string {
  return `${partialPath(target)}.json`;
}

async function writeNote(target: string, note: PartialNote): Promise<void> {
  const temporary = `${notePath(target)}.new`;
  await writeFile(temporary, JSON.stringify(note));
  await rename(temporary, notePath(target));
}

/** Undefined where there is none or it is damaged: the transfer then starts afresh. */
async function readNote(target: string): Promise<PartialNote | undefined> {
  const note = (await readJsonIfPresent(notePath(target))) as Partial<PartialNote> | null | undefined;
  if (typeof note?.source !== "string" || typeof note.state !== "string") return undefined;
  return note as PartialNote;
}
