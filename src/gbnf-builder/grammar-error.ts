// The one error of this folder: a grammar that cannot be built, printed, read or matched as asked.

/** Where in a GBNF text something is wrong; both count from 1. */
export interface GrammarPlace {
  readonly line: number;
  readonly column: number;
}

/** Thrown for grammars that are wrong in themselves. The message says what to change. */
export class GrammarError extends Error {
  readonly place?: GrammarPlace;

  constructor(message: string, place?: GrammarPlace) {
    super(place === undefined ? message : `line ${place.line}, column ${place.column}: ${message}`);
    this.name = "GrammarError";
    if (place !== undefined) this.place = place;
  }
}
