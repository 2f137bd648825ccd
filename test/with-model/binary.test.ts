// The binary with real weights: damaged and foreign files, prompts beyond the window, interrupts at every stage, the demo's task.
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { homeFolder } from "../../src/models/home-folder.ts";
import { runBinary, startBinary } from "../cli/run-binary.ts";

const small = "smollm2-135m-instruct-q4_1";
const home = homeFolder();
let folder: string;

const file = (name: string) => path.join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-binary-"));
  const weights = (await runBinary(["models", "where", small], { home })).stdout.trim();
  writeFileSync(file("cut-off.gguf"), firstBytes(weights, 20_000_000));
  writeFileSync(file("one-less.gguf"), firstBytes(weights, statSync(weights).size - 1));
  writeFileSync(file("empty.gguf"), ggufOf("llama"));
  writeFileSync(file("foreign.gguf"), ggufOf("nonsense-9000"));
  const tool = {
    name: "find_letter",
    parameters: { type: "object", properties: { about: { type: "string" } }, required: ["about"] },
  };
  writeFileSync(file("tools.json"), JSON.stringify([tool]));
  writeFileSync(file("bad-tools.json"), JSON.stringify([{ name: "a", parameters: { type: "objekt" } }]));
  const never = { type: "object", properties: { x: { enum: [] } }, required: ["x"] };
  writeFileSync(file("never-tools.json"), JSON.stringify([{ name: "a", parameters: never }]));
  writeFileSync(file("twin-tools.json"), JSON.stringify([tool, tool]));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function firstBytes(weights: string, length: number): Buffer {
  const handle = openSync(weights, "r");
  const bytes = Buffer.alloc(length);
  readSync(handle, bytes, 0, length, 0);
  closeSync(handle);
  return bytes;
}

/** A GGUF file, version 3, without tensors, that says only which architecture it is of. */
function ggufOf(architecture: string): Buffer {
  const text = (value: string) => Buffer.concat([u64(value.length), Buffer.from(value)]);
  const stringType = 8;
  return Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(0),
    u64(1),
    text("general.architecture"),
    u32(stringType),
    text(architecture),
  ]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

const call = (tools: string, ...more: readonly string[]) => [
  "call",
  "--model",
  small,
  "--tools",
  file(tools),
  "--prompt",
  "Find the letter about the harbour.",
  ...more,
];

describe("wrong input ends in one line and its exit code", () => {
  const prompt = ["run", "Hello", "--model"];
  test.each<[string, () => readonly string[], number, RegExp]>([
    ["a file that was cut off", () => [...prompt, file("cut-off.gguf")], 3, /cut-off\.gguf is cut off/],
    ["a file whose last byte is missing", () => [...prompt, file("one-less.gguf")], 3, /is cut off/],
    [
      "a model of an unknown architecture",
      () => [...prompt, file("foreign.gguf")],
      3,
      /"nonsense-9000", which this build/,
    ],
    [
      "a file that lacks what its architecture needs",
      () => [...prompt, file("empty.gguf")],
      3,
      /"llama"\): .*key not found/,
    ],
    ["a malformed schema", () => call("bad-tools.json"), 2, /"a".* at \/type: /],
    ["a schema that nothing can meet", () => call("never-tools.json"), 2, /"a"/],
    ["two tools of one name", () => call("twin-tools.json"), 2, /find_letter/],
    [
      "a prompt beyond the window",
      () => ["run", "word ".repeat(3_000), "--model", small, "--ctx", "1024"],
      4,
      /\d+ tokens/,
    ],
    [
      "a prompt beyond a window that is as large as it can be",
      () => ["run", "word ".repeat(9_000), "--model", small, "--ctx", "8192"],
      4,
      /trained for/,
    ],
  ])("%s", async (_, args, code, reason) => {
    const ended = await runBinary(args(), { home });
    // The file is whole or not in the cache, so that there is nothing to verify.
    expect(ended.stderr).not.toContain("models verify");
    // Nothing but the one line.
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(ended.stderr).toMatch(reason);
    expect(ended.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(ended.stderr.split("\n").filter((line) => line.startsWith("callwright: "))).toHaveLength(1);
    expect(ended.code).toBe(code);
  });
});

describe("callwright call", () => {
  test("prints each call as one line of JSON and nothing else", async () => {
    const ended = await runBinary(call("tools.json", "--tool-choice", "required", "--no-parallel"), { home });
    const lines = ended.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      name: "find_letter",
      arguments: { about: expect.any(String) },
    });
    expect(ended.stderr).toContain("1 tool read (OpenAI shape): find_letter");
    expect(ended.stderr).toContain("tokens ");
    expect(ended.code).toBe(0);
  });

  test("gives the same call for the same seed", async () => {
    const args = call("tools.json", "--tool-choice", "find_letter", "--no-parallel", "--seed", "7");
    const [first, second] = [await runBinary(args, { home }), await runBinary(args, { home })];
    expect(first.stdout).not.toBe("");
    expect(second.stdout).toBe(first.stdout);
  });

  test("says that a window is smaller than was asked for", async () => {
    const args = call("tools.json", "--max-tokens", "1", "--ctx");
    const cut = await runBinary([...args, "100000"], { home });
    expect(cut.stderr).toMatch(/^The window has 8192 tokens, not 100000: /m);
    const whole = await runBinary([...args, "2048"], { home });
    expect(whole.stderr).not.toContain("The window has");
  });

  test("prints events as JSON lines, with one end", async () => {
    const ended = await runBinary(call("tools.json", "--tool-choice", "required", "--json"), { home });
    const types = ended.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect(types[0]).toBe("turn-start");
    expect(types.filter((type) => type === "turn-end")).toHaveLength(1);
    expect(types.at(-1)).toBe("turn-end");
  });
});

describe("an interrupt ends cleanly", () => {
  const run = (prompt: string) => ["run", prompt, "--model", small, "--json"];
  const longPrompt = run("word ".repeat(1_500));
  const longAnswer = run("Write a long story about a fox and a hen in winter.");

  /** Interrupts as soon as the output shows the stage. */
  async function interruptAt(args: readonly string[], stage: RegExp | number) {
    const child = startBinary(args, { home });
    let stdout = "";
    let stderr = "";
    let wasSent = false;
    const send = () => {
      if (!wasSent) child.kill("SIGINT");
      wasSent = true;
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (typeof stage !== "number" && stage.test(stdout)) send();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    if (typeof stage === "number") setTimeout(send, stage);
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on("close", (...ended) => resolve(ended)),
    );
    return { code, signal, stdout, stderr };
  }

  test.each<[string, readonly string[], RegExp]>([
    ["while the prompt is read", longPrompt, /"prefill-progress"/],
    ["while the answer is written", longAnswer, /"text-delta"/],
  ])("%s", async (_, args, stage) => {
    const ended = await interruptAt(args, stage);
    expect(ended.code).toBe(130);
    const events = ended.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ type: "run-end", reason: "aborted" });
    expect(events.filter(({ type }) => type === "turn-end")).toHaveLength(1);
  });

  test("while the program or the weights are loading", async () => {
    for (const milliseconds of [200, 700, 1_200]) {
      const { code, signal, stderr } = await interruptAt(longPrompt, milliseconds);
      // Before the program itself runs, the signal does what it does to every process.
      expect(code === 130 || signal === "SIGINT").toBe(true);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });
});

describe("an interrupt that reaches the whole group of processes, as Ctrl-C does,", () => {
  // The runtime tries its binary out in a child process for a while, which one of these moments meets.
  test.each([400, 550, 700, 850, 1_000, 1_150, 1_300, 1_450])(
    "after %i ms ends in one line",
    async (moment) => {
      const child = startBinary(["run", "Hello", "--model", small], { home, detached: true });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      setTimeout(() => process.kill(-(child.pid ?? 0), "SIGINT"), moment);
      const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
        child.on("close", (...ended) => resolve(ended)),
      );
      // Before the program itself runs, the signal does what it does to every process.
      if (signal === null) expect([code, stderr]).toEqual([130, "callwright: interrupted\n"]);
      else expect([signal, stderr]).toEqual(["SIGINT", ""]);
    },
  );
});

test("the demo's task is solved", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const stdout = execFileSync(process.execPath, ["scripts/demo.mjs"], { cwd: root, encoding: "utf8" });
  expect(stdout).toContain("51.85");
});
