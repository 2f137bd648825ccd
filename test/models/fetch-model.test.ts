import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FetchModelOptions, type FetchProgress, fetchModel } from "../../src/models/fetch-model.ts";
import type { FetchableModel, ModelSource } from "../../src/models/model-entry.ts";
import { type FileServer, sha256, startFileServer } from "./file-server.ts";

const content = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 7 + (index >> 8)) % 256));
const known = { size: content.length, sha256: sha256(content) };

let home: string;
let server: FileServer;
let notices: string[];
let options: FetchModelOptions;
/** For servers that never answer. Long enough for one that does, on a busy machine. */
const impatient = { answerWithin: 3_000, stallAfter: 3_000 };

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-fetch-"));
  server = await startFileServer(content);
  notices = [];
  options = {
    home,
    answerWithin: 20_000,
    stallAfter: 20_000,
    hub: { url: server.url },
    onNotice: (text) => notices.push(text),
  };
});

afterEach(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

describe("fetchModel", () => {
  it("fetches a URL, checks it, and leaves nothing but the file and its record", async () => {
    const path = await fetchModel(model(url()), options);
    expect(path).toBe(join(home, "models", "m.gguf"));
    await expectContent(path);
    expect((await readdir(join(home, "models"))).sort()).toEqual(["m.gguf", "m.gguf.json"]);
  });

  it("advises what can help: a network is none where all sources are local", async () => {
    const local = { type: "path", path: join(home, "none.gguf"), ...known } as const;
    const fail = (...sources: readonly ModelSource[]) =>
      fetchModel(model(...sources), options).catch((error: unknown) => (error as Error).message);
    expect(await fail(local)).toMatch(/\(ENOENT\)\. Mend the path in the catalogue\.$/);
    await server.close();
    expect(await fail(local, url())).toMatch(/Check the network and try again\.$/);
  });

  it("asks nobody for a model that is there", async () => {
    await fetchModel(model(url()), options);
    const asked = server.requests.length;
    await fetchModel(model(url()), options);
    expect(server.requests.length).toBe(asked);
  });

  it("reports progress up to the whole size", async () => {
    const seen: FetchProgress[] = [];
    await fetchModel(model(url()), { ...options, onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({
      id: "m",
      source: `${server.url}/m.gguf`,
      done: content.length,
      total: content.length,
    });
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b));
  });

  it.each(["cut", "stall"] as const)(
    "takes a transfer up again that was %s off, from where it was",
    async (fault) => {
      server.next.push(fault);
      const path = await fetchModel(model(url()), { ...options, ...impatient });
      await expectContent(path);
      const ranges = server.requests.map(({ range }) => range);
      expect(ranges[0]).toBeUndefined();
      expect(Number(/^bytes=(\d+)-$/.exec(ranges[1] ?? "")?.[1])).toBeGreaterThan(0);
    },
  );

  it("starts afresh where the server's file has changed since", async () => {
    server.next.push("cut");
    const old = Buffer.alloc(content.length, 1);
    server.content = old;
    const fetching = fetchModel(model(url()), { ...options, onNotice: () => replaceContent(server) });
    await expectContent(await fetching);
  });

  it("starts afresh where the server knows no ranges", async () => {
    server.next.push("cut", "no-ranges");
    await expectContent(await fetchModel(model(url()), options));
    expect(server.requests[1]?.range).toBeDefined();
  });

  it("gives up a source that breaks off without progress", async () => {
    server.next.push("cut", "silent");
    await expect(fetchModel(model(url()), { ...options, ...impatient })).rejects.toMatchObject({
      code: "model-download-failed",
    });
  });

  it.each([
    ["does not answer in time", "silent", "did not answer within 3 s"],
    ["has no such file", "not-found", "404"],
    ["answers with a page of its own", "other-page", "26 bytes"],
  ] as const)("gives way to the next source where one %s", async (_title, behaviour, reason) => {
    server.next.push(behaviour);
    const sources = model(url("/first.gguf"), url("/second.gguf"));
    const path = await fetchModel(sources, { ...options, ...impatient });
    await expectContent(path);
    expect(notices.join()).toContain("first.gguf");
    expect(notices.join()).toContain(reason);
  });

  it("gives way where a source cannot be reached", async () => {
    const gone = await startFileServer(content);
    await gone.close();
    const path = await fetchModel(model(url("/m.gguf", gone.url), url()), options);
    await expectContent(path);
  });

  it("never uses a file with the wrong hash, and removes it", async () => {
    const source = { ...url(), sha256: "0".repeat(64) };
    await expect(fetchModel(model(source), options)).rejects.toMatchObject({
      code: "model-download-failed",
      message: expect.stringContaining(`SHA-256 ${known.sha256}`),
    });
    expect(await readdir(join(home, "models"))).toEqual([]);
  });

  it("refuses a file of the wrong size before reading it", async () => {
    const source = { ...url(), size: content.length + 1 };
    await expect(fetchModel(model(source), options)).rejects.toMatchObject({
      message: expect.stringContaining(`400000 bytes, 400001 were expected`),
    });
    expect(await readdir(join(home, "models"))).toEqual([]);
  });

  it("stops reading a file that grows beyond its size", async () => {
    const path = join(home, "growing.bin");
    await writeFile(path, content);
    const source = { type: "path", path, size: content.length - 1, sha256: known.sha256 } as const;
    await expect(fetchModel(model(source), options)).rejects.toMatchObject({ code: "model-download-failed" });
  });

  it("stops at once when aborted, keeps what can be resumed, and goes on from there", async () => {
    server.next.push("stall");
    const controller = new AbortController();
    const stopped = fetchModel(model(url()), {
      ...options,
      signal: controller.signal,
      onProgress: ({ done }) => done > 100_000 && controller.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    const left = await readdir(join(home, "models"));
    expect(left.sort()).toEqual(["m.gguf.partial", "m.gguf.partial.json"]);
    const kept = (await stat(join(home, "models", "m.gguf.partial"))).size;
    await expectContent(await fetchModel(model(url()), options));
    expect(server.requests[1]?.range).toBe(`bytes=${kept}-`);
  });

  it("does not start when it is aborted already", async () => {
    const signal = AbortSignal.abort();
    await expect(fetchModel(model(url()), { ...options, signal })).rejects.toMatchObject({ code: "aborted" });
    expect(server.requests).toEqual([]);
  });

  it("does not take up a partial file of another source", async () => {
    server.next.push("cut", "silent");
    await expect(fetchModel(model(url("/a.gguf")), { ...options, ...impatient })).rejects.toThrow();
    server.next.length = 0;
    server.requests.length = 0;
    await fetchModel(model(url("/b.gguf")), options);
    expect(server.requests.map(({ range }) => range)).toEqual([undefined]);
  });

  it("keeps a partial file while the other sources cannot even be opened", async () => {
    const [first, second] = [url("/first.gguf"), url("/second.gguf")];
    server.next.push("cut", "silent", "not-found");
    await expect(fetchModel(model(first, second), { ...options, ...impatient })).rejects.toThrow(
      /first\.gguf.*second\.gguf: it answered 404/,
    );
    server.next.length = 0;
    server.requests.length = 0;
    await expectContent(await fetchModel(model(first, second), options));
    expect(server.requests).toEqual([
      { method: "GET", path: "/first.gguf", range: expect.stringMatching(/^bytes=[1-9]/) },
    ]);
  });

  it("starts afresh where a resumed file turns out wrong", async () => {
    server.next.push("cut", "silent");
    await expect(fetchModel(model(url()), { ...options, ...impatient })).rejects.toThrow();
    server.next.length = 0;
    const partial = join(home, "models", "m.gguf.partial");
    await writeFile(partial, Buffer.alloc((await stat(partial)).size, 9));
    await expectContent(await fetchModel(model(url()), options));
  });

  it("narrows the kinds of source, and says so where none is left", async () => {
    const path = join(home, "source.gguf");
    await writeFile(path, content);
    const both = model(url(), { type: "path", path, ...known });
    await fetchModel(both, { ...options, kinds: ["path"] });
    expect(server.requests).toEqual([]);
    await expect(fetchModel({ ...both, id: "n" }, { ...options, kinds: ["wheels"] })).rejects.toMatchObject({
      message: expect.stringContaining("no source of the kinds wheels, only url, path"),
    });
  });

  it("replaces a damaged file, saying why", async () => {
    await mkdir(join(home, "models"));
    await writeFile(join(home, "models", "m.gguf"), content.subarray(0, 1000));
    await expectContent(await fetchModel(model(url()), options));
    expect(notices).toEqual([expect.stringContaining("was removed: it has 1000 bytes, not 400000")]);
  });

  it("checks a hub file against what the hub states, records it, and reads it at that commit", async () => {
    const source = { type: "hub", uri: "hf:owner/repo/dir/file.gguf" } as const;
    const path = await fetchModel(model(source), options);
    expect(JSON.parse(await readFile(`${path}.json`, "utf8"))).toMatchObject({
      size: content.length,
      sha256: known.sha256,
      source: "hf:owner/repo/dir/file.gguf",
    });
    expect(server.requests).toEqual([
      { method: "HEAD", path: "/owner/repo/resolve/main/dir/file.gguf" },
      { method: "GET", path: "/owner/repo/resolve/0123456789abcdef0123456789abcdef01234567/dir/file.gguf" },
    ]);
  });

  it("refuses a hub file whose stated hash is not the catalogue's, without reading it", async () => {
    const source = { type: "hub", uri: "hf:o/r/f.gguf", ...known, sha256: "1".repeat(64) } as const;
    await expect(fetchModel(model(source), options)).rejects.toThrow(/SHA-256/);
    expect(server.requests.map(({ method }) => method)).toEqual(["HEAD"]);
  });

  it("does not believe a hub whose bytes are not what it states", async () => {
    server.next.push("other-page");
    const source = { type: "hub", uri: "hf:o/r/f.gguf" } as const;
    await expect(fetchModel(model(source), options)).rejects.toMatchObject({ code: "model-download-failed" });
    expect(await readdir(join(home, "models"))).toEqual([]);
  });

  it("says in one line why its folder cannot be created", async () => {
    await writeFile(join(home, "models"), "a file where the folder should be");
    await expect(fetchModel(model(url()), options)).rejects.toMatchObject({ code: "file-unreadable" });
  });
});

/** Compared as a whole: element by element takes a second. */
async function expectContent(path: string): Promise<void> {
  expect(content.equals(await readFile(path))).toBe(true);
}

function model(...sources: readonly ModelSource[]): FetchableModel {
  return { id: "m", sources };
}

function url(path = "/m.gguf", base = server.url) {
  return { type: "url", url: base + path, ...known } as const;
}

function replaceContent(target: FileServer): void {
  target.content = content;
  target.etag = '"second"';
}
