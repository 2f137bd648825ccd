// How much work the automaton of a pattern may take.

export interface PatternLimits {
  /** States of the automaton before it is minimised. */
  readonly states: number;
  /** Steps of the construction, so that a hostile pattern ends in a bounded time. */
  readonly work: number;
}

/** Thrown inside the construction, and caught where it began. */
export class BeyondLimits extends Error {}
