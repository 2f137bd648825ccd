import { describe, expect, it } from "vitest";
import { scoreTexts } from "../../../src/models/local/score-texts.ts";

/** A language model over single digits: what follows depends on the last token only. */
const next: Record<number, Record<number, number>> = {
  0: { 1: 0.6, 2: 0.4 },
  1: { 1: 0.5, 2: 0.25, 3: 0.25 },
  2: { 3: 0.9, 1: 0.1 },
  3: { 1: 1e-4, 2: 0.9999 },
};
const candidatesAfter = (token: number) =>
  Object.entries(next[token] ?? {}).map(([id, probability]) => ({ token: Number(id), probability }));

async function score(sequences: number[][]) {
  const asked: { depth: number; tokens: readonly number[] }[] = [];
  const scores = await scoreTexts(sequences, candidatesAfter(0), {
    extend: async (depth, tokens) => {
      asked.push({ depth, tokens });
      return tokens.map(candidatesAfter);
    },
  });
  return { probabilities: scores.map(Math.exp), asked };
}

describe("scoreTexts", () => {
  it("multiplies the probabilities along each sequence", async () => {
    const { probabilities } = await score([[1], [1, 2], [1, 2, 3], [2, 3, 2], [1, 1, 1, 1]]);
    const expected = [0.6, 0.6 * 0.25, 0.6 * 0.25 * 0.9, 0.4 * 0.9 * 0.9999, 0.6 * 0.5 ** 3];
    for (const [index, value] of expected.entries()) expect(probabilities[index]).toBeCloseTo(value, 10);
  });

  it("counts the empty sequence as certain and an unseen token as next to impossible", async () => {
    const { probabilities } = await score([[], [9]]);
    expect(probabilities[0]).toBe(1);
    expect(probabilities[1]).toBeLessThan(1e-6);
  });

  it("evaluates what sequences share once, and nothing for their last tokens", async () => {
    const { asked } = await score([
      [1, 2, 3],
      [1, 2, 1],
    ]);
    expect(asked).toEqual([{ depth: 0, tokens: [1, 2] }]);
  });

  it("asks nothing for sequences of one token", async () => {
    expect((await score([[1], [2], [3]])).asked).toEqual([]);
  });

  it("does not follow what has become improbable; the score is then an upper bound", async () => {
    // 2, 3, 1 has 0.4 * 0.9 * 1e-4 = 3.6e-5 after three tokens.
    const { probabilities, asked } = await score([
      [2, 3, 1, 2, 3, 2],
      [2, 3, 2, 1],
    ]);
    expect(probabilities[0]).toBeCloseTo(3.6e-5, 8);
    expect(asked.every(({ depth }) => depth <= 2)).toBe(true);
    expect(probabilities[1]).toBeCloseTo(0.4 * 0.9 * 0.9999 * 0.1, 10);
  });
});
