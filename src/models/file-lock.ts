// One process at a time for one file, across processes: a lock file that names its owner and is touched while held.
// A lock whose owner is gone is broken by the next who wants it.
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm, rmdir, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

export interface FileLockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told once, if another process holds the lock. */
  readonly onWait?: (owner: string) => void;
  /** Milliseconds without a touch after which the owner counts as gone, whatever its process. */
  readonly staleAfter?: number;
}

export interface HeldLock {
  /** Whether the lock is still ours: a process that slept too long may have lost it. */
  isHeld(): Promise<boolean>;
}

interface Owner {
  readonly process: number;
  readonly host: string;
  readonly token: string;
}

const defaultStaleAfter = 60_000;
const pollEvery = 200;

/** Runs `work` while holding the lock at a path; waits for it as long as need be, or until aborted. */
export async function withFileLock<Result>(
  path: string,
  options: FileLockOptions,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> {
  const staleAfter = options.staleAfter ?? defaultStaleAfter;
  const owner: Owner = { process: process.pid, host: hostname(), token: randomUUID() };
  await take(path, owner, { ...options, staleAfter });
  const touch = setInterval(() => {
    const now = new Date();
    // Where the lock was taken away there is nothing to touch; `isHeld` tells before it matters.
    utimes(path, now, now).catch(() => undefined);
  }, staleAfter / 6);
  touch.unref();
  const isHeld = async () => (await readOwner(path))?.token === owner.token;
  try {
    return await work({ isHeld });
  } finally {
    clearInterval(touch);
    if (await isHeld()) await rm(path, { force: true });
  }
}

async function take(
  path: string,
  owner: Owner,
  options: FileLockOptions & { readonly staleAfter: number },
): Promise<void> {
  let told = false;
  while (true) {
    options.signal?.throwIfAborted();
    if (await create(path, owner)) return;
    if (await isStale(path, options.staleAfter)) {
      await breakLock(path, options.staleAfter);
      continue;
    }
    if (!told) {
      const other = await readOwner(path);
      options.onWait?.(other === undefined ? "another process" : `process ${other.process} on ${other.host}`);
      told = true;
    }
    await sleep(pollEvery, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

async function create(path: string, owner: Owner): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    try {
      await file.writeFile(JSON.stringify(owner));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows answers EPERM or EBUSY while a file of that name is being deleted.
    if (code === "EEXIST" || (process.platform === "win32" && (code === "EPERM" || code === "EBUSY")))
      return false;
    throw error;
  }
}

async function isStale(path: string, staleAfter: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return false;
  const age = Date.now() - stats.mtimeMs;
  if (age > staleAfter) return true;
  const owner = await readOwner(path);
  // Another process may have just created the file and not yet written its name.
  if (owner === undefined) return age > 2_000;
  return owner.host === hostname() && !isAlive(owner.process);
}

/** Removes a stale lock. Guarded by a folder, so that two who saw it stale do not remove each other's new one. */
async function breakLock(path: string, staleAfter: number): Promise<void> {
  const guard = `${path}.break`;
  try {
    await mkdir(guard);
  } catch {
    const age = Date.now() - ((await stat(guard).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > 10_000) await rmdir(guard).catch(() => undefined);
    await sleep(pollEvery);
    return;
  }
  try {
    if (await isStale(path, staleAfter)) await rm(path, { force: true });
  } finally {
    await rmdir(guard);
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(path, "utf8")) as Partial<Owner> | null;
    if (typeof owner?.process !== "number" || typeof owner.token !== "string") return undefined;
    return { process: owner.process, host: String(owner.host), token: owner.token };
  } catch {
    return undefined;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Not permitted to signal it: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
