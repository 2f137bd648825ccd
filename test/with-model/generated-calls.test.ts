import { afterAll, beforeAll, expect, it } from "vitest";
import { readOwnSchemas } from "../../bench/draw-schemas.ts";
import { openBenchModel, smallestModel } from "../../bench/verify/open-bench-model.ts";
import {
  type CallOutcome,
  hotProfile,
  printCalls,
  runCall,
  summarizeCalls,
} from "../../bench/verify/run-call.ts";
import type { DecodeContext } from "../../src/decode/turn-request.ts";

const seed = 20_250;
let context: DecodeContext;
const outcomes: CallOutcome[] = [];

beforeAll(async () => {
  context = await openBenchModel(smallestModel, hotProfile);
  for (const [index, item] of readOwnSchemas().entries()) {
    outcomes.push(await runCall(context, item, { seed: seed + index, maxTokens: 1024 }));
  }
  process.stdout.write(`${printCalls(summarizeCalls(outcomes))}\n`);
}, 900_000);
afterAll(() => context?.model.close());

it("makes a call for every one of our forty schemas, hot sampling and the smallest model notwithstanding", () => {
  expect(outcomes.length).toBe(40);
  expect(outcomes.filter(({ ending }) => ending === "refused" || ending === "none")).toEqual([]);
});

it("gets every call under an exact schema right at the first attempt, and cuts next to none", () => {
  const summary = summarizeCalls(outcomes);
  expect(summary.breaches).toEqual([]);
  // A schema that refers to itself has no cap, and a model this hot may nest it until its tokens are spent.
  expect(outcomes.filter(({ ending }) => ending === "length").length).toBeLessThanOrEqual(1);
  // A promise kept by promising nothing would be none.
  expect(summary.exact).toBeGreaterThanOrEqual(30);
});
