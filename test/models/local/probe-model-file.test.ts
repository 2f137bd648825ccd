// Model files that hold a vocabulary and no weights tell all that choosing a format needs.
import { describe, expect, it } from "vitest";
import { probeModelFile } from "../../../src/models/local/probe-model-file.ts";
import { type PartialProfile, resolveProfile } from "../../../src/models/profile.ts";
import { readTemplate, type VocabularyName, vocabularyPath } from "../../llama-cpp-files.ts";

function probe(vocabulary: VocabularyName, profile: PartialProfile = {}, id = "some-model") {
  return probeModelFile({ path: vocabularyPath(vocabulary), id, profile: resolveProfile(profile) });
}

describe("probeModelFile", { timeout: 60_000 }, () => {
  it("tells a base model from others", async () => {
    const { choice, hasTemplate } = await probe("gpt-2");
    expect(hasTemplate).toBe(false);
    expect(choice.reason).toContain("base model");
    expect(choice.formats[0].name).toBe("plain-json");
  });

  it("reads back what the template writes, with the vocabulary's own tokens", async () => {
    const replacement = readTemplate("Qwen-Qwen3-0.6B");
    const { choice, hasTemplate } = await probe("qwen35", { template: { replacement } });
    expect(hasTemplate).toBe(true);
    expect(choice.formats[0].name).toBe("hermes-json");
    expect(choice.confirmed).toBe(true);
  });

  it("follows a profile that names a format", async () => {
    const { choice } = await probe("gpt-2", { format: "json-fence" });
    expect(choice.formats[0].name).toBe("json-fence");
    await expect(probe("gpt-2", { format: "xml" })).rejects.toThrow(/There is no format "xml"/);
  });

  it("says that a file is missing or none", async () => {
    const profile = resolveProfile({});
    const path = "/nowhere/none.gguf";
    await expect(probeModelFile({ path, id: "none", profile })).rejects.toThrow(/no readable model file/);
    const text = import.meta.filename;
    await expect(probeModelFile({ path: text, id: "none", profile })).rejects.toThrow(/no GGUF file/);
  });
});
