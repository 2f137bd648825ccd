// The bounds of a run. Every one of them has a default, so that no run is without end.

export interface RunLimits {
  /** Turns at most. On the last one no tools are offered, so that an answer comes. */
  readonly steps: number;
  /** Milliseconds one call may take. */
  readonly toolMilliseconds: number;
  /** Rounds that bring nothing new before the model is told so; the next such round ends the run. */
  readonly identicalRounds: number;
  /** Calls of one tool in one run. */
  readonly callsPerTool: number;
  /** Denied calls after which the run ends. */
  readonly denials: number;
}

export const defaultRunLimits: RunLimits = {
  steps: 12,
  toolMilliseconds: 60_000,
  identicalRounds: 3,
  callsPerTool: 30,
  denials: 3,
};
