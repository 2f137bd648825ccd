// Judges cases in worker threads, one per core, each case within a time limit: a worker that exceeds it is replaced.
import { Worker } from "node:worker_threads";
import type { JudgeOptions, SchemaVerdict } from "./judge-schema.ts";
import { keywordsOf } from "./keywords-of.ts";
import type { SchemaCase } from "./read-data.ts";

export interface WorkersRun {
  readonly options: JudgeOptions;
  readonly cases: readonly SchemaCase[];
  /** Indexes of cases to judge. */
  readonly pending: readonly number[];
  readonly workers: number;
  readonly limitMs: number;
  readonly onVerdict: (verdict: SchemaVerdict, index: number) => void;
}

const tickMs = 100;
/** A large young generation: a compile's short-lived objects die before they have to be copied. */
const compileWorkerLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 192 };

/** Resolves when every pending case has its verdict. */
export async function runWorkers(run: WorkersRun): Promise<void> {
  const queue = [...run.pending].reverse();
  await Promise.all(Array.from({ length: run.workers }, () => workThrough(run, queue)));
}

async function workThrough(run: WorkersRun, queue: number[]): Promise<void> {
  let worker: Worker | undefined;
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    worker ??= await startWorker(run);
    const schemaCase = run.cases[index] as SchemaCase;
    const verdict = await askWorker(worker, schemaCase, run);
    if (verdict === undefined) {
      await worker.terminate();
      worker = undefined;
    }
    run.onVerdict(verdict ?? unanswered(schemaCase, run.limitMs), index);
  }
  await worker?.terminate();
}

async function startWorker(run: WorkersRun): Promise<Worker> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: run.options,
    resourceLimits: compileWorkerLimits,
  });
  await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return worker;
}

/** The verdict, or undefined where the worker took too long or broke down. */
function askWorker(
  worker: Worker,
  schemaCase: SchemaCase,
  run: WorkersRun,
): Promise<SchemaVerdict | undefined> {
  return new Promise((resolve) => {
    // Counted in ticks, so that the time for which the whole process was halted does not count.
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks * tickMs >= run.limitMs) settle(undefined);
    }, tickMs);
    const onMessage = (verdict: SchemaVerdict) => settle(verdict);
    const onError = () => settle(undefined);
    function settle(verdict: SchemaVerdict | undefined): void {
      clearInterval(timer);
      worker.off("message", onMessage);
      worker.off("error", onError);
      resolve(verdict);
    }
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.postMessage(schemaCase);
  });
}

function unanswered(schemaCase: SchemaCase, limitMs: number): SchemaVerdict {
  const valid = schemaCase.tests.filter((test) => test.valid).length;
  return {
    name: schemaCase.name,
    split: schemaCase.split,
    error: `no verdict within ${limitMs} ms, or over the memory limit`,
    exact: false,
    satisfiable: false,
    residual: [],
    keywords: keywordsOf(schemaCase.schema),
    rules: 0,
    compileMs: limitMs,
    matchMs: 0,
    valid,
    invalid: schemaCase.tests.length - valid,
    wronglyOut: [],
    wronglyIn: [],
    wrongWithAjv: [],
  };
}
