import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { vocabularyPath } from "../llama-cpp-files.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-cli-profile-"));
  vi.stubEnv("CALLWRIGHT_HOME", home);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(home, { recursive: true, force: true });
});

async function profile(...args: readonly string[]): Promise<string> {
  let out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  await createProgram().parseAsync(["models", "profile", ...args], { from: "user" });
  return out;
}

describe("callwright models profile", () => {
  it("explains each value of a model whose file is not here", async () => {
    const out = await profile("qwen3-0.6b-q8_0");
    expect(out).toMatch(/^format +"hermes-json" +profile qwen3 in models\.example\.json$/m);
    expect(out).toMatch(/^retry\.attempts +4 +default$/m);
    expect(out).toMatch(/^chosenFormat +null +the probe needs the file; .*models pull qwen3-0\.6b-q8_0$/m);
  });

  it("shows what the user's own models.json has changed", async () => {
    const models = [{ id: "qwen3-0.6b-q8_0", profile: { extends: "qwen3", calls: { parallel: false } } }];
    const profiles = { qwen3: { extends: "qwen3", reasoning: { mode: "on" } } };
    await writeFile(join(home, "models.json"), JSON.stringify({ models, profiles }));
    const lines = (await profile("qwen3-0.6b-q8_0", "--json")).trim().split("\n");
    const values = new Map(lines.map((line) => JSON.parse(line)).map(({ path, ...rest }) => [path, rest]));
    expect(values.get("calls.parallel")).toEqual({
      value: false,
      origin: { type: "entry", id: "qwen3-0.6b-q8_0", file: "models.json" },
    });
    expect(values.get("reasoning.mode")).toEqual({
      value: "on",
      origin: { type: "profile", name: "qwen3", file: "models.json" },
    });
    expect(values.get("reasoning.switch.variable")).toEqual({
      value: "enable_thinking",
      origin: { type: "profile", name: "qwen3", file: "models.example.json" },
    });
  });

  it("explains any file by what its header says", async () => {
    const out = await profile(vocabularyPath("qwen2"));
    expect(out).toMatch(/^name +"unknown" +profile unknown in models\.example\.json$/m);
    expect(out).toMatch(/^context\.size +\d+ +/m);
    expect(out).toMatch(/^chosenFormat +"plain-json" +the template shows no past calls$/m);
  });

  it("does not know a model that there is none of", async () => {
    await expect(profile("no-such-model")).rejects.toMatchObject({ code: "model-unknown" });
  });
});
