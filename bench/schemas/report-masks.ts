// The mask times of a run as text, beside what they are meant to stay under.
import { percent } from "../verify/print-table.ts";
import { percentile, percentileLine } from "./percentiles.ts";
import type { MaskTimes } from "./time-masks.ts";

/** The masks' part of the report. */
export function reportMasks(times: readonly MaskTimes[], vocabularySize: number): string {
  const first = times.flatMap((one) => one.first);
  const warm = times.flatMap((one) => one.warm);
  const missing = times.reduce((sum, one) => sum + one.missing, 0);
  const instances = times.reduce((sum, one) => sum + one.instances, 0);
  const slowest = [...times].sort((a, b) => percentile(b.first, 1) - percentile(a.first, 1)).slice(0, 5);
  return [
    `Masks over ${vocabularySize} tokens: ${times.length} schemas, ${instances} valid instances (${missing} more are not in their grammar), ${warm.length} positions`,
    percentileLine("first visit of a state, µs", first, 0),
    percentileLine("warm, µs", warm, 0),
    `first visits over 20 ms: ${percent(first.filter((one) => one > 20_000).length, first.length)}; over 250 ms: ${first.filter((one) => one > 250_000).length}`,
    "Slowest first visits",
    ...slowest.map((one) => `  ${one.name}: ${(percentile(one.first, 1) / 1000).toFixed(1)} ms`),
  ].join("\n");
}
