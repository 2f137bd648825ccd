// The bounds of a run. Every one of them has a default, so that no run is without end.

export interface RunLimits {
  /** Turns at most. On the last one no tools are offered, so that an answer comes. */
  readonly steps: number;
  /** Milliseconds one call may take. */
  readonly toolMilliseconds: number;
  /** Identical rounds, the first included, after which the model is told so; the next one takes its tools away. */
  readonly identicalRounds: number;
  /** Calls of one tool in one run. */
  readonly callsPerTool: number;
  /** Denied calls after which the run ends. */
  readonly denials: number;
}

export const defaultRunLimits: RunLimits = {
  steps: 12,
  toolMilliseconds: 60_000,
  identicalRounds: 2,
  callsPerTool: 30,
  denials: 3,
};
