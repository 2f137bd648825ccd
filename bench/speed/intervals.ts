// Medians of paired measurements with bootstrap intervals (Efron 1979, percentile method), drawn by a fixed seed.
import { createRandom } from "../random.ts";

export interface Median {
  readonly median: number;
  /** 95 %. */
  readonly interval: readonly [low: number, high: number];
  readonly of: number;
}

const draws = 2000;

/** Throws where there are no values. */
export function medianOf(values: readonly number[], seed = 1): Median {
  if (values.length === 0) throw new Error("There is no median of nothing.");
  const random = createRandom(seed);
  const drawn = Array.from({ length: draws }, () => middle(values.map(() => random.pick(values)))).sort(
    (a, b) => a - b,
  );
  const at = (share: number) => drawn[Math.floor(share * (draws - 1))] as number;
  return { median: middle(values), interval: [at(0.025), at(0.975)], of: values.length };
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}
