// 100 new tokens behind 7,900 known ones: the time until the first piece, beside evaluating as many tokens there and no more.
import type { PromptPart } from "../../src/formats/index.ts";
import type { Model } from "../../src/models/model.ts";
import { createProgress } from "../verify/progress.ts";
import type { SpeedRun } from "./speed-run.ts";

const known = 7900;
const fresh = 100;
const greedy = { temperature: 0, topK: 0, topP: 1, minP: 0 };

export async function timeLongPrompt(run: SpeedRun): Promise<void> {
  const model = await run.open({ contextSize: 8192 });
  const rounds = Math.min(run.count, 10);
  const progress = createProgress({ label: "long prompt", total: rounds });
  try {
    const base = await textOf(model, known);
    await evaluate(model, base, 0);
    for (let round = 0; round < rounds; round++) {
      const own = await evaluate(model, base + (await textOf(model, fresh, `A${round}`)), 1);
      const bare = await evaluate(model, base + (await textOf(model, fresh, `B${round}`)), 0);
      run.measured.push({ type: "long", own, bare });
      progress.step("long");
    }
    progress.finish();
  } finally {
    await model.close();
  }
}

/** Milliseconds until that many tokens were sampled behind the text. */
async function evaluate(model: Model, text: string, maxTokens: number): Promise<number> {
  const started = performance.now();
  const prompt: readonly PromptPart[] = [{ text, special: false }];
  const span = { type: "free", specials: [], nonEmpty: true } as const;
  for await (const event of model.generate({
    prompt,
    prefix: [],
    span,
    sampling: greedy,
    seed: 0,
    maxTokens,
  }))
    if (event.type === "piece") break;
  return performance.now() - started;
}

/** Words that are about so many tokens. */
async function textOf(model: Model, tokens: number, start = "Words"): Promise<string> {
  const word = " river stone light morning paper window";
  const each = await model.countTokens([{ text: word, special: false }]);
  return ` ${start}${word.repeat(Math.round(tokens / each))}.`;
}
