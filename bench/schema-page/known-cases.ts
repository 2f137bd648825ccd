// Cases of the data sets that a grammar judges unlike their label, and why that is so. Printed only where a run has them.

export interface KnownCase {
  /** How the case's name begins. */
  readonly name: string;
  readonly why: string;
}

const integerByValue =
  "draft-04 refuses `1.0` as an integer, and the label says so; read as a value it is `1`, and written so the text is valid";

export const knownCases: readonly KnownCase[] = [
  { name: "Github_easy---o24544", why: integerByValue },
  { name: "draft4/optional/zeroTerminatedFloats", why: integerByValue },
];
