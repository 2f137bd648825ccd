// Tries a chat template that nobody knows in a process that may be killed, before it is rendered in this one: the engines
// run inside the process and cannot be stopped. Keeps each verdict, so that a template is tried once on a machine.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isKnownTemplate, mostTemplateText } from "../../formats/index.ts";
import { CallwrightError, isAborted } from "../../vocabulary/index.ts";
import { createFolder } from "../create-folder.ts";
import { inheritedEnvironment } from "../home-folder.ts";
import { readJsonIfPresent } from "../read-if-present.ts";
import type { TemplateTask, TrialLine } from "./template-trial.ts";

export interface TryTemplateOptions {
  readonly template: string;
  readonly beginText: string;
  readonly endText: string;
  /** The folder of verdicts is in it. */
  readonly home: string;
  /** Version of the engine: another one is another trial. */
  readonly engine: string;
  /** Milliseconds of processor time that the renders of the trial may take. */
  readonly cpuLimit?: number;
  readonly signal?: AbortSignal;
}

export const defaultCpuLimit = 5_000;

/** Bounds a trial that does not even begin, or sleeps; far beyond what a busy machine needs. */
const timeLimit = 60_000;
/** The runtime alone takes a fifth of it. */
const memoryLimit = 1024 * 2 ** 20;
const heapMegabytes = 512;
/** Characters that are read of what the trial says. */
const mostSaid = 10_000;
/** Raised when a trial asks for more than before. */
const trialVersion = 1;

/**
 * Why this template must not be rendered here, as part of a sentence; undefined where it may. A template to the byte like
 * a known one is not tried. Throws `CallwrightError` `aborted`, and nothing else: a trial that cannot be made is a reason.
 */
export async function templateFault(options: TryTemplateOptions): Promise<string | undefined> {
  const { template, home } = options;
  if (template.length > mostTemplateText) {
    return `it has ${template.length} characters, more than ${mostTemplateText}`;
  }
  if (isKnownTemplate(template)) return undefined;
  const path = verdictPath(home, options);
  const known = await readVerdict(path);
  if (known !== undefined) return known.fault ?? undefined;
  const { fault, isCertain } = await runTrial(options).catch((error: unknown) => {
    if (isAborted(error)) throw error;
    // Where no process may be started at all, Node throws instead of telling by an event.
    return untried(error instanceof Error ? error.message : String(error));
  });
  if (isCertain) await writeVerdict(path, { fault: fault ?? null });
  return fault;
}

interface Trial {
  readonly fault?: string;
  /** Whether it would end so again. */
  readonly isCertain: boolean;
}

function runTrial(options: TryTemplateOptions): Promise<Trial> {
  const { template, beginText, endText, cpuLimit = defaultCpuLimit, signal } = options;
  const task: TemplateTask = { template, beginText, endText, cpuLimit, memoryLimit };
  return new Promise((resolve, reject) => {
    // The environment's own options for Node may ask for a debugger's port, which this process has already.
    const env = { ...inheritedEnvironment(), NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" };
    const child = spawn(process.execPath, programArguments(), {
      env,
      stdio: ["pipe", "pipe", "pipe"],
      timeout: timeLimit,
      killSignal: "SIGKILL",
      windowsHide: true,
      ...(signal ? { signal } : {}),
    });
    let said = "";
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      if (complaint.length < mostSaid) complaint += piece;
    });
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      if (said.length < mostSaid) said += piece;
    });
    // One that dies at once leaves the task half read; how it died is what counts.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(task));
    child.once("error", (cause) => {
      if (signal?.aborted) reject(new CallwrightError("aborted", "Aborted.", { cause }));
      else resolve(untried(cause.message));
    });
    child.once("close", (code, killedBy) => {
      const error = /^\w*Error\b.*$/m.exec(complaint)?.[0];
      resolve(judge(said, killedBy ?? error ?? `exit code ${code}`));
    });
  });
}

/** What a trial that said this, and ended in this way, found. */
function judge(said: string, ending: string): Trial {
  const lines = said.split("\n").flatMap((line): readonly TrialLine[] => {
    try {
      return [JSON.parse(line) as TrialLine];
    } catch {
      // A line cut short by the end of the process, or one that the runtime wrote.
      return [];
    }
  });
  const last = lines.findLast((line) => line.type === "end");
  if (last?.fault !== undefined) return { fault: last.fault, isCertain: true };
  if (last !== undefined) return { isCertain: true };
  if (lines.length === 0) return untried(ending);
  return { fault: `in its trial it ended the process (${ending})`, isCertain: true };
}

function untried(reason: string): Trial {
  return { fault: `it could not be tried in a process of its own: ${reason}`, isCertain: false };
}

/** Node runs the built program as it is; the sources only with this repository's hooks. */
function programArguments(): readonly string[] {
  const isSource = import.meta.url.endsWith(".ts");
  const program = new URL(`./template-trial.${isSource ? "ts" : "js"}`, import.meta.url);
  const hooks = new URL("../../../scripts/typescript.mjs", import.meta.url);
  return [
    `--max-old-space-size=${heapMegabytes}`,
    ...(isSource ? ["--import", hooks.href] : []),
    fileURLToPath(program),
  ];
}

interface Verdict {
  readonly fault: string | null;
}

function verdictPath(home: string, { template, engine }: TryTemplateOptions): string {
  const key = JSON.stringify([trialVersion, engine, template]);
  return join(home, "templates", `${createHash("sha256").update(key).digest("hex")}.json`);
}

/** Undefined where there is none that can be read: the template is then tried again. */
async function readVerdict(path: string): Promise<Verdict | undefined> {
  const found = (await readJsonIfPresent(path).catch(() => undefined)) as Partial<Verdict> | null | undefined;
  const fault = found?.fault;
  return fault === null || typeof fault === "string" ? { fault } : undefined;
}

/** A verdict that cannot be kept costs a trial at the next start, and nothing else. */
async function writeVerdict(path: string, verdict: Verdict): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  try {
    await createFolder(join(path, ".."));
    await writeFile(temporary, `${JSON.stringify(verdict)}\n`);
    await rename(temporary, path);
  } catch {
    // Where nothing can be written, there may be nothing to remove.
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
