import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPrefixStore } from "../../../src/models/local/prefix-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callwright-states-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (more: { identity?: string; bytes?: number } = {}) =>
  createPrefixStore({ folder: join(folder, "states"), identity: "weights 1", bytes: 1_000_000, ...more });
const writes = (text: string) => (path: string) => writeFile(path, text);
const files = () => readdirSync(join(folder, "states"));

describe("a prefix store", () => {
  it("finds the state of just the same tokens under just the same settings", async () => {
    const store = open();
    expect(await store.find([1, 2, 3])).toEqual({ type: "missing" });
    expect(await store.keep([1, 2, 3], writes("state"))).toBeUndefined();
    expect(store.has([1, 2, 3])).toBe(true);
    const found = await store.find([1, 2, 3]);
    expect(found.type === "found" && readFileSync(found.path, "utf8")).toBe("state");
    for (const [other, tokens] of [
      [store, [1, 2]],
      [store, [1, 2, 3, 4]],
      [open({ identity: "weights 2" }), [1, 2, 3]],
    ] as const) {
      expect(other.has(tokens)).toBe(false);
      expect(await other.find(tokens)).toEqual({ type: "missing" });
    }
  });

  it.each(["", "stat", "stata", "state and more"])(
    "takes a file that became %j for damaged",
    async (text) => {
      const store = open();
      await store.keep([1], writes("state"));
      const found = await store.find([1]);
      if (found.type !== "found") throw new Error("not found");
      writeFileSync(found.path, text);
      expect((await store.find([1])).type).toBe("damaged");
      await store.remove([1]);
      expect(await store.find([1])).toEqual({ type: "missing" });
      expect(files()).toEqual([]);
    },
  );

  it("takes a state whose record is cut off or gone for none", async () => {
    const store = open();
    await store.keep([1], writes("state"));
    const record = files().find((name) => name.endsWith(".json")) ?? "";
    writeFileSync(join(folder, "states", record), '{"bytes": 5, "sha');
    expect(await store.find([1])).toEqual({ type: "missing" });
  });

  it("says why a state could not be kept, and leaves nothing of it", async () => {
    const store = open();
    const fails = async (path: string) => {
      writeFileSync(path, "half");
      throw new Error("no room");
    };
    expect(await store.keep([1], fails)).toBe("no room");
    expect(files()).toEqual([]);
    writeFileSync(join(folder, "file"), "");
    const nowhere = createPrefixStore({ folder: join(folder, "file"), identity: "x", bytes: 10 });
    expect(await nowhere.keep([1], writes("state"))).toMatch(/EEXIST|ENOTDIR/);
  });

  it("makes room by removing what was used longest ago", async () => {
    const store = open({ bytes: 25 });
    for (const token of [1, 2]) await store.keep([token], writes("ten bytes."));
    const found = await Promise.all([store.find([1]), store.find([2])]);
    for (const [index, state] of found.entries()) {
      if (state.type === "found") utimesSync(state.path, 1000 + index, 1000 + index);
    }
    await store.find([1]);
    await store.keep([3], writes("ten bytes."));
    expect([1, 2, 3].map((token) => store.has([token]))).toEqual([true, false, true]);
  });

  it("removes what a process left half-written long ago, and nothing that is being written", async () => {
    const store = open();
    await store.keep([1], writes("state"));
    const [old, fresh] = ["a.state.1.tmp", "b.state.2.tmp"].map((name) => join(folder, "states", name));
    if (old === undefined || fresh === undefined) throw new Error("no names");
    for (const path of [old, fresh]) writeFileSync(path, "half");
    utimesSync(old, 1000, 1000);
    await store.keep([2], writes("state"));
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
  });
});
