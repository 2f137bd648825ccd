// The bounds of a run. Every one of them has a default, so that no run is without end.

export interface RunLimits {
  /** Turns at most. On the last one no tools are offered, so that an answer comes. */
  readonly steps: number;
  /** Milliseconds one call may take. */
  readonly toolMilliseconds: number;
  /** Identical rounds, the first included, after which the model is told so; the next one takes the repeated tools away, one more all. */
  readonly identicalRounds: number;
  /** Turns in a row whose calls all fail, whatever they ask, after which the model is told so; two more take its tools away. */
  readonly failedRounds: number;
  /** Calls of one tool in one run. */
  readonly callsPerTool: number;
  /** Tokens evaluated and written, over all turns, after which one more turn has to answer without tools. */
  readonly tokens: number;
  /** Milliseconds of the whole run, after which one more turn has to answer without tools. */
  readonly milliseconds: number;
  /** Denied calls after which the run ends. */
  readonly denials: number;
}

export const defaultRunLimits: RunLimits = {
  steps: 12,
  toolMilliseconds: 60_000,
  identicalRounds: 2,
  failedRounds: 4,
  callsPerTool: 30,
  tokens: 1_000_000,
  milliseconds: 3_600_000,
  denials: 3,
};
