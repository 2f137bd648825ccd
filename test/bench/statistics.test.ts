// Expected values: Wilson by hand from the formula; McNemar from the binomial distribution; Newcombe 1998, table I.
import { describe, expect, it } from "vitest";
import { mcnemar, pairedDifference, quantile, wilson } from "../../src/bench/statistics.ts";

describe("wilson", () => {
  it.each([
    [0, 10, 0, 0.2775],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    // Half-widths as BFCL's sizes give them: 5 points at 400 items near the middle.
    [200, 400, 0.4512, 0.5488],
  ])("%i of %i", (hits, of, low, high) => {
    const [from, to] = wilson({ hits, of });
    expect(from).toBeCloseTo(low, 4);
    expect(to).toBeCloseTo(high, 4);
  });

  it("says nothing about nothing", () => {
    expect(wilson({ hits: 0, of: 0 })).toEqual([0, 1]);
  });
});

describe("mcnemar", () => {
  it.each([
    [0, 0, 1],
    [1, 0, 1],
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    // 2 · (1 + 10) / 2^10
    [9, 1, 0.021484375],
    [3, 3, 1],
  ])("%i gained, %i lost", (gained, lost, p) => {
    expect(mcnemar(gained, lost)).toBeCloseTo(p, 10);
  });

  it("goes on beyond what a double can hold, and is small for a one-sided split", () => {
    expect(mcnemar(700, 700)).toBeGreaterThan(0.9);
    expect(mcnemar(800, 600)).toBeLessThan(1e-6);
    expect(mcnemar(800, 600)).toBeGreaterThan(0);
  });
});

describe("pairedDifference", () => {
  // Newcombe 1998, Statistics in Medicine 17, example (36, 12, 2, 0): difference 0.20, interval by method 10 [0.0569, 0.3404].
  it("agrees with the published example", () => {
    const { difference, interval } = pairedDifference({ both: 36, onlyFirst: 2, onlySecond: 12, neither: 0 });
    expect(difference).toBeCloseTo(0.2, 10);
    expect(interval[0]).toBeCloseTo(0.0569, 3);
    expect(interval[1]).toBeCloseTo(0.3404, 3);
  });

  it("is symmetric in its two runs", () => {
    const one = pairedDifference({ both: 20, onlyFirst: 3, onlySecond: 9, neither: 8 });
    const other = pairedDifference({ both: 20, onlyFirst: 9, onlySecond: 3, neither: 8 });
    expect(one.difference).toBeCloseTo(-other.difference, 12);
    expect(one.interval[0]).toBeCloseTo(-other.interval[1], 12);
  });
});

it("quantile takes a value of the list", () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2);
  expect(quantile([1, 2, 3, 4], 0.95)).toBe(4);
  expect(quantile([], 0.5)).toBeNaN();
});
