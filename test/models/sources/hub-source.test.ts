import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openHubFile, parseHubUri } from "../../../src/models/sources/hub-source.ts";

const hash = "ab".repeat(32);
const commit = "0123456789abcdef0123456789abcdef01234567";
const stated = { "x-linked-etag": `"${hash}"`, "x-linked-size": "4", "x-repo-commit": commit };

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe("parseHubUri", () => {
  it.each([
    ["hf:Qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf", "Qwen", "Qwen3-4B-GGUF", "Qwen3-4B-Q4_K_M.gguf", "main"],
    ["hf:o/r/sub/f.gguf@refs/pr/3", "o", "r", "sub/f.gguf", "refs/pr/3"],
  ])("reads %s", (uri, owner, repository, file, revision) => {
    expect(parseHubUri(uri)).toEqual({ owner, repository, file, revision });
  });

  it.each([
    "o/r/f.gguf",
    "hf:o/f.gguf",
    "hf:o/r/f.bin",
    "hf:o/r/../f.gguf",
    "hf:../r/f.gguf",
    "hf:o/r/f.gguf@..",
  ])("does not read %s", (uri) => expect(parseHubUri(uri)).toBeUndefined());
});

describe("openHubFile", () => {
  it("sends the token to the hub, and not to the store it redirects to", async () => {
    const seen: string[] = [];
    const store = await listen((request, response) => {
      seen.push(`store ${request.headers.authorization}`);
      response.end("GGUF");
    });
    const hub = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization}`);
      response.writeHead(302, { ...stated, location: `${store.replace("127.0.0.1", "localhost")}/f` }).end();
    });
    await new Promise<void>((resolve) => hub.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
    const opened = await open(url, "secret");
    for await (const chunk of opened.chunks) expect(chunk.type).toBe("bytes");
    hub.closeAllConnections();
    hub.close();
    expect(seen).toEqual(["HEAD Bearer secret", "GET Bearer secret", "store undefined"]);
    expect(opened.stated).toEqual({ size: 4, sha256: hash });
  });

  it("follows a renamed repository on the same host", async () => {
    const url = await listen((request, response) => {
      if (request.url?.startsWith("/o/r/") === true) {
        response.writeHead(307, { location: request.url.replace("/o/r/", "/o/renamed/") }).end();
        return;
      }
      response.writeHead(200, stated).end(request.method === "HEAD" ? undefined : "GGUF");
    });
    expect((await open(url)).stated).toEqual({ size: 4, sha256: hash });
  });

  it.each<[title: string, handler: RequestListener, message: string]>([
    [
      "there is no such file",
      (_, response) => void response.writeHead(404).end(),
      "the hub has no such file",
    ],
    ["the model is gated", (_, response) => void response.writeHead(401).end(), "set HF_TOKEN"],
    ["no hash is stated", (_, response) => void response.writeHead(200).end(), "states no SHA-256"],
    ["the hub fails", (_, response) => void response.writeHead(503).end(), "the hub answered 503"],
    [
      "it redirects in a circle",
      (request, response) => void response.writeHead(307, { location: request.url }).end(),
      "redirects in a circle",
    ],
  ])("says so where %s", async (_title, handler, message) => {
    await expect(open(await listen(handler))).rejects.toThrow(message);
  });
});

async function listen(handler: RequestListener): Promise<string> {
  server = createServer(handler);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(url: string, token?: string) {
  return openHubFile(
    { uri: "hf:o/r/f.gguf" },
    {
      hub: { url, ...(token === undefined ? {} : { token }) },
      signal: new AbortController().signal,
      answerWithin: 2_000,
      stallAfter: 2_000,
      workFolder: "unused",
    },
  );
}
