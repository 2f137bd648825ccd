import { describe, expect, it } from "vitest";
import { candidatesWanted, sampleToken, uniform } from "../../../src/models/local/sample-token.ts";

const candidates = [
  { token: 7, probability: 0.5 },
  { token: 3, probability: 0.3 },
  { token: 9, probability: 0.15 },
  { token: 1, probability: 0.05 },
];
const open = { temperature: 1, topK: 0, topP: 1, minP: 0 };

function shares(sampling: typeof open, draws = 20_000): Map<number, number> {
  const counts = new Map<number, number>();
  for (let position = 0; position < draws; position++) {
    const token = sampleToken(candidates, sampling, { seed: 1, position })?.token ?? -1;
    counts.set(token, (counts.get(token) ?? 0) + 1 / draws);
  }
  return counts;
}

describe("sampleToken", () => {
  it("takes the likeliest at temperature 0", () => {
    expect(sampleToken(candidates, { ...open, temperature: 0 }, { seed: 5, position: 5 })?.token).toBe(7);
  });

  it("gives nothing where there is no candidate", () => {
    expect(sampleToken([], open, { seed: 1, position: 1 })).toBeUndefined();
  });

  it("draws in proportion to the probabilities at temperature 1", () => {
    const seen = shares(open);
    for (const { token, probability } of candidates) expect(seen.get(token)).toBeCloseTo(probability, 1);
  });

  it("sharpens below temperature 1: weights are p^(1/T)", () => {
    // At T = 0.5 the weights are 0.25, 0.09, 0.0225, 0.0025, so the first has 0.25 / 0.365 = 0.685.
    expect(shares({ ...open, temperature: 0.5 }).get(7)).toBeCloseTo(0.685, 1);
  });

  it.each([
    ["top-k 2", { ...open, topK: 2 }, [7, 3]],
    ["top-p 0.75", { ...open, topP: 0.75 }, [7, 3]],
    ["min-p 0.2, so at least 0.1", { ...open, minP: 0.2 }, [7, 3, 9]],
  ])("%s keeps only the likeliest", (_name, sampling, kept) => {
    expect([...shares(sampling, 2000).keys()].sort()).toEqual([...kept].sort());
  });

  it("repeats itself for the same seed and position", () => {
    for (let position = 0; position < 50; position++) {
      const draw = { seed: 42, position };
      expect(sampleToken(candidates, open, draw)).toEqual(sampleToken(candidates, open, draw));
    }
  });
});

describe("uniform", () => {
  it("is in [0, 1), with the mean and the spread of a uniform draw, for neighbouring seeds too", () => {
    for (const seed of [0, 1, 2, 3]) {
      const values = Array.from({ length: 10_000 }, (_, position) => uniform(seed, position));
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...values)).toBeLessThan(1);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(mean).toBeCloseTo(0.5, 1);
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
      expect(variance).toBeCloseTo(1 / 12, 2);
    }
  });
});

describe("candidatesWanted", () => {
  it.each([
    [{ ...open, temperature: 0 }, 16],
    [{ ...open, topK: 20 }, 20],
    [open, 128],
  ])("%j", (sampling, wanted) => {
    expect(candidatesWanted(sampling)).toBe(wanted);
  });
});
