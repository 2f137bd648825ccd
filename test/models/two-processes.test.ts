// Processes of their own, as two terminals would start them.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchModel } from "../../src/models/fetch-model.ts";
import { type FileServer, sha256, startFileServer } from "./file-server.ts";

const content = Buffer.alloc(3_000_000, "weights ");

let home: string;
let server: FileServer;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-processes-"));
  server = await startFileServer(content);
});

afterEach(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

describe("two processes that fetch one model", { timeout: 60_000 }, () => {
  it("transfer it once, and both get the file", async () => {
    // The first transfer breaks off half-way, so that both are there at once.
    server.next.push("stall");
    const outcomes = await Promise.all([run(), run()].map(outcome));
    const path = join(home, "models", "m.gguf");
    expect(outcomes.map(({ stdout }) => stdout.trim())).toEqual([path, path]);
    expect(content.equals(await readFile(path))).toBe(true);
    const wholes = server.requests.filter(({ range }) => range === undefined);
    expect(wholes).toHaveLength(1);
    expect(outcomes.map(({ stderr }) => stderr).join()).toMatch(/process \d+ on \S+ is fetching m; waiting/);
    expect((await readdir(join(home, "models"))).sort()).toEqual(["m.gguf", "m.gguf.json"]);
  });

  it("go on where one that was killed has stopped", async () => {
    server.next.push("stall");
    const child = run({ stallAfter: 60_000 });
    const ended = outcome(child);
    const partial = join(home, "models", "m.gguf.partial");
    await expect.poll(() => sizeOf(partial), { timeout: 15_000 }).toBeGreaterThan(1_000_000);
    child.kill("SIGKILL");
    await ended;
    expect(await readdir(join(home, "models"))).toContain("m.gguf.lock");
    const kept = await sizeOf(partial);
    const path = await fetchModel(model(), { home });
    expect(content.equals(await readFile(path))).toBe(true);
    expect(server.requests.at(-1)?.range).toBe(`bytes=${kept}-`);
    expect((await readdir(join(home, "models"))).sort()).toEqual(["m.gguf", "m.gguf.json"]);
  });
});

function model() {
  const source = {
    type: "url",
    url: `${server.url}/m.gguf`,
    size: content.length,
    sha256: sha256(content),
  } as const;
  return { id: "m", sources: [source] };
}

function run(options: { readonly stallAfter?: number } = {}): ChildProcess {
  const hooks = pathToFileURL(fileURLToPath(new URL("../../scripts/typescript.mjs", import.meta.url))).href;
  const program = fileURLToPath(new URL("./fetch-in-process.ts", import.meta.url));
  const request = JSON.stringify({ model: model(), options: { home, stallAfter: 3_000, ...options } });
  return spawn(process.execPath, ["--import", hooks, program, request], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function outcome(child: ChildProcess): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  return { stdout, stderr };
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
