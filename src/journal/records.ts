// What the journal keeps, as others read it.
import type { JsonObject, Message, RunEvent, Usage } from "../vocabulary/index.ts";

/**
 * `requested`: the model wrote it; `validated`: it may be run; `allowed`: a permission was given; `running`: it may have
 * had an effect. The others are ends, of which a call has exactly one.
 */
export type CallState = "requested" | "validated" | "allowed" | "running" | CallEnd;

export type CallEnd = "completed" | "failed" | "denied" | "crashed" | "interrupted" | "stale";

export interface SessionSummary {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly updated: number;
  readonly title: string;
  readonly workspace: string;
  readonly agent: string;
  /** The session whose task this one does. */
  readonly parent?: string;
  readonly messages: number;
  /** Calls without an end. */
  readonly open: number;
}

export interface CallRecord {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly state: CallState;
  readonly content?: string;
  readonly metadata?: JsonObject;
}

export interface RunRecord {
  readonly id: string;
  readonly model: string;
  readonly started: number;
  readonly ended?: number;
  /** Absent where the run did not come to its end. */
  readonly reason?: string;
  readonly usage?: Usage;
}

export interface SessionRecord extends SessionSummary {
  readonly history: readonly Message[];
  readonly calls: readonly CallRecord[];
  readonly runs: readonly RunRecord[];
  readonly events: readonly RunEvent[];
  readonly changes: readonly { readonly path: string; readonly callId: string; readonly undone: boolean }[];
}

/** What the model is told of a call that was running when its process died. */
export const outcomeUnknown =
  "Interrupted: outcome unknown. It may have taken effect or not; look before you do it again.";

/** What the model is told of a call that never began. */
export const neverBegan = "Not run: interrupted before it began.";
