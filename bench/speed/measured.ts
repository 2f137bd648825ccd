// What the speed bench measures, one line for each event of it.
import type { Usage } from "../../src/vocabulary/index.ts";
import type { Evaluation } from "./evaluations.ts";
import type { LlamaTurn } from "./llama-turn.ts";

export interface OwnFigures {
  readonly milliseconds: number;
  readonly usage: Usage;
  readonly evaluations: readonly Evaluation[];
}

export type Measured =
  | {
      readonly type: "pair";
      readonly name: "warm" | "follow-up" | "cold";
      readonly own: OwnFigures;
      readonly other: LlamaTurn;
      /** Whether both made the same call. */
      readonly isSame: boolean;
    }
  | { readonly type: "first"; readonly own: OwnFigures }
  | { readonly type: "batch"; readonly own: number; readonly other: number }
  /** node-llama-cpp's own function calling, beside ours on the same question. */
  | {
      readonly type: "node-llama-cpp";
      readonly own: number;
      readonly other: number;
      readonly called: boolean;
    }
  /** The same warm question with one lever off, beside all on. */
  | { readonly type: "lever"; readonly name: string; readonly on: number; readonly off: number }
  /** A catalogue of so many tools: compiling it, and a warm call with its longest mask. */
  | {
      readonly type: "tools";
      readonly tools: number;
      readonly compile: number;
      readonly prompt: number;
      readonly warm: number;
      readonly outside: number;
    }
  /** 100 new tokens behind 7,900 known ones: until the first piece, and bare. */
  | { readonly type: "long"; readonly own: number; readonly bare: number }
  /** Milliseconds for which the event loop of our process stood still while warm calls were made. */
  | {
      readonly type: "event-loop";
      readonly longest: number;
      readonly percentiles: readonly (readonly [share: number, milliseconds: number])[];
    };
