import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorkspace, readOnlyTools, type Tool, ToolFailure } from "../../src/tools/index.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";
import { toolContext } from "./tool-context.ts";

let folder: string;
let tools: readonly Tool[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-files-"));
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };
  write("notes.md", "first\nsecond line\r\nthird\n");
  write("docs/deep/paint.txt", "Blue Paint: 12.75\nred paint: 11.20\na.b\n");
  write("empty.txt", "");
  write("binary.dat", new Uint8Array([80, 0, 81]));
  write("latin.txt", new Uint8Array([0x62, 0xe9, 0x62]));
  write("marked.txt", "\uFEFFwith a mark");
  write("long.txt", Array.from({ length: 9_000 }, (_, at) => `line ${at + 1}`).join("\n"));
  write("wide.txt", "x".repeat(5_000));
  write("huge.txt", "y".repeat(9 * 1024 * 1024));
  write("app/node_modules/package/index.js", "blue paint");
  for (let at = 0; at < 60; at += 1) write(`many/${at}.txt`, "needle\n");
  for (let at = 0; at < 230; at += 1) write(`crowd/${String(at).padStart(3, "0")}`, "");
  tools = readOnlyTools(await openWorkspace(folder));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function use(name: string, input: JsonObject, signal?: AbortSignal): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === name);
  const result = await tool?.execute?.(input, toolContext(signal));
  return result?.text ?? "no such tool";
}

describe("list_files", () => {
  test("lists names in order with sizes, folders marked", async () => {
    expect(await use("list_files", { path: "docs", depth: 3 })).toBe(
      "docs/deep/\ndocs/deep/paint.txt (39 bytes)",
    );
  });

  test("names ignored folders without entering them", async () => {
    const text = await use("list_files", { path: "app", depth: 3 });
    expect(text).toContain("app/node_modules/ (not entered)");
    expect(text).not.toContain("index.js");
  });

  test("says how many entries were left out", async () => {
    const lines = (await use("list_files", { path: "crowd" })).split("\n");
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe("[30 more entries left out: list a folder inside instead]");
  });

  test("a file is no folder", async () => {
    await expect(use("list_files", { path: "notes.md" })).rejects.toThrow("read it instead");
  });

  test("stops when it is aborted", async () => {
    await expect(use("list_files", {}, AbortSignal.abort())).rejects.toThrow();
  });
});

describe("read_file", () => {
  test.each<[JsonObject, string]>([
    [{ path: "notes.md" }, "first\nsecond line\nthird"],
    [{ path: "notes.md", from_line: 2 }, "second line\nthird\n[lines 2 to 3 of 3]"],
    [{ path: "notes.md", from_line: 2, to_line: 2 }, "second line\n[lines 2 to 2 of 3]"],
    [{ path: "notes.md", to_line: 99 }, "first\nsecond line\nthird"],
    [
      { path: "notes.md", from_line: 4, to_line: 9 },
      "first\nsecond line\nthird\n[line 4 is after its end: all 3 lines are shown]",
    ],
    [{ path: "marked.txt" }, "with a mark"],
    [{ path: "empty.txt" }, '"empty.txt" is empty.'],
  ])("%j", async (input, expected) => {
    expect(await use("read_file", input)).toBe(expected);
  });

  test("says where a long file was cut and how to read on", async () => {
    const text = await use("read_file", { path: "long.txt" });
    expect(text.length).toBeLessThan(61_000);
    const [, last] = /\[cut after line (\d+): read on with from_line (\d+)\]/.exec(text) ?? [];
    expect(text).toContain(`line ${last}\n`);
    expect(text).toContain(`[lines 1 to ${last} of 9000]`);
  });

  test("says how much of a long line was cut", async () => {
    expect(await use("read_file", { path: "wide.txt" })).toContain("[3000 characters of this line cut]");
  });

  test.each<[JsonObject, string]>([
    [{ path: "binary.dat" }, "is not text (3 bytes)"],
    [{ path: "latin.txt" }, "is not text"],
    [{ path: "huge.txt" }, "too large to read"],
    [{ path: "docs" }, "is a folder"],
    [{ path: "long.txt", from_line: 9_001 }, "has 9000 lines"],
    [{ path: "notes.md", from_line: 3, to_line: 2 }, "before from_line"],
    [{ path: "../notes.md" }, "outside the workspace"],
  ])("refuses %j", async (input, reason) => {
    await expect(use("read_file", input)).rejects.toThrow(ToolFailure);
    await expect(use("read_file", input)).rejects.toThrow(reason);
  });

  test.skipIf(process.platform === "win32")("does not wait for a pipe", async () => {
    execFileSync("mkfifo", [path.join(folder, "pipe")]);
    await expect(use("read_file", { path: "pipe" })).rejects.toThrow("not a regular file");
    rmSync(path.join(folder, "pipe"));
  });
});

describe("search_files", () => {
  test("finds a text in any case and names file and line", async () => {
    expect(await use("search_files", { text: "blue paint" })).toBe(
      "docs/deep/paint.txt:1: Blue Paint: 12.75\n[huge.txt not searched: 9437184 bytes]",
    );
  });

  test("takes a text literally unless it is said to be a regular expression", async () => {
    expect(await use("search_files", { text: "a.b", path: "docs" })).toBe("docs/deep/paint.txt:3: a.b");
    expect(await use("search_files", { text: "^(red|blue) p", path: "docs", regex: true })).toBe(
      "docs/deep/paint.txt:1: Blue Paint: 12.75\ndocs/deep/paint.txt:2: red paint: 11.20",
    );
  });

  test("searches one file", async () => {
    expect(await use("search_files", { text: "THIRD", path: "notes.md" })).toBe("notes.md:3: third");
  });

  test("says that nothing matches", async () => {
    expect(await use("search_files", { text: "zebra", path: "docs" })).toBe(
      'Nothing matches "zebra" (1 files searched).',
    );
  });

  test("says how many matches were left out", async () => {
    const text = await use("search_files", { text: "needle" });
    expect(text.split("\n").filter((line) => line.includes("needle"))).toHaveLength(50);
    expect(text).toContain("[10 more matching lines left out]");
  });

  test("refuses what is no regular expression", async () => {
    await expect(use("search_files", { text: "(", regex: true })).rejects.toThrow("not a regular expression");
  });

  test("stops a regular expression that takes too long", async () => {
    writeFileSync(path.join(folder, "docs", "slow.txt"), `${"a".repeat(40)}!`);
    await expect(use("search_files", { text: "^(a+)+$", path: "docs", regex: true })).rejects.toThrow(
      "takes too long",
    );
    rmSync(path.join(folder, "docs", "slow.txt"));
  });
});
