// What a report shows of its runs: the figures that page, Markdown and JSON have in common.
import { type ComparedRuns, compareRuns } from "../compare.ts";
import type { ResultLine, RunFile, RunHeader } from "../result-file.ts";
import { type Summary, summarize } from "../summarize.ts";

export interface ReportedRun {
  readonly header: RunHeader;
  readonly summary: Summary;
  /** Items of each kind of fault, to look at. */
  readonly samples: readonly { readonly fault: string; readonly lines: readonly ResultLine[] }[];
}

export interface Report {
  readonly runs: readonly ReportedRun[];
  /** Names of all categories, in the order of the runs. */
  readonly categories: readonly string[];
  /** Each further run against the first, over the items that both have. */
  readonly comparisons: readonly { readonly arm: string; readonly compared: ComparedRuns }[];
}

const samplesOfFault = 3;

/** Throws nothing; a run without results is shown as such. */
export function makeReport(files: readonly RunFile[]): Report {
  const runs = files.map(({ header, results }) => {
    const summary = summarize(results);
    const samples = summary.faults.map(({ fault }) => ({
      fault,
      lines: results.filter(({ verdict }) => verdict.fault === fault).slice(0, samplesOfFault),
    }));
    return { header, summary, samples };
  });
  const [first, ...others] = files;
  return {
    runs,
    categories: [
      ...new Set(runs.flatMap(({ summary }) => summary.byCategory.map(({ category }) => category))),
    ],
    comparisons: others.map(({ header, results }) => ({
      arm: header.arm,
      compared: compareRuns(first?.results ?? [], results),
    })),
  };
}
