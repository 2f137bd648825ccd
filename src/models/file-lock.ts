// One process at a time for one file, across processes: a lock file that names its owner and is touched while held.
// A lock whose owner is gone is broken by the next who wants it.
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm, rmdir, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isAbsence, systemErrorCode } from "../vocabulary/index.ts";

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
    // A lock that cannot be touched goes stale and is taken by another; `isHeld` tells before it matters.
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
    if (systemErrorCode(error) === "EEXIST" || isBeingRemoved(error)) return false;
    throw error;
  }
}

async function isStale(path: string, staleAfter: number): Promise<boolean> {
  const age = await ageOf(path);
  if (age === undefined) return false;
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
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST" && !isBeingRemoved(error)) throw error;
    const age = await ageOf(guard);
    if (age !== undefined && age > 10_000) await removeGuard(guard);
    await sleep(pollEvery);
    return;
  }
  try {
    if (await isStale(path, staleAfter)) await rm(path, { force: true });
  } finally {
    await removeGuard(guard);
  }
}

/** Another who found the guard left behind may have removed it already. */
async function removeGuard(guard: string): Promise<void> {
  await rmdir(guard).catch(unlessGone);
}

/** Milliseconds since the last touch; undefined where nothing is there any more. */
async function ageOf(path: string): Promise<number | undefined> {
  const stats = await stat(path).catch(unlessGone);
  return stats && Date.now() - stats.mtimeMs;
}

/** Undefined where the lock is gone, or its owner has not written its name yet. */
async function readOwner(path: string): Promise<Owner | undefined> {
  const text = await readFile(path, "utf8").catch(unlessGone);
  if (text === undefined) return undefined;
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    if (typeof owner?.process !== "number" || typeof owner.token !== "string") return undefined;
    return { process: owner.process, host: String(owner.host), token: owner.token };
  } catch {
    // Half a name: it is being written.
    return undefined;
  }
}

function unlessGone(error: unknown): undefined {
  if (isAbsence(error) || isBeingRemoved(error)) return undefined;
  throw error;
}

/** Windows answers EPERM or EBUSY while a file of that name is being deleted. */
function isBeingRemoved(error: unknown): boolean {
  const code = systemErrorCode(error);
  return process.platform === "win32" && (code === "EPERM" || code === "EBUSY");
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Not permitted to signal it: it lives, under another user.
    return systemErrorCode(error) === "EPERM";
  }
}
