// `callwright models probe` as a process, on files that hold a vocabulary and no weights.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { strictTemplate, taggedTemplate } from "../formats/templates-for-test.ts";
import { vocabularyPath } from "../llama-cpp-files.ts";
import { startModelServer } from "../models/remote/model-server.ts";
import { runBinary } from "./run-binary.ts";

let folder: string;
let template: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "callwright-probe-"));
  template = path.join(folder, "template.jinja");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function probe(...args: readonly string[]) {
  return runBinary(["models", "probe", vocabularyPath("gpt-2"), ...args], { home: folder });
}

describe("callwright models probe", { timeout: 120_000 }, () => {
  it("tells format, reason and mends in lines", async () => {
    await writeFile(template, strictTemplate);
    const { code, stdout, stderr } = await probe("--template", template);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining([
        "format      plain-json",
        "because     the template shows no past calls",
        "mended: The template has no system role: its text begins the first user message.",
        "raised: no system role",
      ]),
    );
  });

  it("tells a base model", async () => {
    const { code, stdout } = await probe();
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining([
        "format      plain-json",
        "because     the file has no chat template (a base model)",
        "confirmed   nothing to confirm without a template",
        "template    none: a base model, asked by a plain transcript",
      ]),
    );
  });

  it("tells the same in one JSON object", async () => {
    await writeFile(template, taggedTemplate);
    const { code, stdout } = await probe("--template", template, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      model: "ggml-vocab-gpt-2",
      format: "hermes-json",
      confirmed: true,
      watched: ["hermes-json", "json-fence", "plain-json"],
      hasTemplate: true,
      fallback: null,
      lostValues: [],
      traits: { calls: "object", severalCalls: true },
      mends: ["The template loses system messages after the first: they become the user's."],
    });
  });

  it("refuses a format that there is not, and a template that cannot be read", async () => {
    const wrong = await probe("--format", "xml");
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toMatch(/^callwright: There is no format "xml"/);
    const missing = await probe("--template", template);
    expect(missing.stderr).toMatch(/^callwright: The template .* cannot be read/);
  });

  it("asks a server what it is and does, and tells it", async () => {
    const server = await startModelServer(({ path: route, body }) => {
      if (route === "/api/version") return { json: { version: "0.13.0" } };
      if (route === "/api/tags") return { json: { models: [{ name: "qwen3:4b" }] } };
      if (route === "/api/show") return { json: { model_info: { "qwen3.context_length": 40960 } } };
      const content = "format" in body ? '{"word":"zqvx"}' : "Hello";
      return { lines: true, events: [{ message: { content }, done: true, done_reason: "stop" }] };
    });
    try {
      const { code, stdout, stderr } = await runBinary(["models", "probe", server.url], { home: folder });
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout.split("\n")).toEqual(
        expect.arrayContaining([
          "server      ollama 0.13.0",
          "serves      qwen3:4b, window of 8192 tokens",
          "asked by    chat",
          "enforces    not a choice of tools, a schema; calls are checked after they are written",
          "format      chat-api",
        ]),
      );
      const json = await runBinary(["models", "probe", server.url, "--json"], { home: folder });
      expect(JSON.parse(json.stdout)).toMatchObject({
        engine: "ollama",
        serves: "qwen3:4b",
        enforcesSchema: true,
      });
    } finally {
      await server.close();
    }
  });
});
