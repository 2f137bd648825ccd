// npm run verify:ladder: the repair ladder on real weights, over strict schemas without the grammar and over keywords
// that no grammar sees. Exit code 1 where a stated bound is broken.
import { readLadderPrompts } from "../test/with-model/prompts/read-prompts.ts";
import { defaultModel, openBenchModel, smallestModel } from "./verify/open-bench-model.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import {
  type LadderOutcome,
  ladderBreaches,
  printLadder,
  runLadderPrompt,
  unusedRungs,
} from "./verify/run-ladder.ts";
import { runResumable } from "./verify/run-resumable.ts";

const options = readOptions("npm run verify:ladder -- [--model ID] [--count N] [--kind KIND] [--seed 1]", {
  model: `one model instead of both ${defaultModel} and ${smallestModel}`,
  count: "prompts of each kind, all 100 by default",
  kind: "only one kind: open (no grammar) or residual (keywords that no grammar sees)",
  seed: "1 by default",
  out: "file of results, taken up again where it exists",
});
const seed = wholeNumber(options.seed, "seed", 1);
const count = wholeNumber(options.count, "count", 100);
const all = readLadderPrompts();
const kinds = ["open", "residual"].filter((kind) => options.kind === undefined || options.kind === kind);
const prompts = kinds.flatMap((kind) => all.filter((prompt) => prompt.tags.includes(kind)).slice(0, count));

const outcomes: LadderOutcome[] = [];
// One model at a time: two would share the cores and the memory.
for (const name of options.model === undefined ? [defaultModel, smallestModel] : [options.model]) {
  const context = await openBenchModel(name);
  try {
    const done = await runResumable({
      label: name,
      items: prompts,
      keyOf: (prompt) => JSON.stringify([context.model.info.id, seed, prompt.id]),
      run: (prompt) => runLadderPrompt(context, prompt, { seed }),
      note: ({ id, ending }) => `${id} ${ending}`,
      file: options.out ?? `.callwright/verify-ladder-${seed}.jsonl`,
    });
    outcomes.push(...done);
  } finally {
    await context.model.close();
  }
}

const unused = unusedRungs(outcomes).map((rung) => `rung ${rung} never fired`);
const breaches = [...ladderBreaches(outcomes), ...(outcomes.length >= 200 ? unused : [])];
process.stdout.write(`${printLadder(outcomes)}\n`);
for (const breach of breaches) process.stdout.write(`BROKEN: ${breach}\n`);
process.exitCode = breaches.length === 0 ? 0 : 1;
