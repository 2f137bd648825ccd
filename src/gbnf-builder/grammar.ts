// Grammars as data: what a rule may say, and functions that build it. Knows nothing of GBNF text, of bytes or of models.

/** Code points `from`..`to`, both included. */
export type CharacterRange = readonly [from: number, to: number];

/** What a rule says. Text is Unicode; a `sequence` of nothing is the empty text, a `choice` of nothing matches nothing. */
export type Expression =
  | { readonly type: "literal"; readonly text: string }
  /** One code point out of sorted, disjoint ranges. Surrogates are never part of a range. */
  | { readonly type: "characters"; readonly ranges: readonly CharacterRange[] }
  /** One special token of the vocabulary, by its text; ordinary text never matches it. */
  | { readonly type: "token"; readonly text: string }
  | { readonly type: "sequence"; readonly items: readonly Expression[] }
  | { readonly type: "choice"; readonly options: readonly Expression[] }
  /** `max: undefined` is unbounded. */
  | {
      readonly type: "repeat";
      readonly item: Expression;
      readonly min: number;
      readonly max: number | undefined;
    }
  | { readonly type: "rule"; readonly name: string };

/** Rules by name, and the one to start from. Names are unique and may hold any characters; printing makes them fit. */
export interface Grammar {
  readonly root: string;
  readonly rules: ReadonlyMap<string, Expression>;
}
