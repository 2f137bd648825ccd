import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultModel, openBenchModel } from "../../bench/verify/open-bench-model.ts";
import {
  type PromptOutcome,
  printPrompts,
  promptGoals,
  runPrompt,
  summarizePrompts,
} from "../../bench/verify/run-prompt.ts";
import type { DecodeContext } from "../../src/decode/turn-request.ts";
import { readSmallTalk, readToolPrompts } from "./prompts/read-prompts.ts";

let context: DecodeContext;
const outcomes: PromptOutcome[] = [];

beforeAll(async () => {
  context = await openBenchModel(defaultModel);
  for (const prompt of [...readToolPrompts(), ...readSmallTalk()]) {
    outcomes.push(await runPrompt(context, prompt));
  }
  process.stdout.write(`${printPrompts(outcomes)}\n`);
}, 1_500_000);
afterAll(() => context?.model.close());

it("answers at least 30 of 40 hand-made prompts with the right tool and arguments", () => {
  const { right, wanted } = summarizePrompts(outcomes);
  expect(wanted).toBe(40);
  expect(right).toBeGreaterThanOrEqual(promptGoals.right);
});

it("opens a call for at least 90 % of the prompts that want one", () => {
  expect(summarizePrompts(outcomes).opened).toBeGreaterThanOrEqual(promptGoals.opened);
});

it("answers at least 80 % of 20 prompts that want no call without one, and all but one of ten of small talk", () => {
  const { noCall, called, smallTalk, talkedOver } = summarizePrompts(outcomes);
  expect([noCall, smallTalk]).toEqual([20, 10]);
  expect(called).toBeLessThanOrEqual(promptGoals.called);
  expect(talkedOver).toBeLessThanOrEqual(promptGoals.talkedOver);
});

it("feeds at least 40 % of the calls' tokens without sampling", () => {
  expect(summarizePrompts(outcomes).forcedShare).toBeGreaterThanOrEqual(promptGoals.forcedShare);
});
