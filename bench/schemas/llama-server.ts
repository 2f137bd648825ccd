// llama-server as a child process: installed once from its Python wheel into a folder of the cache, started on a loopback
// port, asked over HTTP, started again where it was lost. Knows nothing of schemas.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const wheel = "xllamacpp==2026.10.11549";

export type ServerAnswer =
  | { readonly type: "accepted"; readonly content: string }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "lost"; readonly message: string };

export interface LlamaServer {
  /** One token under the grammar. */
  complete(grammar: string, prompt: string): Promise<ServerAnswer>;
  close(): void;
}

export interface LlamaServerOptions {
  readonly modelPath: string;
  /** Where the wheel is installed. */
  readonly folder: string;
  readonly threads: number;
  readonly milliseconds: number;
}

export interface StartedServer {
  readonly url: string;
  stop(): void;
}

const run = promisify(execFile);
const script = fileURLToPath(new URL("../llama-server.py", import.meta.url));
const startMilliseconds = 60_000;

/** Installs the wheel where it is missing. Throws where Python, pip or the wheel cannot be had. */
export async function createLlamaServer(options: LlamaServerOptions): Promise<LlamaServer> {
  const python = await install(options.folder);
  let started: { readonly child: ChildProcess; readonly url: string } | undefined;
  const stop = () => {
    started?.child.kill("SIGKILL");
    started = undefined;
  };
  process.once("exit", stop);
  return {
    async complete(grammar, prompt) {
      started ??= await start(python, options);
      try {
        const response = await fetch(`${started.url}/completion`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ prompt, grammar, n_predict: 1, temperature: 0 }),
          signal: AbortSignal.timeout(options.milliseconds),
        });
        return answerOf(response.ok, await response.text());
      } catch (error) {
        stop();
        return { type: "lost", message: error instanceof Error ? error.message : String(error) };
      }
    },
    close: stop,
  };
}

function answerOf(isGood: boolean, body: string): ServerAnswer {
  const answer = JSON.parse(body) as {
    readonly content?: string;
    readonly error?: { readonly message?: string };
  };
  if (isGood && answer.error === undefined && typeof answer.content === "string")
    return { type: "accepted", content: answer.content };
  return { type: "refused", message: answer.error?.message ?? body.slice(0, 300) };
}

/** Installs the wheel where it is missing, and starts it with a window of so many tokens for each slot. */
export async function startLlamaServer(
  options: Pick<LlamaServerOptions, "modelPath" | "folder" | "threads"> & {
    readonly window: number;
    readonly slots: number;
    /** A free one by default. */
    readonly port?: number;
  },
): Promise<StartedServer> {
  const python = await install(options.folder);
  const { child, url } = await start(python, options);
  const stop = () => void child.kill("SIGKILL");
  process.once("exit", stop);
  return { url, stop };
}

async function install(folder: string): Promise<string> {
  const python = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  if (existsSync(join(folder, "installed"))) return python;
  await mkdir(dirname(folder), { recursive: true });
  process.stderr.write(`installing ${wheel} into ${folder}, once\n`);
  await run("python3", ["-m", "venv", "--clear", folder]);
  await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel]);
  await mkdir(join(folder, "installed"));
  return python;
}

async function start(
  python: string,
  options: Pick<LlamaServerOptions, "modelPath" | "threads"> & {
    readonly window?: number;
    readonly slots?: number;
    readonly port?: number;
  },
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const { modelPath, threads, window = 512, slots = 1, port = await freePort() } = options;
  const child = spawn(python, [script, modelPath, ...[port, threads, window, slots].map(String)], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = performance.now() + startMilliseconds; performance.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`llama-server ended at its start (code ${child.exitCode})`);
    if (await isReady(url)) return { child, url };
    await wait(250);
  }
  child.kill("SIGKILL");
  throw new Error(`llama-server did not answer within ${startMilliseconds} ms`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    // Not listening yet; whoever asks has a deadline.
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
