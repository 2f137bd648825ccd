// From prompt parts to tokens, and back: how much of an assistant's turn the known tokens already spell.
import type { PromptPart } from "../../formats/format.ts";
import { specialTokenBytes } from "../../gbnf-builder/index.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * The tokens of a prompt. Only `special` parts may become control tokens. Where no plain part spells one, the parts are
 * tokenized as one text, which is how the model was trained; otherwise each on its own.
 */
export function promptTokens(
  tokenizer: Tokenizer & { readonly beginToken: number | undefined },
  parts: readonly PromptPart[],
): number[] {
  const tokens = partTokens(tokenizer, parts);
  const begin = tokenizer.beginToken;
  return begin !== undefined && tokens[0] !== begin ? [begin, ...tokens] : tokens;
}

/** As `promptTokens`, for text that stands inside a conversation and so never begins one. */
export function partTokens(tokenizer: Tokenizer, parts: readonly PromptPart[]): number[] {
  const spellings = [...tokenizer.vocabulary.control.values()];
  const isSafe = parts.every((part) => part.special || !spellings.some((text) => part.text.includes(text)));
  return isSafe
    ? tokenizer.tokenize(parts.map((part) => part.text).join(""), true)
    : parts.flatMap((part) => tokenizer.tokenize(part.text, part.special));
}

/** Bytes of parts in the matcher's alphabet: control tokens that special parts spell become their pseudo-bytes. */
export function matcherBytes(tokenizer: Tokenizer, parts: readonly PromptPart[]): Uint8Array {
  const pieces = parts.map((part) => {
    if (!part.special) return Buffer.from(part.text, "utf8");
    return Buffer.concat(
      tokenizer.tokenize(part.text, true).map((token) => {
        const control = tokenizer.vocabulary.control.get(token);
        return control === undefined
          ? (tokenizer.vocabulary.plain[token] ?? Buffer.alloc(0))
          : specialTokenBytes(control);
      }),
    );
  });
  return Buffer.concat(pieces);
}

/** The text of parts as UTF-8. */
export function textBytes(parts: readonly PromptPart[]): Uint8Array {
  return Buffer.from(parts.map((part) => part.text).join(""), "utf8");
}

/**
 * How many of the known tokens spell the beginning of the text, and how many bytes they cover. Ends at a character's
 * boundary, so that what remains can be tokenized.
 */
export function matchTokens(
  tokenizer: Tokenizer,
  known: readonly number[],
  text: Uint8Array,
): { readonly tokens: number; readonly bytes: number } {
  let offset = 0;
  let best = { tokens: 0, bytes: 0 };
  for (const [index, token] of known.entries()) {
    const control = tokenizer.vocabulary.control.get(token);
    const bytes = control === undefined ? tokenizer.vocabulary.plain[token] : Buffer.from(control, "utf8");
    if (!bytes || offset + bytes.length > text.length) break;
    const start = offset;
    if (!bytes.every((byte, at) => byte === text[start + at])) break;
    offset += bytes.length;
    if (isCharacterBoundary(text, offset)) best = { tokens: index + 1, bytes: offset };
  }
  return best;
}

/** Whether no UTF-8 character is cut at this offset. */
export function isCharacterBoundary(bytes: Uint8Array, offset: number): boolean {
  const byte = bytes[offset];
  return byte === undefined || (byte & 0xc0) !== 0x80;
}
