// Grammars for constrained text generation, as data. Stands alone: no dependency, no model, no schema.
//
// - Build: `createGrammar("root", { root: sequence(literal("n="), repeat(characters([48, 57]), 1, 3)) })`.
// - Write: `printGbnf(grammar)` is text that llama.cpp loads and reads the same way, `parseGbnf(text)` reads such text back.
// - Match: `createMatcher(grammar)` reads bytes: may the text end here, what may follow, what must follow.
// - Mask: `createMasks(matcher, createTokenTrie(tokens))` gives the tokens of a vocabulary that may follow a state.
export {
  anyCharacter,
  characters,
  choice,
  createGrammar,
  emptyText,
  literal,
  notCharacters,
  nothing,
  oneOrMore,
  optional,
  repeat,
  rule,
  sequence,
  times,
  token,
  zeroOrMore,
} from "./build.ts";
export type { Dfa, DfaState } from "./dfa.ts";
export { type DfaRules, dfaToRules } from "./dfa-to-rules.ts";
export type { CharacterRange, Expression, Grammar } from "./grammar.ts";
export { grammarAfter } from "./grammar-after.ts";
export { GrammarError, type GrammarPlace } from "./grammar-error.ts";
export { createMasks, defaultMaskOptions, type MaskOptions, type TokenMasks } from "./masks.ts";
export { acceptsText, createMatcher, DEAD, type ForcedRun, type Matcher } from "./matcher.ts";
export { type ParseOptions, parseGbnf } from "./parse-gbnf.ts";
export { type PrintOptions, printGbnf } from "./print-gbnf.ts";
export { type BytePiece, specialTokenBytes, splitSpecialTokens, wholePartLength } from "./special-token.ts";
export type { TokenMask } from "./token-mask.ts";
export { createTokenTrie, type TokenTrie } from "./token-trie.ts";
