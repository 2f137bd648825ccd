// A run's figures and a comparison of two as text for a terminal.
import type { ComparedRuns, Comparison } from "./compare.ts";
import { percent, points } from "./figures.ts";
import type { RunHeader } from "./result-file.ts";
import { type Share, wilson } from "./statistics.ts";
import type { Summary, TaskFigures } from "./summarize.ts";

export function printSummary(header: RunHeader, summary: Summary): string {
  const { funnel, tokens, milliseconds } = summary;
  const width = Math.max(8, ...summary.byCategory.map(({ category }) => category.length));
  return [
    `${header.suite}: ${header.arm} (${summary.all.of} of ${header.total} items)`,
    ...summary.byCategory.map((share) => `  ${share.category.padEnd(width)}  ${withInterval(share)}`),
    `  ${"all".padEnd(width)}  ${withInterval(summary.all)}`,
    "",
    `mean of the categories that want calls: ${percent(summary.meanOfCalls)}`,
    `of ${funnel.wanted} that want calls: ${funnel.called} called, ${funnel.valid} valid, ${funnel.rightTools} right tools, ${funnel.right} right`,
    `valid but wrong: ${share(summary.validButWrong)}; no call where one was wanted: ${share(summary.missed)}`,
    `a call where none was wanted: ${share(summary.falseCalls)}; calls not valid: ${share(summary.invalid)}; errors: ${share(summary.errors)}`,
    `more than one attempt: ${share(summary.retried)}, ${summary.retried.right} of them right in the end`,
    `seconds: ${seconds(milliseconds.p50)} p50, ${seconds(milliseconds.p95)} p95, first token ${seconds(milliseconds.firstToken)}`,
    `tokens, mean: prompt ${tokens.prompt.toFixed(0)} (${tokens.reused.toFixed(0)} reused), forced ${tokens.forced.toFixed(1)}, sampled ${tokens.sampled.toFixed(1)}`,
    ...(summary.tasks === undefined ? [] : [taskLine(summary.tasks)]),
    ...(summary.faults.length === 0 ? [] : ["", "what was wrong:"]),
    ...summary.faults.map(
      ({ fault, count, ids }) => `  ${String(count).padStart(4)}  ${fault}  (${ids.join(", ")})`,
    ),
  ].join("\n");
}

/** How tasks went, in one line. */
export function taskLine({ turns, calls, failedCalls, retries, reasons }: TaskFigures): string {
  const ends = reasons.map(({ reason, count }) => `${reason} ${count}`).join(", ");
  return `for one task, mean: ${turns.toFixed(1)} turns, ${calls.toFixed(1)} calls, ${retries.toFixed(2)} retries; calls that failed: ${share(failedCalls)}; runs ended: ${ends}`;
}

export function printComparison({ all, byCategory, unpaired }: ComparedRuns): string {
  const width = Math.max(8, ...byCategory.map(({ category }) => category.length));
  const row = (line: Comparison) =>
    `  ${line.category.padEnd(width)}  ${percent(line.first / line.of)} → ${percent(line.second / line.of)}  ` +
    `${points(line.difference)} points [${points(line.interval[0])}, ${points(line.interval[1])}]  ` +
    `+${line.gained.length} −${line.lost.length}  p ${line.p.toFixed(3)}  n ${line.of}`;
  return [
    ...byCategory.map(row),
    row(all),
    ...(unpaired === 0 ? [] : [`not compared, since only one run has them: ${unpaired} items`]),
    ...(all.gained.length === 0 ? [] : [`gained: ${all.gained.join(", ")}`]),
    ...(all.lost.length === 0 ? [] : [`lost: ${all.lost.join(", ")}`]),
  ].join("\n");
}

function withInterval(counted: Share): string {
  const [low, high] = wilson(counted);
  return `${share(counted)} [${percent(low)}–${percent(high)}]`;
}

function share({ hits, of }: Share): string {
  return of === 0 ? "–" : `${hits}/${of} = ${percent(hits / of)}`;
}

function seconds(milliseconds: number): string {
  return Number.isNaN(milliseconds) ? "–" : (milliseconds / 1000).toFixed(2);
}
