import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findModel } from "../../src/models/find-model.ts";
import { modelPath } from "../../src/models/model-path.ts";
import { type FileServer, sha256, startFileServer } from "./file-server.ts";

const content = Buffer.from("GGUF and more");

let home: string;
let server: FileServer;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-find-"));
  server = await startFileServer(content);
  const known = { size: content.length, sha256: sha256(content) };
  await writeFile(
    join(home, "models.json"),
    JSON.stringify({
      models: [
        { id: "mine", profile: "qwen3", sources: [{ type: "url", url: `${server.url}/x.gguf`, ...known }] },
        { id: "hubbed", sources: [{ type: "hub", uri: "hf:o/r/f.gguf" }] },
      ],
    }),
  );
});

afterEach(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

describe("findModel", () => {
  it("finds a model of the catalogue with its profile", async () => {
    await putFile(modelPath(home, "mine"), content);
    expect(await findModel("mine", { home })).toMatchObject({
      id: "mine",
      path: join(home, "models", "mine.gguf"),
      profile: { name: "qwen3", format: "hermes-json" },
    });
  });

  it("fetches nothing by itself and names the command that does", async () => {
    await expect(findModel("mine", { home })).rejects.toMatchObject({
      code: "model-missing",
      message: expect.stringContaining("callwright models pull mine"),
    });
    await expect(findModel(undefined, { home })).rejects.toMatchObject({
      code: "model-missing",
      message: expect.stringContaining("callwright models pull qwen2.5-coder-0.5b-instruct-q4_k_m"),
    });
    expect(server.requests).toEqual([]);
  });

  it("fetches where it is told to", async () => {
    expect((await findModel("mine", { home, fetch: true })).path).toBe(join(home, "models", "mine.gguf"));
  });

  it("removes a truncated file of the cache and says so", async () => {
    await putFile(modelPath(home, "mine"), content.subarray(0, 5));
    await expect(findModel("mine", { home })).rejects.toMatchObject({
      code: "model-file-invalid",
      message: expect.stringMatching(/removed: it has 5 bytes, not 13.*callwright models pull mine/),
    });
    expect(await readdir(join(home, "models"))).toEqual([]);
  });

  it("removes a file of the right size and the wrong content", async () => {
    await putFile(modelPath(home, "mine"), Buffer.from("GGUF but else"));
    await expect(findModel("mine", { home })).rejects.toMatchObject({
      code: "model-file-invalid",
      message: expect.stringContaining("SHA-256"),
    });
  });

  it("does not use a hub file that nothing vouches for", async () => {
    await putFile(modelPath(home, "hubbed"), content);
    await expect(findModel("hubbed", { home })).rejects.toMatchObject({ code: "model-file-invalid" });
  });

  it("trusts a hub file by its record, until it changes", async () => {
    const hub = { url: server.url };
    const { path } = await findModel("hubbed", { home, fetch: true, hub });
    expect(await findModel("hubbed", { home })).toMatchObject({ path });
    await writeFile(path, Buffer.from("GGUF and less"));
    await expect(findModel("hubbed", { home })).rejects.toMatchObject({ code: "model-file-invalid" });
  });

  it("hashes a file without a record once", async () => {
    await putFile(modelPath(home, "mine"), content);
    const notices: string[] = [];
    const options = { home, onNotice: (text: string) => notices.push(text) };
    await findModel("mine", options);
    await findModel("mine", options);
    expect(notices).toEqual(["checking mine, once"]);
  });

  it("takes the path of any GGUF file, with the profile of the model it is named like", async () => {
    const path = join(home, "Qwen3-0.6B-Q8_0.gguf");
    await putFile(path, content);
    expect(await findModel(path, { home })).toMatchObject({
      id: "Qwen3-0.6B-Q8_0",
      path,
      profile: { name: "qwen3" },
    });
    const other = join(home, "other.gguf");
    await putFile(other, content);
    expect(await findModel(other, { home })).toMatchObject({
      id: "other",
      profile: { name: "unknown", format: "auto" },
    });
  });

  it("takes a hub URI that no catalogue lists", async () => {
    const uri = "hf:owner/repo/sub/file.gguf@v1";
    await expect(findModel(uri, { home })).rejects.toMatchObject({ code: "model-missing" });
    const found = await findModel(uri, { home, fetch: true, hub: { url: server.url } });
    expect(found.path).toBe(join(home, "models", "hub", "owner", "repo", "v1", "sub", "file.gguf"));
    expect(await findModel(uri, { home })).toMatchObject({ id: uri, path: found.path });
  });

  it.each<[title: string, name: () => string, code: string, message: RegExp]>([
    ["an unknown id, with near names", () => "qwen3-0.6b", "model-unknown", /Did you mean qwen3-0\.6b-q8_0/],
    ["an id that is like none", () => "zzz", "model-unknown", /no model "zzz"\. A model is/],
    ["a hub URI that is none", () => "hf:owner/repo", "model-unknown", /hf:owner\/repo\/file\.gguf/],
    ["a path that leads out of the cache", () => "hf:o/r/../../f.gguf", "model-unknown", /hub URI/],
    ["a path without a file", () => join(home, "none.gguf"), "model-missing", /no file .*none\.gguf/],
    ["a folder", () => join(home, "folder.gguf"), "file-unreadable", /folder\.gguf/],
    ["a file that is no GGUF", () => join(home, "text.gguf"), "model-file-invalid", /not a GGUF file/],
    ["an empty file", () => join(home, "empty.gguf"), "model-file-invalid", /not a GGUF file/],
  ])("refuses %s", async (_title, name, code, message) => {
    await mkdir(join(home, "folder.gguf"));
    await putFile(join(home, "text.gguf"), Buffer.from("text of some length"));
    await putFile(join(home, "empty.gguf"), Buffer.alloc(0));
    await expect(findModel(name(), { home })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("removes no folder that stands where a model belongs", async () => {
    await mkdir(modelPath(home, "mine"), { recursive: true });
    await expect(findModel("mine", { home })).rejects.toMatchObject({ code: "model-file-invalid" });
    expect(await readdir(join(home, "models"))).toEqual(["mine.gguf"]);
  });

  it("never touches a file outside the cache", async () => {
    const path = join(home, "text.gguf");
    await putFile(path, Buffer.from("text"));
    await expect(findModel(path, { home })).rejects.toThrow();
    expect(await readdir(home)).toContain("text.gguf");
  });
});

async function putFile(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, bytes);
}
