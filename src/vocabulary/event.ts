// One union of events for library, command line, server, journal and traces.
// A turn ends in exactly one `turn-end`, a run in exactly one `run-end`.
import type { JsonObject, JsonValue } from "./json.ts";
import type { Usage } from "./usage.ts";

/** Where and when an event happened. `turn` counts from 1; 0 is before the first turn. */
export interface EventPlace {
  readonly runId: string;
  readonly turn: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type RunEvent = EventPlace & (TurnEvent | RunOnlyEvent);

/** What one turn can say. */
export type TurnEvent =
  | {
      readonly type: "turn-start";
      readonly profile: string;
      readonly format: string;
      readonly tools: readonly string[];
      /** Tokens by part of the prompt: system, tools, history, and what is kept for the reply. */
      readonly budget: Readonly<Record<string, number>>;
      /** What was cut from the request to make it fit, in words and tokens. */
      readonly cuts: readonly { readonly part: string; readonly tokens: number; readonly text: string }[];
    }
  | { readonly type: "prefill-progress"; readonly done: number; readonly total: number }
  | { readonly type: "reasoning-start" }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "reasoning-end" }
  | { readonly type: "text-start" }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "text-end" }
  /** How likely the tokens of the text were, where that was asked for; they stand in the `text-delta`s that follow. */
  | { readonly type: "text-tokens"; readonly tokens: readonly TokenChance[] }
  | { readonly type: "call-start"; readonly callId: string; readonly name: string }
  | { readonly type: "call-delta"; readonly callId: string; readonly text: string }
  | {
      readonly type: "call-end";
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
      /** From the margins of the call's real choices; absent where the model gives no probabilities. */
      readonly confidence?: number;
    }
  | {
      readonly type: "call-repaired";
      readonly callId: string;
      readonly rule: string;
      readonly before: string;
      readonly after: string;
    }
  | { readonly type: "call-refused"; readonly callId: string; readonly faults: readonly CallFault[] }
  | { readonly type: "retry"; readonly rung: RetryRung; readonly from: string; readonly cost: RetryCost }
  | { readonly type: "call-invalid"; readonly attempts: readonly InvalidAttempt[] }
  | { readonly type: "notice"; readonly code: string; readonly text: string }
  | {
      readonly type: "turn-end";
      readonly finish: FinishReason;
      readonly usage: Usage;
      /** The stop text at which the answer ended; it is not part of it. */
      readonly stopText?: string;
    };

/** What only a run can say: its bounds, its tools at work, its permissions. */
export type RunOnlyEvent =
  | { readonly type: "run-start"; readonly model: string }
  | {
      readonly type: "permission-asked";
      readonly callId: string;
      readonly permission: string;
      readonly patterns: readonly string[];
    }
  | {
      readonly type: "permission-answered";
      readonly callId: string;
      readonly allowed: boolean;
      /** How it was answered; `nobody` and `timeout` are a no without an answer. */
      readonly answer: "once" | "always" | "no" | "nobody" | "timeout";
    }
  | {
      readonly type: "tool-start";
      readonly callId: string;
      readonly name: string;
      readonly input: JsonObject;
    }
  | { readonly type: "tool-progress"; readonly callId: string; readonly text: string }
  | {
      readonly type: "tool-end";
      readonly callId: string;
      readonly name: string;
      readonly outcome: ToolOutcome;
      /** What the model is shown. */
      readonly content: string;
      readonly metadata?: JsonObject;
    }
  | { readonly type: "run-end"; readonly reason: RunEndReason; readonly usage: Usage };

export type FinishReason = "stop" | "calls" | "length" | "content-filter" | "invalid" | "aborted";
export type ToolOutcome = "completed" | "failed" | "denied" | "crashed" | "interrupted" | "stale";
export type RunEndReason =
  | "done"
  | "length"
  | "invalid"
  | "step-limit"
  | "budget"
  | "stopped"
  | "loop"
  | "denied"
  | "aborted"
  | "error";

/** Rungs of the repair ladder that cost decoding: 3 goes back to the fault, 4 says what is wrong. */
export type RetryRung = 3 | 4;

/** One token of the text and its likeliest rivals, itself among them. */
export interface TokenChance {
  readonly text: string;
  /** Natural logarithm of its probability; absent where it is not among those that were looked at. */
  readonly logProbability?: number;
  readonly alternatives: readonly { readonly text: string; readonly logProbability: number }[];
}

/** What a retry costs: tokens that had to be evaluated again before new ones could be decided. */
export interface RetryCost {
  readonly reevaluated: number;
}

/** One reason why a call was refused. `pointer` is into the call's input. */
export interface CallFault {
  readonly pointer: string;
  readonly keyword: string;
  readonly expected: string;
  readonly came: string;
}

/** An attempt that was given up, with the text it came from. */
export interface InvalidAttempt {
  readonly text: string;
  readonly name?: string;
  readonly input?: JsonValue;
  readonly faults: readonly CallFault[];
}
