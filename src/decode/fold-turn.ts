// Folds a turn's events into one result: the form that is not streaming.
import type {
  Call,
  CallFault,
  FinishReason,
  InvalidAttempt,
  RetryRung,
  TurnEvent,
  Usage,
} from "../vocabulary/index.ts";
import { emptyUsage } from "../vocabulary/index.ts";

export interface TurnResult {
  readonly text: string;
  readonly reasoning: string;
  /** Delivered calls; each is valid against its tool's schema. */
  readonly calls: readonly Call[];
  readonly repairs: readonly { readonly callId: string; readonly rule: string }[];
  readonly refusals: readonly { readonly callId: string; readonly faults: readonly CallFault[] }[];
  readonly retries: readonly { readonly rung: RetryRung; readonly reevaluated: number }[];
  /** Every attempt, where the turn was given up. */
  readonly invalid?: readonly InvalidAttempt[];
  readonly notices: readonly { readonly code: string; readonly text: string }[];
  readonly finish: FinishReason;
  readonly usage: Usage;
}

/** Reads a turn to its end. Throws what the turn throws. */
export async function foldTurn(events: AsyncIterable<TurnEvent>): Promise<TurnResult> {
  let text = "";
  let reasoning = "";
  const calls: Call[] = [];
  const repairs: { callId: string; rule: string }[] = [];
  const refusals: { callId: string; faults: readonly CallFault[] }[] = [];
  const retries: { rung: RetryRung; reevaluated: number }[] = [];
  const notices: { code: string; text: string }[] = [];
  let invalid: readonly InvalidAttempt[] | undefined;
  let finish: FinishReason = "aborted";
  let usage = emptyUsage;
  for await (const event of events) {
    if (event.type === "text-delta") text += event.text;
    else if (event.type === "reasoning-delta") reasoning += event.text;
    else if (event.type === "call-end")
      calls.push({ id: event.callId, name: event.name, input: event.input });
    else if (event.type === "call-repaired") repairs.push({ callId: event.callId, rule: event.rule });
    else if (event.type === "call-refused") refusals.push({ callId: event.callId, faults: event.faults });
    else if (event.type === "retry") retries.push({ rung: event.rung, reevaluated: event.cost.reevaluated });
    else if (event.type === "notice") notices.push({ code: event.code, text: event.text });
    else if (event.type === "call-invalid") invalid = event.attempts;
    else if (event.type === "turn-end") {
      finish = event.finish;
      usage = event.usage;
    }
  }
  const base = { text, reasoning, calls, repairs, refusals, retries, notices, finish, usage };
  return invalid ? { ...base, invalid } : base;
}
