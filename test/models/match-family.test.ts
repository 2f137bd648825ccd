// Which profile a file gets that no entry names: by headers as makers and quantisers write them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Catalogue, layersOfModel, loadCatalogue } from "../../src/models/catalogue.ts";
import { layerOfFile, matchFamily } from "../../src/models/match-family.ts";
import { defaultLayer, resolveLayers } from "../../src/models/profile-layers.ts";
import { readTemplate, templateNames } from "../llama-cpp-files.ts";

let home: string;
let catalogue: Catalogue;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "callwright-family-"));
  catalogue = await loadCatalogue({ home });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("the families of the shipped catalogue", () => {
  it.each([
    ["Qwen2.5 Coder 0.5B Instruct GGUF", "qwen2.5-coder"],
    ["Qwen2.5 7B Instruct", "qwen2.5"],
    ["Qwen3 0.6B", "qwen3"],
    ["Qwen3-4B-Instruct-2507", "qwen3-instruct"],
    ["Qwen3-4B-Thinking-2507", "qwen3-thinking"],
    ["Qwen3 Coder 30B A3B Instruct", "qwen3-coder"],
    ["Qwen3.5-0.8B", "qwen3.5-0.8b"],
    ["Qwen3.5 4B", "qwen3.5"],
    ["Qwen3.6-35B-A3B", "qwen3.6"],
    ["Qwen3.8-Next", "qwen3.8"],
    ["Bonsai-8B", "bonsai"],
    ["Meta Llama 3.1 8B Instruct", "llama-3.1"],
    ["Llama 3.2 3B Instruct", "llama-3.2"],
    ["Gemma 3 1b It", "gemma-3"],
    ["gemma_3n_E2B_it", "gemma-3"],
    ["functiongemma-270m-it", "functiongemma"],
    ["gemma-4-E2B-it", "gemma-4"],
    ["Phi 4 Mini Instruct", "phi-4-mini"],
    ["SmolLM2 135M Instruct", "smollm2-135m"],
    ["Smollm2 1.7B 8k Mix7 Ep2 v2", "smollm2"],
    ["SmolLM3 3B", "smollm3"],
    ["Granite 3.3 2b Instruct", "granite-3.3"],
    ["Granite 4.0 Micro", "granite-4"],
    ["granite-4.1-3b", "granite-4"],
    ["LFM2 1.2B", "lfm2"],
    ["LFM2-1.2B-Tool", "lfm2-tool"],
    ["LFM2.5-1.2B-Instruct", "lfm2.5"],
    ["LFM2.5-1.2B-Thinking", "lfm2.5-thinking"],
    ["LFM2.5-2.6B", "lfm2.5-thinking"],
    ["LFM2.5-8B-A1B", "lfm2.5-8b-a1b"],
    ["Ministral-3-3B-Instruct-2512", "ministral-3"],
    ["Ministral-3-8B-Reasoning-2512", "ministral-3-reasoning"],
    ["Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"],
    ["Hermes 3 Llama 3.1 8B", "hermes-3"],
    ["Llama-xLAM-2-8b-fc-r", "xlam-2"],
    ["Hammer2.1-1.5b", "hammer-2.1"],
    ["MiniCPM5-1B", "minicpm5"],
    ["NVIDIA-Nemotron-3-Nano-4B", "nemotron-3-nano"],
    ["NVIDIA-Nemotron-Nano-9B-v2", "nemotron-nano-v2"],
    ["Falcon-H1-1.5B-Instruct", "falcon-h1"],
    ["DeepSeek R1 Distill Qwen 1.5B", "deepseek-r1-distill"],
    ["gpt-oss-20b", "gpt-oss"],
    ["Mixtral 8x7B", undefined],
    [undefined, undefined],
  ])("%s is %s", (name, profile) => {
    const header = name === undefined ? {} : { name };
    expect(matchFamily(catalogue.families, { header, fileName: "model.gguf" })).toBe(profile);
  });

  it("is told by the file's name or the basename where the header's name says nothing", () => {
    const header = { name: "Checkpoint 4000" };
    expect(matchFamily(catalogue.families, { header, fileName: "SmolLM3_Q4_K_M.gguf" })).toBe("smollm3");
    const based = { ...header, basename: "Qwen3" };
    expect(matchFamily(catalogue.families, { header: based, fileName: "m.gguf" })).toBe("qwen3");
  });

  it("is told by architecture and template where no name says anything", () => {
    const template = "{% if enable_thinking %}";
    const tuned = { name: "My tune", architecture: "qwen3", template };
    expect(matchFamily(catalogue.families, { header: tuned, fileName: "m.gguf" })).toBe("qwen3");
    const plain = { ...tuned, template: "{{ messages }}" };
    expect(matchFamily(catalogue.families, { header: plain, fileName: "m.gguf" })).toBeUndefined();
  });

  it("gives every profile but the unknown one its signs", () => {
    const matched = new Set(catalogue.families.map(({ profile }) => profile));
    expect(Object.keys(catalogue.profiles).filter((name) => !matched.has(name))).toEqual(["unknown"]);
  });

  it("treats what it does not know as the profile unknown says", () => {
    const layers = layersOfModel(catalogue, { file: { header: {}, fileName: "m.gguf" } });
    expect(resolveLayers([defaultLayer, ...layers])).toMatchObject({ name: "unknown", format: "auto" });
  });
});

describe("layerOfFile", () => {
  it("reads marks and switch of reasoning from the template, and a window smaller than the default", () => {
    const template = readTemplate("Qwen3.5-4B");
    expect(layerOfFile({ template, contextSize: 2048 }).values).toEqual({
      reasoning: {
        marks: { start: "<think>\n", end: "\n</think>\n\n" },
        switch: { variable: "enable_thinking" },
      },
      context: { size: 2048 },
    });
    expect(layerOfFile({ template: "{{ messages }}", contextSize: 131_072 }).values).toEqual({});
  });

  it("throws for no template", () => {
    for (const name of templateNames()) layerOfFile({ template: readTemplate(name) });
  });
});
