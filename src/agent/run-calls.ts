// Runs the calls of one turn, side by side where their tools allow it, and streams what they report.
// Gives one result per call, in the order of the calls.
import type { Tool } from "../tools/index.ts";
import type { Call, RunOnlyEvent } from "../vocabulary/index.ts";
import type { CallResult } from "./run-call.ts";

export interface RunCallsOptions {
  readonly calls: readonly Call[];
  readonly tools: readonly Tool[];
  /** Runs one call. What it throws is thrown once the calls beside it have ended. */
  readonly run: (call: Call, emit: (event: RunOnlyEvent) => void) => Promise<CallResult>;
}

/** Yields the events of all calls as they happen and returns their results. */
export async function* runCalls(
  options: RunCallsOptions,
): AsyncGenerator<RunOnlyEvent, readonly CallResult[]> {
  const results: CallResult[] = [];
  for (const batch of batchCalls(options.calls, options.tools)) {
    results.push(...(yield* runBatch(batch, options.run)));
  }
  return results;
}

/** Neighbouring calls that may run beside each other, in batches that keep the order of the calls. */
function batchCalls(calls: readonly Call[], tools: readonly Tool[]): readonly (readonly Call[])[] {
  const batches: Call[][] = [];
  let keys: Set<string> | undefined;
  for (const call of calls) {
    const key = concurrencyKey(call, tools);
    const batch = batches.at(-1);
    if (batch === undefined || keys === undefined || key === undefined || keys.has(key)) {
      batches.push([call]);
      keys = key === undefined ? undefined : new Set([key]);
    } else {
      batch.push(call);
      keys.add(key);
    }
  }
  return batches;
}

/** Calls of different keys may run side by side; undefined: beside nothing. */
function concurrencyKey(call: Call, tools: readonly Tool[]): string | undefined {
  const concurrency = tools.find((tool) => tool.name === call.name)?.concurrency ?? "alone";
  if (concurrency === "alone") return undefined;
  if (concurrency === "parallel") return `call ${call.id}`;
  try {
    return `resource ${concurrency.resource(call.input)}`;
  } catch {
    // A tool that cannot name its resource is on the safe side alone; what it does wrong shows when it runs.
    return undefined;
  }
}

async function* runBatch(
  batch: readonly Call[],
  run: RunCallsOptions["run"],
): AsyncGenerator<RunOnlyEvent, readonly CallResult[]> {
  const waiting: RunOnlyEvent[] = [];
  let wake = () => {};
  const emit = (event: RunOnlyEvent) => {
    waiting.push(event);
    wake();
  };
  let results: readonly PromiseSettledResult<CallResult>[] | undefined;
  const all = Promise.allSettled(batch.map((call) => run(call, emit))).then((ended) => {
    results = ended;
    wake();
  });
  for (;;) {
    const event = waiting.shift();
    if (event !== undefined) yield event;
    else if (results !== undefined) break;
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await all;
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
