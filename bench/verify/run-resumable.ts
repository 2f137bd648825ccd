// Runs items one after another, keeping each result in a file, so that a run that was stopped goes on where it was.
// Knows nothing of what an item is.
import { createProgress } from "./progress.ts";
import { openResultFile } from "./result-file.ts";

export interface ResumableRun<Item, Result> {
  readonly label: string;
  readonly items: readonly Item[];
  /** Tells results apart, within everything that shapes them: model, seed, limits, item. */
  readonly keyOf: (item: Item) => string;
  readonly run: (item: Item, index: number) => Promise<Result>;
  readonly note: (result: Result) => string;
  /** Absent: nothing is kept. */
  readonly file?: string;
}

/** The results in the order of the items, earlier ones from the file. */
export async function runResumable<Item, Result>(
  run: ResumableRun<Item, Result>,
): Promise<readonly Result[]> {
  const file = run.file === undefined ? undefined : openResultFile<Result>(run.file);
  const alreadyDone = run.items.filter((item) => file?.earlier.has(run.keyOf(item))).length;
  if (alreadyDone > 0) {
    process.stderr.write(`${alreadyDone} results are from ${run.file}; remove it to run them again\n`);
  }
  const progress = createProgress({ label: run.label, total: run.items.length, alreadyDone });
  const results: Result[] = [];
  for (const [index, item] of run.items.entries()) {
    const key = run.keyOf(item);
    const earlier = file?.earlier.get(key);
    if (earlier !== undefined) {
      results.push(earlier);
      continue;
    }
    const result = await run.run(item, index);
    file?.append(key, result);
    results.push(result);
    progress.step(run.note(result));
  }
  progress.finish();
  return results;
}
