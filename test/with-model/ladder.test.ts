import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultModel, openBenchModel } from "../../bench/verify/open-bench-model.ts";
import {
  type LadderOutcome,
  ladderBreaches,
  printLadder,
  runLadderPrompt,
} from "../../bench/verify/run-ladder.ts";
import type { DecodeContext } from "../../src/decode/turn-request.ts";
import { type Prompt, readLadderPrompts } from "./prompts/read-prompts.ts";

let context: DecodeContext;
const outcomes: LadderOutcome[] = [];

beforeAll(async () => {
  context = await openBenchModel(defaultModel);
  for (const prompt of [...everyTenth("open"), ...everyTenth("residual")]) {
    outcomes.push(await runLadderPrompt(context, prompt));
  }
  process.stdout.write(`${printLadder(outcomes)}\n`);
}, 900_000);
afterAll(() => context?.model.close());

it("keeps attempts and cost within their bounds, delivers only valid calls and gives up openly", () => {
  expect(outcomes.length).toBe(20);
  expect(ladderBreaches(outcomes)).toEqual([]);
});

it("meets faults in both kinds of prompts, and tries again", () => {
  for (const kind of ["open", "residual"] as const) {
    const tried = outcomes.filter((outcome) => outcome.kind === kind && outcome.attempts > 1);
    expect(tried.length).toBeGreaterThan(0);
  }
});

function everyTenth(kind: string): readonly Prompt[] {
  const ofKind = readLadderPrompts().filter((prompt) => prompt.tags.includes(kind));
  return ofKind.filter((_prompt, index) => index % 10 === 0);
}
