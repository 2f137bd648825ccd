// `callwright models`, where it matters as a process: what goes to stdout and stderr, exit codes, and Ctrl-C.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exitCodeOfError } from "../../src/cli/exit-codes.ts";
import { createProgram } from "../../src/cli/program.ts";
import { fetchModel, loadCatalogue } from "../../src/models/index.ts";
import { type FileServer, sha256, startFileServer } from "../models/file-server.ts";

const content = Buffer.alloc(2_000_000, "GGUF weights ");

let home: string;
let server: FileServer;
let path: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-cli-models-"));
  server = await startFileServer(content);
  path = join(home, "models", "mine.gguf");
  const source = { type: "url", url: `${server.url}/f.gguf`, size: content.length, sha256: sha256(content) };
  const models = [{ id: "mine", title: "My model", licence: "MIT", sources: [source] }];
  await writeFile(join(home, "models.json"), JSON.stringify({ default: "mine", models }));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(home, { recursive: true, force: true });
});

describe("callwright models", { timeout: 60_000 }, () => {
  it("pulls the default model: its path on stdout, progress on stderr", async () => {
    const { code, stdout, stderr } = await callwright("pull");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}\n` });
    expect(stderr).toContain(`fetching mine from ${server.url}/f.gguf\n`);
    expect(stderr).toContain("mine: 100 % of 2.0 MB\n");
    expect(await callwright("where")).toEqual({ code: 0, stdout: `${path}\n`, stderr: "" });
  });

  it("lists what there is, for people and for programs", async () => {
    await fetchMine();
    const plain = (await callwright("list")).stdout.split("\n");
    expect(plain.find((line) => line.includes("My model"))).toMatch(
      /^\*\+ mine {2,}2\.0 MB {2}My model \(MIT\)$/,
    );
    const lines = (await callwright("list", "--json")).stdout.trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as { readonly id: string });
    expect(rows.find(({ id }) => id === "mine")).toEqual({
      id: "mine",
      title: "My model",
      family: "unknown",
      licence: "MIT",
      context: null,
      isDefault: true,
      state: "good",
      size: 2_000_000,
      path,
    });
    expect(rows.find(({ id }) => id === "qwen3-4b-q4_k_m")).toMatchObject({
      isDefault: false,
      size: null,
      path: null,
    });
  });

  it("lists servers behind the models, and fetches none", async () => {
    const { stdout } = await callwright("list");
    expect(stdout).toMatch(/^ @ ollama {2,}Ollama on this machine \(http:\/\/127\.0\.0\.1:11434\/v1\)$/m);
    const rows = (await callwright("list", "--json")).stdout.trim().split("\n");
    expect(rows.map((row) => JSON.parse(row)).find(({ id }) => id === "openai")).toMatchObject({
      state: "server",
    });
    expect((await callwright("profile", "ollama")).stdout).toContain("callwright models probe ollama");
    const { code, stderr } = await callwright("pull", "ollama");
    expect([code, stderr]).toEqual([2, expect.stringContaining("ollama is a server")]);
  });

  it("verifies by reading again, and removes what is damaged", async () => {
    await fetchMine();
    const good = await callwright("verify");
    expect(good).toEqual({ code: 0, stdout: `mine  good  ${sha256(content)}  ${path}\n`, stderr: "" });
    const damaged = Buffer.from(content);
    damaged[1_000_000] = 0;
    await writeFile(path, damaged);
    const { code, stdout, stderr } = await callwright("verify", "mine");
    expect(code).toBe(6);
    expect(stderr).toBe("Fetch it again with: callwright models pull mine\n");
    expect(stdout).toBe(`mine  removed  its SHA-256 is ${sha256(damaged)}, not ${sha256(content)}\n`);
    expect(await readdir(join(home, "models"))).toEqual([]);
  });

  it("says so where there is nothing to verify", async () => {
    expect(await callwright("verify")).toEqual({
      code: 0,
      stdout: "",
      stderr: "Nothing to verify: no model of the catalogue is on this machine.\n",
    });
  });

  it("lists what is damaged or fetched in part as such", async () => {
    const stateOfMine = async () => {
      const rows = (await callwright("list", "--json")).stdout.trim().split("\n");
      return rows.map((row) => JSON.parse(row)).find(({ id }) => id === "mine").state;
    };
    expect(await stateOfMine()).toBe("missing");
    await mkdir(join(home, "models"), { recursive: true });
    await writeFile(`${path}.partial`, "GG");
    expect(await stateOfMine()).toBe("partial");
    await writeFile(path, "GGUF and not more");
    expect(await stateOfMine()).toBe("wrong");
  });

  it.each<[title: string, args: readonly string[], code: number, message: RegExp]>([
    ["a missing model", ["where"], 3, /^The model mine is not on .* callwright models pull mine$/],
    ["an unknown model", ["pull", "mien"], 3, /^There is no model "mien"\. Did you mean mine\?/],
    ["a kind of source that is none", ["pull", "--source", "ftp"], 2, /^--source names "ftp"; /],
    [
      "a kind the model has not",
      ["pull", "--source", "wheels"],
      3,
      /^mine could not be fetched: .*only url\.$/,
    ],
    ["a file of one's own", ["verify", "x.gguf"], 2, /x\.gguf is a file of your own; /],
  ])("says in one line what is wrong with %s", async (_title, args, code, message) => {
    vi.stubEnv("CALLWRIGHT_HOME", home);
    vi.stubEnv("CALLWRIGHT_SOURCES", "");
    const failure = await createProgram()
      .parseAsync(["models", ...args], { from: "user" })
      .catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ message: expect.stringMatching(message) });
    expect((failure as Error).message).not.toContain("\n");
    expect(exitCodeOfError(failure)).toBe(code);
  });

  it("stops on Ctrl-C with what can be resumed, and goes on from there", async () => {
    server.next.push("stall");
    const child = start(["pull"]);
    const outcome = finish(child);
    const partial = `${path}.partial`;
    await expect.poll(() => sizeOf(partial), { timeout: 15_000 }).toBeGreaterThan(500_000);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr.trim().split("\n").at(-1)).toMatch(/^callwright: /);
    expect((await readdir(join(home, "models"))).sort()).toEqual([
      "mine.gguf.partial",
      "mine.gguf.partial.json",
    ]);
    const kept = await sizeOf(partial);
    await fetchMine();
    expect(server.requests.at(-1)?.range).toBe(`bytes=${kept}-`);
  });

  it("explains itself", () => {
    let help = "";
    const program = createProgram();
    const models = program.commands.find((command) => command.name() === "models")!;
    models.configureOutput({ writeOut: (part) => (help += part) }).outputHelp();
    for (const word of ["list", "pull", "where", "verify", "Examples:", "CALLWRIGHT_HOME"]) {
      expect(help).toContain(word);
    }
    help = "";
    const verify = models.commands.find((command) => command.name() === "verify")!;
    verify.configureOutput({ writeOut: (part) => (help += part) }).outputHelp();
    expect(help).toMatch(/Exit code: .*6 where one was removed/);
  });
});

async function fetchMine(): Promise<void> {
  const { models } = await loadCatalogue({ home });
  await fetchModel(models.find(({ id }) => id === "mine")!, { home });
}

function callwright(...args: readonly string[]) {
  return finish(start(args));
}

function start(args: readonly string[]) {
  const hooks = new URL("../../scripts/typescript.mjs", import.meta.url).href;
  const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  const { CALLWRIGHT_SOURCES: _, ...inherited } = process.env;
  return spawn(process.execPath, ["--import", hooks, main, "models", ...args], {
    env: { ...inherited, CALLWRIGHT_HOME: home, NO_PROXY: "127.0.0.1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function finish(child: ReturnType<typeof start>) {
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
