// What a span asks of the decoding loop, step by step: feed these tokens, choose under this filter, or end.
// Two kinds: free text, and text under a grammar. Neither evaluates anything.
import type { SpanEnd } from "../model.ts";
import type { TokenFilter } from "./runtime-sequence.ts";

export type GuideStep =
  /** Only one text is possible: feed these tokens without sampling. */
  | { readonly type: "feed"; readonly tokens: readonly number[] }
  | { readonly type: "choose"; readonly filter: TokenFilter }
  | { readonly type: "end"; readonly reason: SpanEnd };

export interface Guide {
  /** What to do now. */
  next(): GuideStep;
  /**
   * Where what comes now is a choice: the filters after each of these tokens, as far as they are allowed one after the
   * other and are followed by a choice again. Changes nothing.
   */
  along(tokens: readonly number[]): readonly TokenFilter[];
  /** Tells that a token was chosen or fed. */
  take(token: number): void;
}
