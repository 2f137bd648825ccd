// Percentiles of measured values, and a line of text that states them.

/** The value below which the share of the values lies; the largest for 1, and 0 of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** `label: p50 …, p90 …, p99 …, max …`. */
export function percentileLine(label: string, values: readonly number[], digits = 2): string {
  const [p50, p90, p99, max] = [0.5, 0.9, 0.99, 1].map((share) => percentile(values, share).toFixed(digits));
  return `${label}: p50 ${p50}, p90 ${p90}, p99 ${p99}, max ${max}`;
}
