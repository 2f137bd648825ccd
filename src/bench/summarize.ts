// A run in figures: shares with counts behind them, per category and over all. Nothing that was not asked counts as wrong.
import type { ResultLine } from "./result-file.ts";
import { quantile, type Share } from "./statistics.ts";

/** How far answers came, for the items that want a call. Each step counts those of the step before that passed it. */
export interface Funnel {
  readonly wanted: number;
  readonly called: number;
  readonly valid: number;
  readonly rightTools: number;
  readonly right: number;
}

export interface Summary {
  readonly all: Share;
  readonly byCategory: readonly (Share & { readonly category: string })[];
  /** The mean of the shares of the categories that want calls; NaN where there is none. */
  readonly meanOfCalls: number;
  readonly funnel: Funnel;
  /** Calls that are valid and wrong, of the items that want a call. */
  readonly validButWrong: Share;
  /** No call where one was wanted. */
  readonly missed: Share;
  /** A call where none was wanted. */
  readonly falseCalls: Share;
  /** Delivered calls that are not valid against their schema, of all items answered with calls. */
  readonly invalid: Share;
  readonly errors: Share;
  /** Kinds of faults by the suite's names, the most frequent first. */
  readonly faults: readonly {
    readonly fault: string;
    readonly count: number;
    readonly ids: readonly string[];
  }[];
  readonly milliseconds: { readonly p50: number; readonly p95: number; readonly firstToken: number };
  readonly tokens: {
    readonly prompt: number;
    readonly reused: number;
    readonly forced: number;
    readonly sampled: number;
  };
  /** Answers that needed more than one attempt. */
  readonly retried: Share & { readonly right: number };
  /** Present where there are tasks. */
  readonly tasks?: TaskFigures;
}

/** How tasks went, over all of them; means are for one task. */
export interface TaskFigures {
  readonly of: number;
  readonly turns: number;
  readonly calls: number;
  /** Calls that their tool refused or that failed, of all calls. */
  readonly failedCalls: Share;
  readonly retries: number;
  /** How runs ended, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
}

const samplesOfFault = 5;

export function summarize(results: readonly ResultLine[]): Summary {
  const categories = [...new Set(results.map(({ category }) => category))];
  const wanting = results.filter(wantsCall);
  const restrained = results.filter((line) => !wantsCall(line));
  const byCategory = categories.map((category) => {
    const lines = results.filter((line) => line.category === category);
    return { category, ...shareOf(lines, isRight), wants: lines.some(wantsCall) };
  });
  const callShares = byCategory.filter(({ wants }) => wants).map(({ hits, of }) => hits / of);
  const called = wanting.filter(({ verdict }) => verdict.called);
  const valid = called.filter(({ verdict }) => verdict.isValid);
  const rightTools = valid.filter(({ verdict }) => verdict.hasRightTools);
  const answeredWithCalls = results.filter(({ verdict }) => verdict.called);
  const retried = results.filter(({ answer }) => answer.attempts > 1);
  const times = results.map(({ answer }) => answer.milliseconds.total);
  return {
    all: shareOf(results, isRight),
    byCategory: byCategory.map(({ wants: _, ...share }) => share),
    meanOfCalls: callShares.reduce((sum, share) => sum + share, 0) / callShares.length,
    funnel: {
      wanted: wanting.length,
      called: called.length,
      valid: valid.length,
      rightTools: rightTools.length,
      right: rightTools.filter(isRight).length,
    },
    validButWrong: shareOf(wanting, ({ verdict }) => verdict.called && verdict.isValid && !verdict.isRight),
    missed: shareOf(wanting, ({ verdict }) => !verdict.called),
    falseCalls: shareOf(restrained, ({ verdict }) => verdict.called),
    invalid: shareOf(answeredWithCalls, ({ verdict }) => !verdict.isValid),
    errors: shareOf(results, ({ answer }) => answer.error !== undefined),
    faults: faultsOf(results),
    milliseconds: {
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      firstToken: quantile(
        results.flatMap(({ answer }) => answer.milliseconds.firstToken ?? []),
        0.5,
      ),
    },
    tokens: {
      prompt: mean(results, ({ answer }) => answer.tokens.prompt),
      reused: mean(results, ({ answer }) => answer.tokens.reused),
      forced: mean(results, ({ answer }) => answer.tokens.forced),
      sampled: mean(results, ({ answer }) => answer.tokens.sampled),
    },
    retried: { hits: retried.length, of: results.length, right: retried.filter(isRight).length },
    ...tasksOf(results),
  };
}

/** Whether an item wants a call: some are named, or any will do. */
export function wantsCall({ wanted }: Pick<ResultLine, "wanted">): boolean {
  return wanted === undefined || wanted.length > 0;
}

function isRight({ verdict }: ResultLine): boolean {
  return verdict.isRight;
}

function shareOf(lines: readonly ResultLine[], test: (line: ResultLine) => boolean): Share {
  return { hits: lines.filter(test).length, of: lines.length };
}

function mean(lines: readonly ResultLine[], value: (line: ResultLine) => number): number {
  return lines.reduce((sum, line) => sum + value(line), 0) / lines.length;
}

function tasksOf(results: readonly ResultLine[]): { readonly tasks?: TaskFigures } {
  const lines = results.filter(({ answer }) => answer.task !== undefined);
  if (lines.length === 0) return {};
  const records = lines.flatMap(({ answer }) => answer.task ?? []);
  const steps = records.flatMap((record) => record.steps);
  const reasons = [...new Set(records.map(({ reason }) => reason))].map((reason) => ({
    reason,
    count: records.filter((record) => record.reason === reason).length,
  }));
  return {
    tasks: {
      of: lines.length,
      turns: mean(lines, ({ answer }) => answer.task?.turns ?? 0),
      calls: steps.length / lines.length,
      failedCalls: {
        hits: steps.filter(({ outcome }) => outcome !== "completed").length,
        of: steps.length,
      },
      retries: mean(lines, ({ answer }) => answer.attempts - 1),
      reasons: reasons.sort((a, b) => b.count - a.count),
    },
  };
}

function faultsOf(results: readonly ResultLine[]): Summary["faults"] {
  const ids = new Map<string, string[]>();
  for (const { id, verdict } of results) {
    if (verdict.fault !== undefined) ids.set(verdict.fault, [...(ids.get(verdict.fault) ?? []), id]);
  }
  return [...ids]
    .map(([fault, found]) => ({ fault, count: found.length, ids: found.slice(0, samplesOfFault) }))
    .sort((a, b) => b.count - a.count);
}
