// npm run verify:prompts: the hand-made prompts on the default model, against the calls written down beforehand.
// Exit code 1 where the full sets do not reach what they must.
import { writeFileSync } from "node:fs";
import { readSmallTalk, readToolPrompts } from "../test/with-model/prompts/read-prompts.ts";
import { defaultModel, openBenchModel } from "./verify/open-bench-model.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import { printPrompts, promptBreaches, runPrompt } from "./verify/run-prompt.ts";
import { runResumable } from "./verify/run-resumable.ts";

const options = readOptions("npm run verify:prompts -- [--model ID] [--count N] [--seed 1] [--json OUT]", {
  model: `catalogue id, path or hub URI, ${defaultModel} by default`,
  count: "prompts of each set, all by default",
  seed: "1 by default; it matters only where the profile samples",
  json: "file for all outcomes, calls included",
});
const seed = wholeNumber(options.seed, "seed", 1);
const count = wholeNumber(options.count, "count", 100);
const prompts = [readToolPrompts(), readSmallTalk()].flatMap((set) => set.slice(0, count));

const context = await openBenchModel(options.model ?? defaultModel);
try {
  const outcomes = await runResumable({
    label: "prompts",
    items: prompts,
    keyOf: ({ id }) => id,
    run: (prompt) => runPrompt(context, prompt, { seed }),
    note: ({ id, ok }) => `${id} ${ok ? "right" : "wrong"}`,
  });
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(outcomes, null, 2)}\n`);
  process.stdout.write(`${printPrompts(outcomes)}\n`);
  const breaches = options.count === undefined ? promptBreaches(outcomes) : [];
  for (const breach of breaches) process.stdout.write(`BROKEN: ${breach}\n`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
} finally {
  await context.model.close();
}
