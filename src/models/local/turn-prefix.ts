// What of an assistant's turn, given as text, is known as tokens already, and what is left to tokenize.
import type { PromptPart } from "../../formats/format.ts";
import { matchTokens, textBytes } from "./prompt-tokens.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** A prompt's tokens and those of the turn that was decoded after it, evaluated or not. */
export interface KnownTurn {
  readonly prompt: readonly number[];
  readonly turn: readonly number[];
}

export interface TurnPrefix {
  /** The turn's tokens that spell the beginning of the prefix. */
  readonly turn: readonly number[];
  /** Bytes of the prefix that those tokens spell, and the rest. */
  readonly readBytes: number;
  readonly remainderBytes: number;
  readonly remainderParts: readonly PromptPart[];
}

/** Finds the known tokens in a prefix. After another prompt none of them count. */
export function placePrefix(
  tokenizer: Tokenizer,
  known: KnownTurn,
  request: { readonly prompt: readonly number[]; readonly prefix: readonly PromptPart[] },
): TurnPrefix {
  const { prompt, prefix } = request;
  const text = textBytes(prefix);
  const isSamePrompt =
    known.prompt.length === prompt.length && known.prompt.every((token, at) => token === prompt[at]);
  const matched = matchTokens(tokenizer, isSamePrompt ? known.turn : [], text);
  return {
    turn: known.turn.slice(0, matched.tokens),
    readBytes: matched.bytes,
    remainderBytes: text.length - matched.bytes,
    remainderParts: partsFrom(prefix, matched.bytes),
  };
}

/** Splits parts before their last `units` UTF-16 units. */
export function splitParts(
  parts: readonly PromptPart[],
  units: number,
): readonly [before: readonly PromptPart[], after: readonly PromptPart[]] {
  let keep = parts.reduce((sum, part) => sum + part.text.length, 0) - units;
  const before: PromptPart[] = [];
  const after: PromptPart[] = [];
  for (const part of parts) {
    const length = Math.min(Math.max(keep, 0), part.text.length);
    keep -= part.text.length;
    if (length > 0) before.push({ ...part, text: part.text.slice(0, length) });
    if (length < part.text.length) after.push({ ...part, text: part.text.slice(length) });
  }
  return [before, after];
}

/** What follows the first bytes of the parts; the cut is at a character's boundary. */
export function partsFrom(parts: readonly PromptPart[], skippedBytes: number): readonly PromptPart[] {
  let skip = Math.max(0, skippedBytes);
  const rest: PromptPart[] = [];
  for (const part of parts) {
    const bytes = Buffer.from(part.text, "utf8");
    const skipped = Math.min(skip, bytes.length);
    skip -= skipped;
    if (skipped < bytes.length) rest.push({ ...part, text: bytes.subarray(skipped).toString("utf8") });
  }
  return rest;
}
