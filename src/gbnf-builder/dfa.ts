// Deterministic finite automata over code points, the form in which string languages come to a grammar.
import type { CharacterRange } from "./grammar.ts";

/** A state: may a text end here, and where each range of code points leads. Ranges are sorted and disjoint. */
export interface DfaState {
  readonly accepting: boolean;
  readonly edges: readonly { readonly range: CharacterRange; readonly target: number }[];
}

/** State 0 is the start. A code point without an edge is refused. */
export interface Dfa {
  readonly states: readonly DfaState[];
}
