import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withFileLock } from "../../src/models/file-lock.ts";

// No process has this id: it is above what Linux, macOS and Windows give out.
const deadProcess = 2 ** 30 + 1;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callwright-lock-"));
  path = join(folder, "lock");
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("withFileLock", () => {
  it("lets one in at a time and removes the lock", async () => {
    let inside = 0;
    let most = 0;
    const enter = () =>
      withFileLock(path, {}, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await sleep(5);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 5 }, enter));
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it("removes the lock where the work fails", async () => {
    const work = () => Promise.reject(new Error("no"));
    await expect(withFileLock(path, {}, work)).rejects.toThrow("no");
    expect(await readdir(folder)).toEqual([]);
  });

  it("breaks the lock of a process that is gone", async () => {
    await writeOwner({ process: deadProcess, host: hostname(), token: "t" });
    const waits: string[] = [];
    await withFileLock(path, { onWait: (owner) => waits.push(owner) }, async () => undefined);
    expect(waits).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("breaks a stale lock once, however many find it", async () => {
    await writeOwner({ process: deadProcess, host: hostname(), token: "t" });
    let inside = 0;
    const enter = () =>
      withFileLock(path, {}, async () => {
        inside += 1;
        expect(inside).toBe(1);
        await sleep(20);
        inside -= 1;
      });
    await Promise.all([enter(), enter(), enter(), enter()]);
    expect(inside).toBe(0);
  });

  it("breaks a lock that was not touched for long, whoever holds it", async () => {
    await writeOwner({ process: process.pid, host: "elsewhere", token: "t" });
    const old = new Date(Date.now() - 120_000);
    await utimes(path, old, old);
    await expect(withFileLock(path, {}, async () => "in")).resolves.toBe("in");
  });

  it("waits for a live owner, tells whom once, and stops waiting when aborted", async () => {
    await writeOwner({ process: process.pid, host: "elsewhere", token: "t" });
    const waits: string[] = [];
    const controller = new AbortController();
    const onWait = (owner: string) => {
      waits.push(owner);
      setTimeout(() => controller.abort(), 500);
    };
    const waiting = withFileLock(path, { onWait, signal: controller.signal }, async () => "in");
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(waits).toEqual([`process ${process.pid} on elsewhere`]);
    expect(await readdir(folder)).toEqual(["lock"]);
  });

  it("tells the work that the lock was lost, and leaves the new owner's alone", async () => {
    await withFileLock(path, {}, async (lock) => {
      expect(await lock.isHeld()).toBe(true);
      await writeOwner({ process: process.pid, host: "elsewhere", token: "another" });
      expect(await lock.isHeld()).toBe(false);
    });
    expect(await readdir(folder)).toEqual(["lock"]);
  });

  it("says why a stale lock cannot be broken, instead of waiting for ever", async () => {
    // A name that leaves no room for the one of the folder that guards the breaking.
    path = join(folder, "l".repeat(253));
    await writeOwner({ process: deadProcess, host: hostname(), token: "t" });
    const work = () => Promise.resolve();
    await expect(withFileLock(path, {}, work)).rejects.toMatchObject({ code: "ENAMETOOLONG" });
  });

  it("keeps its lock fresh while it works", async () => {
    let second = "";
    await withFileLock(path, { staleAfter: 300 }, async () => {
      const waiting = withFileLock(path, { staleAfter: 300 }, async () => {
        second = "in";
      });
      await sleep(900);
      expect(second).toBe("");
      void waiting;
    });
    await expect.poll(() => second).toBe("in");
  });
});

function writeOwner(owner: { process: number; host: string; token: string }): Promise<void> {
  return writeFile(path, JSON.stringify(owner));
}
