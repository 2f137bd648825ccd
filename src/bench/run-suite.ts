// Asks an arm every item of a run that is not answered yet, and writes each answer down before the next is asked.
import { CallwrightError } from "../vocabulary/index.ts";
import type { Arm, BenchItem } from "./bench-item.ts";
import { openRun, type ResultLine, type RunFile, type RunHeader } from "./result-file.ts";
import { judgeAnswer } from "./verdict.ts";

export interface RunSuiteOptions {
  readonly items: readonly BenchItem[];
  readonly arm: Arm;
  readonly header: RunHeader;
  /** The file of results; it is gone on with where it exists. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Told once with what is there already, then after each answer. */
  readonly onProgress: (progress: BenchProgress) => void;
}

export interface BenchProgress {
  readonly done: number;
  readonly total: number;
  /** Answers that this run has asked for itself. */
  readonly asked: number;
  /** The last answer; absent before the first. */
  readonly last?: ResultLine;
}

/**
 * The whole run, earlier answers included. An abort throws, and leaves a file that can be gone on with. Throws
 * `CallwrightError` (`request-invalid`) where the arm cannot take the items.
 */
export async function runSuite(options: RunSuiteOptions): Promise<RunFile> {
  const { items, arm, signal, onProgress } = options;
  if (!arm.takesTasks && items.some(({ task }) => task !== undefined)) {
    const text = `"${arm.name}" answers single turns, and this suite has tasks of several: ask it of the engine.`;
    throw new CallwrightError("request-invalid", text);
  }
  const file = openRun(options.path, options.header);
  const results = [...file.results];
  const answered = new Set(results.map(({ id }) => id));
  let asked = 0;
  onProgress({ done: results.length, total: items.length, asked });
  for (const item of items) {
    if (answered.has(item.id)) continue;
    signal.throwIfAborted();
    const answer = await arm.answer(item, signal);
    const line: ResultLine = {
      id: item.id,
      category: item.category,
      ...(item.wanted === undefined ? {} : { wanted: item.wanted }),
      tools: item.tools.length,
      verdict: judgeAnswer(item, answer),
      answer,
    };
    // An aborted turn ends without a call; it is no answer.
    signal.throwIfAborted();
    file.append(line);
    results.push(line);
    asked += 1;
    onProgress({ done: results.length, total: items.length, asked, last: line });
  }
  return { header: file.header, results };
}
