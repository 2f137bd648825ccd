// Measures the schema compiler on a data set: `npm run bench:schemas -- --data FILE [--limit N] [--json OUT]`.
// Resumable: with --json each result is kept as a line, and a run with the same compiler goes on where it stopped.
// Masks are timed on the vocabulary of a cached model, one schema at a time, after the workers are done.
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { CallwrightError } from "../src/vocabulary/index.ts";
import { compilerHash } from "./schemas/compiler-hash.ts";
import { drawSample } from "./schemas/draw-sample.ts";
import type { SchemaVerdict } from "./schemas/judge-schema.ts";
import { readData } from "./schemas/read-data.ts";
import { type BenchVocabulary, readVocabulary } from "./schemas/read-vocabulary.ts";
import { reportLeast, reportVerdicts } from "./schemas/report.ts";
import { reportMasks } from "./schemas/report-masks.ts";
import {
  type CompileTime,
  isMaskTimes,
  isVerdict,
  keyPrefix,
  leastTimes,
  type RunEnd,
  type RunLine,
} from "./schemas/run-lines.ts";
import { runWorkers } from "./schemas/run-workers.ts";
import { type MaskTimes, timeMasks } from "./schemas/time-masks.ts";
import { defaultModel } from "./verify/open-bench-model.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import { openResultFile } from "./verify/result-file.ts";

const options = readOptions("npm run bench:schemas -- --data FILE", {
  data: "JSON lines {name, schema, tests}, plain or .gz, or the official suite as .tar.gz",
  limit: "only so many cases, spread over the file (all)",
  only: "only cases whose name contains this text",
  objects: "standard or closed (standard)",
  workers: "worker threads (one per core)",
  passes:
    "how often every schema is compiled, each time in a new worker; the least time of each is reported too (1)",
  timeout: "milliseconds one schema may take (10000)",
  masks: "how many schemas' masks are timed, or none (500)",
  model: `whose vocabulary the masks are over (${defaultModel})`,
  seed: "of the sample for the masks (1)",
  json: "file of results as JSON lines, taken up again where a run was stopped",
});

const path = options.data;
if (path === undefined) {
  process.stderr.write("Name a data set: --data FILE (see --help).\n");
  process.exit(2);
}
const objects = options.objects === "closed" ? "closed" : "standard";
const { cases, documents } = readData(path);
const chosen = choose(
  cases.map((_, index) => index).filter((index) => cases[index]?.name.includes(options.only ?? "")),
);
const file = options.json === undefined ? undefined : openResultFile<RunLine>(options.json);
const compiler = compilerHash();
const prefix = keyPrefix(compiler, objects);
const keyOf = (index: number) => `${prefix}${cases[index]?.name}${index}`;

const verdicts = await judgeAll();
process.stdout.write(`${reportVerdicts([...verdicts.values()])}\n`);
const passes = wholeNumber(options.passes, "passes", 1);
const later: CompileTime[] = [];
for (let pass = 2; pass <= passes; pass++) later.push(...(await compileAgain(pass)));
if (later.length > 0) process.stdout.write(`\n${reportLeast(leastTimes([...verdicts.values()], later))}\n`);
const vocabulary = options.masks === "none" ? undefined : await openVocabulary();
if (vocabulary !== undefined) {
  const times = timeAll(vocabulary);
  process.stdout.write(`\n${reportMasks(times, vocabulary.trie.vocabularySize)}\n`);
}
file?.append(`${prefix}run`, {
  type: "run",
  data: basename(path),
  objects,
  compiler,
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  cases: chosen.length,
  vocabulary: vocabulary?.trie.vocabularySize ?? 0,
  ...(vocabulary === undefined ? {} : { model: vocabulary.modelId }),
} satisfies RunEnd);

/** By the case's index. */
async function judgeAll(): Promise<ReadonlyMap<number, SchemaVerdict>> {
  const found = new Map<number, SchemaVerdict>();
  for (const index of chosen) {
    const line = file?.earlier.get(keyOf(index));
    if (line !== undefined && isVerdict(line)) found.set(index, line);
  }
  const pending = chosen.filter((index) => !found.has(index));
  const progress = createProgress({ label: "schemas", total: chosen.length, alreadyDone: found.size });
  await runWorkers({
    options: { documents, objects },
    cases,
    pending,
    workers: wholeNumber(options.workers, "workers", availableParallelism()),
    limitMs: wholeNumber(options.timeout, "timeout", 10_000),
    onVerdict: (verdict, index) => {
      found.set(index, verdict);
      file?.append(keyOf(index), verdict);
      progress.step(`${verdict.name.slice(0, 40)} ${verdict.compileMs.toFixed(1)} ms`);
    },
  });
  progress.finish();
  return found;
}

/** Every schema's compile time in one more pass, without its instances. */
async function compileAgain(pass: number): Promise<readonly CompileTime[]> {
  const times: CompileTime[] = [];
  const progress = createProgress({ label: `pass ${pass}`, total: chosen.length });
  await runWorkers({
    options: { documents, objects },
    cases: cases.map((each) => ({ ...each, tests: [] })),
    pending: chosen,
    workers: wholeNumber(options.workers, "workers", availableParallelism()),
    limitMs: wholeNumber(options.timeout, "timeout", 10_000),
    onVerdict: ({ name, compileMs }, index) => {
      const time = { type: "compile", name, compileMs } as const;
      times.push(time);
      file?.append(`${keyOf(index)} pass ${pass}`, time);
      progress.step(name.slice(0, 40));
    },
  });
  progress.finish();
  return times;
}

async function openVocabulary(): Promise<BenchVocabulary | undefined> {
  try {
    return await readVocabulary(options.model ?? defaultModel);
  } catch (error) {
    if (!(error instanceof CallwrightError) || error.code !== "model-missing") throw error;
    process.stdout.write(`\nMasks were not timed: ${error.message}\n`);
    return undefined;
  }
}

function timeAll(over: BenchVocabulary): readonly MaskTimes[] {
  const compiled = chosen.filter((index) => {
    const verdict = verdicts.get(index);
    return verdict !== undefined && verdict.error === undefined && verdict.valid > 0;
  });
  const count = wholeNumber(options.masks, "masks", 500);
  const sample = drawSample(compiled, count, wholeNumber(options.seed, "seed", 1));
  const progress = createProgress({ label: "masks", total: sample.length });
  const times = sample.map((index) => {
    const key = `${keyOf(index)} masks ${over.modelId}`;
    const line = file?.earlier.get(key);
    const known = line !== undefined && isMaskTimes(line) ? line : undefined;
    const result = known ?? timeMasks(cases[index] as (typeof cases)[number], { documents, objects }, over);
    if (known === undefined) file?.append(key, result);
    progress.step(result.name.slice(0, 40));
    return result;
  });
  progress.finish();
  return times;
}

function choose(indexes: readonly number[]): readonly number[] {
  const limit = wholeNumber(options.limit, "limit", Math.max(1, indexes.length));
  if (limit >= indexes.length) return indexes;
  return Array.from(
    { length: limit },
    (_, at) => indexes[Math.floor((at * indexes.length) / limit)] as number,
  );
}
