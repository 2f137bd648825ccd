// npm run verify:calls: one required call per drawn schema on a small hot model; under an exact schema every one must be
// valid at the first attempt. Exit code 1 where a stated bound is broken.
import { drawBySeed, readOwnSchemas, readToolLikeSchemas } from "./draw-schemas.ts";
import { openBenchModel, smallestModel } from "./verify/open-bench-model.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import { hotProfile, printCalls, runCall, summarizeCalls } from "./verify/run-call.ts";
import { runResumable } from "./verify/run-resumable.ts";

const options = readOptions("npm run verify:calls -- [--data FILE] [--count 500] [--seed 1] [--model ID]", {
  data: "MaskBench file of JSON lines, plain or .gz; left out: the repository's own forty schemas",
  count: "schemas to draw, 500 by default",
  seed: "shapes the draw and each call, 1 by default",
  model: `catalogue id, path or hub URI, ${smallestModel} by default`,
  "max-tokens": "tokens one reply may have, 1024 by default",
  out: "file of results, taken up again where it exists",
});
const seed = wholeNumber(options.seed, "seed", 1);
const maxTokens = wholeNumber(options["max-tokens"], "max-tokens", 1024);
const name = options.model ?? smallestModel;

const pool = options.data === undefined ? readOwnSchemas() : await readToolLikeSchemas(options.data);
const items = drawBySeed(pool, wholeNumber(options.count, "count", 500), seed);
process.stderr.write(`${items.length} of ${pool.length} schemas, seed ${seed}, model ${name}\n`);

const context = await openBenchModel(name, hotProfile);
try {
  const outcomes = await runResumable({
    label: "calls",
    items,
    keyOf: (item) => JSON.stringify([context.model.info.id, seed, maxTokens, item.id]),
    run: (item, index) => runCall(context, item, { seed: seed * 1000 + index, maxTokens }),
    note: ({ id, ending }) => `${id} ${ending}`,
    file: options.out ?? `.callwright/verify-calls-${seed}.jsonl`,
  });
  const summary = summarizeCalls(outcomes);
  process.stdout.write(`${printCalls(summary)}\n`);
  for (const breach of summary.breaches) process.stdout.write(`BROKEN: ${breach}\n`);
  process.exitCode = summary.breaches.length === 0 ? 0 : 1;
} finally {
  await context.model.close();
}
