// Intervals and tests for shares of right answers.

export interface Share {
  readonly hits: number;
  readonly of: number;
}

/** Wilson's score interval at 95 %, as shares of 1. [0, 1] where nothing was counted. (Wilson 1927) */
export function wilson({ hits, of }: Share): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const z = 1.959963984540054;
  const share = hits / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return [Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)];
}

/** The two-sided p of McNemar's exact test: how likely so uneven a split of the flipped items is by chance. */
export function mcnemar(gained: number, lost: number): number {
  const flips = gained + lost;
  if (flips === 0) return 1;
  let term = 0.5 ** flips;
  // Too many flips for a double: the normal approximation with continuity correction is exact enough there.
  if (term === 0) return normalTail((Math.abs(gained - lost) - 1) / Math.sqrt(flips));
  let tail = 0;
  for (let count = 0; count <= Math.min(gained, lost); count++) {
    tail += term;
    term = (term * (flips - count)) / (count + 1);
  }
  return Math.min(1, 2 * tail);
}

/** Two-sided tail of the normal distribution. (Abramowitz and Stegun 7.1.26, error below 1.5e-7) */
function normalTail(z: number): number {
  const x = Math.max(0, z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  return series.reduce((sum, factor) => sum * t + factor, 0) * t * Math.exp(-x * x);
}

/**
 * The 95 % interval of the difference of two shares over the same items, in shares of 1: Newcombe's hybrid score interval
 * for paired proportions (Newcombe 1998, method 10).
 */
export function pairedDifference(counts: {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}): { readonly difference: number; readonly interval: readonly [low: number, high: number] } {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const of = both + onlyFirst + onlySecond + neither;
  if (of === 0) return { difference: 0, interval: [-1, 1] };
  const first = (both + onlyFirst) / of;
  const second = (both + onlySecond) / of;
  const [low1, high1] = wilson({ hits: both + onlyFirst, of });
  const [low2, high2] = wilson({ hits: both + onlySecond, of });
  const spread = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  const crossed = both * neither - onlyFirst * onlySecond;
  // The continuity correction of the method, which only shrinks a positive correlation.
  const corrected = crossed > 0 ? Math.max(0, crossed - of / 2) : crossed;
  const phi = spread === 0 ? 0 : corrected / Math.sqrt(spread);
  const difference = second - first;
  const lower = (second - low2) ** 2 - 2 * phi * (second - low2) * (high1 - first) + (high1 - first) ** 2;
  const upper = (high2 - second) ** 2 - 2 * phi * (high2 - second) * (first - low1) + (first - low1) ** 2;
  return {
    difference,
    interval: [difference - Math.sqrt(Math.max(0, lower)), difference + Math.sqrt(Math.max(0, upper))],
  };
}

/** The value below which the given share of the values lies; NaN where there are none. Sorts a copy. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
