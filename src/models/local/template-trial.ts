// A program of its own: renders a chat template that nobody knows, where it may hang, exhaust or crash no process but this.
// Started by try-template.ts, which gives the task on standard input and reads one JSON line after another.
import { writeSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { createTemplateRenderer, rehearseTemplate } from "../../formats/index.ts";
import { CallwrightError } from "../../vocabulary/index.ts";
import { loadTemplateEngine } from "./llama-runtime.ts";

export interface TemplateTask {
  readonly template: string;
  readonly beginText: string;
  readonly endText: string;
  /** Processor time that the renders may take, in milliseconds. */
  readonly cpuLimit: number;
  /** Memory that the process may take, in bytes. */
  readonly memoryLimit: number;
}

/** `begin` once the runtime is there, then at most one `end`: `fault` says why the template must not be used. */
export type TrialLine = { readonly type: "begin" } | { readonly type: "end"; readonly fault?: string };

/**
 * A thread that ends the process where a limit is passed: the main one is busy inside the engine. Processor time and not
 * time, so that a busy machine does not condemn a template.
 */
const watcherCode = `
const { writeSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const started = process.cpuUsage();
const seconds = workerData.cpuLimit / 1000;
const megabytes = Math.round(workerData.memoryLimit / 2 ** 20);
setInterval(() => {
  const { user, system } = process.cpuUsage(started);
  if ((user + system) / 1e6 > seconds) stop(seconds + " s");
  if (process.memoryUsage.rss() > workerData.memoryLimit) stop(megabytes + " MB of memory");
}, 20);
function stop(limit) {
  const line = { type: "end", fault: "in its trial it took more than " + limit };
  writeSync(1, JSON.stringify(line).concat("\\n"));
  process.kill(process.pid, "SIGKILL");
}
parentPort.postMessage("ready");
`;

await runTrial(JSON.parse(await text(process.stdin)) as TemplateTask);

async function runTrial(task: TemplateTask): Promise<void> {
  const { template, beginText, endText } = task;
  const engine = await loadTemplateEngine();
  const render = createTemplateRenderer({
    template,
    beginText,
    endText,
    date: new Date(),
    ...(engine ? { engine } : {}),
  });
  await watch(task);
  say({ type: "begin" });
  rehearseTemplate((input) => {
    try {
      return render(input);
    } catch (error) {
      // What the template raises is the probe's matter; this is what the renderer itself has against it.
      if (error instanceof CallwrightError) end(String(error.details?.reason));
      throw error;
    }
  });
  end();
}

async function watch({ cpuLimit, memoryLimit }: TemplateTask): Promise<void> {
  const watcher = new Worker(watcherCode, { eval: true, workerData: { cpuLimit, memoryLimit } });
  await new Promise((resolve, reject) => {
    watcher.once("message", resolve);
    watcher.once("error", reject);
  });
}

function end(fault?: string): never {
  say({ type: "end", ...(fault === undefined ? {} : { fault }) });
  process.exit();
}

/** Written at once: a process that is killed loses what waits to be written. */
function say(line: TrialLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
