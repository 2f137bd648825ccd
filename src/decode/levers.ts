// Levers switch single parts of the engine off or over, so that each can be measured. Defaults: all on.

export interface Levers {
  /**
   * `full`: names and arguments under their grammar. `names`: only the name is; arguments are any JSON object, validated
   * afterwards. `late`: the first attempt is free text, and only what was refused is written again under the grammar.
   * `off`: every attempt is free text, read and repaired afterwards.
   */
  readonly grammar: "full" | "names" | "late" | "off";
  /** Repair without loss of text that was not constrained (rung 2). */
  readonly repair: boolean;
  /** Going back to the fault (rung 3). */
  readonly rewind: boolean;
  /** Saying what is wrong and asking again (rung 4). */
  readonly askAgain: boolean;
  /** Opening a call by force where the profile's score speaks for one. Off: the model's own tokens decide, whatever the profile says. */
  readonly forceOpening: boolean;
  /** Who tells the model of its tools: its own chat template where that does, or always the format's own text. */
  readonly toolText: "template" | "format";
}

export const defaultLevers: Levers = {
  grammar: "full",
  repair: true,
  rewind: true,
  askAgain: true,
  forceOpening: true,
  toolText: "template",
};
