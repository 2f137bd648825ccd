// Fetches one Python wheel with pip, whichever index pip is set up for, and without installing anything.
// Finds Python, gives up on an index that does not answer, and says why where pip fails.
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inheritedEnvironment } from "../home-folder.ts";
import { SourceFault } from "./opened-source.ts";

/** A Python interpreter that has pip. */
export interface Python {
  /** The interpreter itself: a launcher or shim in front of it would not pass a stop on. */
  readonly path: string;
  /** Milliseconds it took to start with pip. */
  readonly startup: number;
}

export interface PipDownloadOptions {
  readonly python: Python;
  /** An empty folder; pip's own temporary files go there too, so that whoever removes it leaves nothing behind. */
  readonly folder: string;
  readonly answerWithin: number;
  readonly signal: AbortSignal;
  readonly onPending?: (bytes: number) => void;
}

/** pip's settings stay the user's own, but for what its output must be to be read here. */
const pipSettings = {
  PYTHONUNBUFFERED: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_NO_INPUT: "1",
  PIP_NO_COLOR: "1",
  PIP_QUIET: "0",
};

const pollEvery = 200;
const startWithin = 30_000;

/** Downloads a wheel and gives its path. Throws `SourceFault`. */
export async function pipDownload(requirement: string, options: PipDownloadOptions): Promise<string> {
  const { folder, python, signal } = options;
  signal.throwIfAborted();
  const flags = ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--progress-bar", "off"];
  const child = spawn(python.path, ["-m", "pip", "download", ...flags, "--dest", folder, requirement], {
    env: { ...inheritedEnvironment(), ...pipSettings, TMPDIR: folder, TEMP: folder, TMP: folder },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const { code, lastLines, isLate } = await watchPip(child, options);
  signal.throwIfAborted();
  if (isLate)
    throw new SourceFault(`the package index did not answer within ${options.answerWithin / 1000} s`);
  if (code !== 0) throw new SourceFault(`pip could not fetch ${requirement} (${pipReason(lastLines)})`);
  const wheel = (await readdir(folder)).find((name) => name.endsWith(".whl"));
  if (wheel === undefined) throw new SourceFault(`pip fetched no wheel for ${requirement}`);
  return join(folder, wheel);
}

/** Finds an interpreter with pip. Throws `SourceFault` where there is none. */
export async function findPython(signal: AbortSignal): Promise<Python> {
  const candidates = [["python3"], ["python"], ["py", "-3"]];
  for (const [command = "", ...first] of candidates) {
    const asked = await ask(command, [...first, "-c", "import sys; print(sys.executable)"], signal);
    const path = asked.code === 0 ? (asked.lastLines.at(-1) ?? "").trim() : "";
    if (path === "") continue;
    const started = performance.now();
    const { code } = await ask(path, ["-m", "pip", "--version"], signal);
    if (code === 0) return { path, startup: performance.now() - started };
  }
  throw new SourceFault("Python 3 with pip was not found (tried python3, python and py)");
}

async function ask(command: string, args: readonly string[], signal: AbortSignal): Promise<ProcessOutput> {
  const options = { windowsHide: true, timeout: startWithin, signal } as const;
  const output = await readOutput(spawn(command, args, { ...options, stdio: ["ignore", "pipe", "ignore"] }));
  signal.throwIfAborted();
  return output;
}

interface ProcessOutput {
  /** Null where it was stopped or could not be started. */
  readonly code: number | null;
  readonly lastLines: readonly string[];
}

async function watchPip(
  child: ChildProcess,
  options: PipDownloadOptions,
): Promise<ProcessOutput & { readonly isLate: boolean }> {
  let isAnswered = false;
  let isLate = false;
  const onLate = () => {
    if (isAnswered) return;
    isLate = true;
    child.kill();
  };
  // What pip needs to start is not held against the index; twice, for a machine that has become busy.
  const timer = setTimeout(onLate, options.answerWithin + 2 * options.python.startup);
  const onAbort = () => child.kill();
  options.signal.addEventListener("abort", onAbort, { once: true });
  const poll = setInterval(async () => {
    const bytes = await wheelBytes(options.folder);
    if (bytes > 0) isAnswered = true;
    options.onPending?.(bytes);
  }, pollEvery);
  const onLine = (line: string) => {
    // pip names a file or a package only once the index has told it what there is.
    if (/^\s*(Collecting|Obtaining|Downloading|Using cached|Processing|Saved)/.test(line)) isAnswered = true;
  };
  try {
    return { ...(await readOutput(child, onLine)), isLate };
  } finally {
    clearTimeout(timer);
    clearInterval(poll);
    options.signal.removeEventListener("abort", onAbort);
  }
}

/** Reads a process to its end. */
function readOutput(child: ChildProcess, onLine?: (line: string) => void): Promise<ProcessOutput> {
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > 40) lastLines.shift();
      onLine?.(line);
    });
  }
  return new Promise((resolve) => {
    child.once("error", () => resolve({ code: null, lastLines }));
    child.once("close", (code) => resolve({ code, lastLines }));
    // A process that was stopped may have left children behind that hold its output open.
    child.once("exit", (code) => code === null && resolve({ code, lastLines }));
  });
}

function pipReason(lines: readonly string[]): string {
  const told =
    lines.filter((line) => /^(ERROR|error):/.test(line)).at(-1) ?? lines.at(-1) ?? "it said nothing";
  return told.replace(/^(ERROR|error):\s*/, "").trim();
}

/** Bytes of the wheels in a folder, also of the one that is being written. */
async function wheelBytes(folder: string): Promise<number> {
  try {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".whl"));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch {
    // pip moves its files while they are looked at; the next look will tell.
    return 0;
  }
}
