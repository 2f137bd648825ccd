// What a suite asks and how an answer to it is judged. Knows nothing of models, endpoints or files of results.
import type { Tool } from "../tools/index.ts";
import type { JsonObject, Message, RunEndReason, ToolDescription, ToolOutcome } from "../vocabulary/index.ts";

/** One question of a suite. */
export interface BenchItem {
  /** Unique in its suite. */
  readonly id: string;
  readonly category: string;
  /** Items that are variants of one question name it, so that they fall in the same half and sample. Absent: its id. */
  readonly family?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /** Names of the calls that are wanted, in any order; empty: none is. Absent: any call will do. */
  readonly wanted?: readonly string[];
  /** Undefined where the answer is right, else the kind of its fault in the suite's own terms. */
  readonly judge: (answer: BenchAnswer) => string | undefined;
  /** Present where the item takes several turns in a simulated world, whose end is what is judged. */
  readonly task?: BenchTask;
}

/** A world that tools read and change. */
export interface BenchTask {
  /** A fresh one. Its tools are those of the item. */
  open(): { readonly tools: readonly Tool[]; readonly state: () => JsonObject };
}

/** A call as it was answered; `text` is the JSON text of its arguments, which tells 5.0 from 5. */
export interface AnsweredCall {
  readonly name: string;
  readonly text: string;
}

/** What was answered to one item. */
export interface BenchAnswer {
  readonly calls: readonly AnsweredCall[];
  /** What was said beside the calls. */
  readonly text: string;
  readonly finish: string;
  /** An exception or an answer that is none, in one line. */
  readonly error?: string;
  readonly milliseconds: { readonly total: number; readonly firstToken?: number };
  readonly tokens: {
    readonly prompt: number;
    readonly reused: number;
    readonly forced: number;
    readonly sampled: number;
  };
  /** Decoding attempts: 1, and one more for each retry of any turn. */
  readonly attempts: number;
  /** Rules by which calls were repaired, and rungs of retries. */
  readonly mends: readonly string[];
  /** Present where the item is a task. `text` and `finish` are then the last turn's, all else is over all turns. */
  readonly task?: TaskRecord;
}

/** What was done in a task. */
export interface TaskRecord {
  readonly turns: number;
  readonly reason: RunEndReason | "none";
  readonly steps: readonly TaskStep[];
  /** The world's state afterwards. */
  readonly end: JsonObject;
}

/** One call and what came of it. */
export interface TaskStep {
  readonly turn: number;
  readonly name: string;
  readonly input: JsonObject;
  readonly outcome: ToolOutcome;
  readonly content: string;
}

/** Where an answer comes from: our engine with some levers, or a server with its own. */
export interface Arm {
  readonly name: string;
  /** Whether it can take several turns in a world. Items that are tasks are asked of no other arm. */
  readonly takesTasks: boolean;
  /** What shapes its answers: model, file hash, profile, versions. Part of a run's provenance. */
  readonly provenance: Readonly<Record<string, unknown>>;
  /** Never throws but for an abort: what goes wrong is the answer's `error`. */
  answer(item: BenchItem, signal: AbortSignal): Promise<BenchAnswer>;
  close(): Promise<void>;
}

/** A named set of items. */
export interface Suite {
  readonly name: string;
  readonly items: readonly BenchItem[];
  /** Versions and hashes of the data. */
  readonly provenance: Readonly<Record<string, unknown>>;
}
