import { existsSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkspace, ToolFailure, type ToolResult } from "../../../src/tools/index.ts";
import { shell } from "../../../src/tools/shell/shell.ts";
import type { JsonObject } from "../../../src/vocabulary/index.ts";
import { toolContext } from "../tool-context.ts";

let folder: string;
let run: (input: JsonObject, signal?: AbortSignal, ask?: () => Promise<void>) => Promise<ToolResult>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-shell-"));
  writeFileSync(path.join(folder, "a.txt"), "a\n");
  const tool = shell(await openWorkspace(folder), {
    environment: { PATH: process.env.PATH, BASH_ENV: path.join(folder, "evil.sh"), KEPT: "yes" },
  });
  writeFileSync(path.join(folder, "evil.sh"), "echo evil\n");
  run = (input, signal, ask) => {
    const context = { ...toolContext(signal), ...(ask === undefined ? {} : { ask }) };
    const result = tool.execute?.(input, context);
    if (result === undefined) throw new Error("no execute");
    return result;
  };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("gives both streams in order, and the exit code where it is worth a word", async () => {
  expect(await run({ command: "echo out; echo err >&2; sleep 0.1; echo end" })).toMatchObject({
    text: "out\nerr\nend",
    metadata: { exitCode: 0 },
  });
  expect((await run({ command: "echo no; exit 3" })).text).toBe("no\n[exit code 3]");
  expect((await run({ command: "true" })).text).toBe("[exit code 0]");
  expect((await run({ command: "kill -9 $$" })).text).toBe("[ended by SIGKILL]");
});

test("begins each command at the top of the workspace, without what shells run unasked", async () => {
  await run({ command: "cd /" });
  expect((await run({ command: "pwd; echo $KEPT" })).text).toBe(`${folder}\nyes`);
});

test("keeps the end of a long output and says how much went", async () => {
  const { text = "" } = await run({ command: "seq 1 200000" });
  expect(text.endsWith("199999\n200000")).toBe(true);
  // seq writes 9×2 + 90×3 + 900×4 + 9,000×5 + 90,000×6 + 100,001×7 characters.
  expect(text).toContain(`[${1_288_895 - 200_000} characters before this were dropped]`);
});

test("ends what takes too long, and what it started", async () => {
  const failed = run({ command: "sleep 30 & sleep 30; touch late.txt", timeout: 1 });
  await expect(failed).rejects.toThrow(ToolFailure);
  await expect(failed).rejects.toThrow("[stopped after 1 s]");
});

test("ends what was left running in the background", async () => {
  await run({ command: "(sleep 1; touch left.txt) & echo started" });
  await sleep(1_500);
  expect(existsSync(path.join(folder, "left.txt"))).toBe(false);
});

test("is ended by the abort of its call", async () => {
  const controller = new AbortController();
  const running = run({ command: "sleep 30" }, controller.signal);
  setTimeout(() => controller.abort(new Error("left")), 100);
  await expect(running).rejects.toThrow("left");
});

test("looks again at what it names once it was allowed", async () => {
  const swap = async () => {
    const file = path.join(folder, "a.txt");
    if (!existsSync(file)) return;
    unlinkSync(file);
    symlinkSync("/etc/passwd", file);
  };
  await expect(run({ command: "cat a.txt" }, undefined, swap)).rejects.toThrow("has changed meanwhile");
});
