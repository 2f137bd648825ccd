// `callwright serve` as a person meets it: its one line, wrong use, and its end. Needs no weights.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runBinary, startBinary } from "./run-binary.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-serve-"));
  writeFileSync(path.join(folder, "mine.gguf"), "GGUF and no weights");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("says where it serves which model, answers, and ends with Ctrl-C", async () => {
  const child = startBinary(["serve", "--model", path.join(folder, "mine.gguf"), "--port", "0", "--no-load"]);
  // A test that fails leaves no server behind.
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.on("close", () => reject(new Error(stderr)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const found = /^callwright serves mine at (http:\/\/127\.0\.0\.1:\d+) \(Ctrl-C ends it\)\n$/.exec(
        stdout,
      )?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok", models: [] });
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: "mine" }] });
  // The file is no model, which whoever asks for it is told.
  const body = JSON.stringify({ messages: [{ role: "user", content: "Hello" }] });
  const failed = await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
  expect(failed.status).toBe(500);
  expect(stderr).toContain("mine cannot be loaded");
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test.each([
  ["without a model", ["serve"], 3, "callwright models pull"],
  ["with a model that there is not", ["serve", "--model", "no-such-model"], 3, "There is no model"],
  ["on another address without a key", ["serve", "--host", "0.0.0.0", "--model"], 2, "--api-key"],
  ["on a port that is none", ["serve", "--port", "70000"], 2, "It must be a port"],
])("%s it is refused in one line", async (_name, args, code, said) => {
  const whole = args.at(-1) === "--model" ? [...args, path.join(folder, "mine.gguf")] : args;
  const ended = await runBinary(whole);
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(said)]);
  expect(ended.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
});
