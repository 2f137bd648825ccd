// Whether speed changes results: the same greedy calls with every lever of speed on and with all of them off:
// `npm run verify:levers`. Differences are printed with both calls; a batch may decide a near tie otherwise than single steps.
import { isDeepStrictEqual } from "node:util";
import { decodeTurn, foldTurn } from "../src/decode/decode-turn.ts";
import { ask, catalogue, question } from "./speed/requests.ts";
import { defaultModel, openBenchModel } from "./verify/open-bench-model.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run verify:levers", {
  model: `catalogue id or path (${defaultModel})`,
  count: "calls (300)",
});
const count = wholeNumber(options.count, "count", 300);
const name = options.model ?? defaultModel;
const profile = { context: { size: 4096 }, runtime: { sequences: 1 } };
const fast = await openBenchModel(name, profile);
const slow = await openBenchModel(name, profile, { drafts: false, forcedRuns: false });
const totals = { same: 0, drafted: 0, sampled: 0, fast: 0, slow: 0 };
const progress = createProgress({ label: "calls", total: count });
try {
  for (let index = 0; index < count; index++) {
    const [on, off] = [await call(fast, index), await call(slow, index)];
    totals.fast += on.usage.milliseconds.total;
    totals.slow += off.usage.milliseconds.total;
    totals.drafted += on.usage.tokens.drafted;
    totals.sampled += on.usage.tokens.sampled;
    const [a, b] = [on, off].map(({ calls }) => calls.map((each) => [each.name, each.input]));
    if (isDeepStrictEqual(a, b)) totals.same += 1;
    else process.stdout.write(`${index}: ${JSON.stringify(a)} with levers, ${JSON.stringify(b)} without\n`);
    progress.step(on.calls[0]?.name ?? on.finish);
  }
} finally {
  await fast.model.close();
  await slow.model.close();
}
progress.finish();
const { drafted, sampled } = totals;
process.stdout.write(
  `${name} (rollback ${fast.model.info.rollback}): ${totals.same} of ${count} the same; ${drafted} of ${drafted + sampled} decided tokens were drafted; ${(totals.fast / totals.slow).toFixed(2)} of the time\n`,
);

/** The questions come with a number, so that they differ when they come again. */
function call(context: typeof fast, index: number) {
  const round = Math.floor(index / catalogue.questions.length);
  const text = round === 0 ? question(index) : `${question(index)} (request ${round + 1})`;
  return foldTurn(
    decodeTurn(context, {
      messages: ask(text),
      tools: catalogue.tools.slice(round % 5, (round % 5) + 6),
      toolChoice: "required",
      maxTokens: 200,
      parallel: false,
    }),
  );
}
