// Levers switch single parts of the engine off, so that each can be measured. All are on by default.

export interface Levers {
  /** `full`: names and arguments under their grammar. `off`: the reply is free text, read and repaired afterwards. */
  readonly grammar: "full" | "off";
  /** Repair without loss of text that was not constrained (rung 2). */
  readonly repair: boolean;
  /** Going back to the fault (rung 3). */
  readonly rewind: boolean;
  /** Saying what is wrong and asking again (rung 4). */
  readonly askAgain: boolean;
}

export const defaultLevers: Levers = { grammar: "full", repair: true, rewind: true, askAgain: true };
