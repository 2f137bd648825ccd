// A model's vocabulary in the matcher's alphabet: the token trie, tokens' bytes, and tokens of bytes.
import {
  createTokenTrie,
  specialTokenBytes,
  splitSpecialTokens,
  type TokenTrie,
} from "../../gbnf-builder/index.ts";
import { CallwrightError } from "../../vocabulary/index.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface MatcherVocabulary {
  readonly trie: TokenTrie;
  /** A token's bytes as the matcher reads them; undefined where no grammar can have it. */
  bytesOf(token: number): Uint8Array | undefined;
  /** A token's bytes as text is made of them, control tokens by their spelling. */
  spellingOf(token: number): Uint8Array;
  /** Tokens of whole characters and special tokens. Throws `format-unknown` for one that the vocabulary lacks. */
  tokenize(bytes: Uint8Array): readonly number[];
}

export function createMatcherVocabulary(tokenizer: Tokenizer): MatcherVocabulary {
  const { plain, control } = tokenizer.vocabulary;
  const controlIds = new Map([...control].map(([id, text]) => [text, id]));
  const bytes = plain.map((own, id) => {
    const spelling = control.get(id);
    if (spelling !== undefined) return specialTokenBytes(spelling);
    // The lone byte 0xFF never occurs in text; it marks special tokens in the matcher's alphabet.
    return own?.length === 1 && own[0] === 0xff ? undefined : own;
  });
  // An end token is never a choice, whatever its text, for choosing it ends the turn; forced text may hold it.
  const trie = createTokenTrie(bytes.map((own, id) => (tokenizer.endTokens.has(id) ? undefined : own)));

  function tokenizeText(text: Uint8Array): readonly number[] {
    const tokens = tokenizer.tokenize(Buffer.from(text).toString("utf8"), false);
    const spelled = Buffer.concat(tokens.map((token) => bytes[token] ?? Buffer.alloc(0)));
    return spelled.equals(text) ? tokens : longestTokens(trie, bytes, text);
  }

  return {
    trie,
    bytesOf: (token) => bytes[token],
    spellingOf(token) {
      const spelling = control.get(token);
      return spelling === undefined ? (plain[token] ?? new Uint8Array(0)) : Buffer.from(spelling, "utf8");
    },
    tokenize: (text) =>
      splitSpecialTokens(text).flatMap((piece) => {
        if (piece.type === "bytes") return tokenizeText(piece.bytes);
        const id = controlIds.get(piece.text);
        if (id !== undefined) return [id];
        throw new CallwrightError(
          "format-unknown",
          `This model's vocabulary has no special token ${piece.text}, which its format needs; choose another format in its profile.`,
        );
      }),
  };
}

/** For text that the tokenizer changes, such as U+2581, which a SentencePiece vocabulary takes for a blank. */
function longestTokens(
  trie: TokenTrie,
  bytes: readonly (Uint8Array | undefined)[],
  text: Uint8Array,
): readonly number[] {
  const tokens: number[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.subarray(at);
    let best: { readonly token: number; readonly length: number } | undefined;
    for (const token of trie.tokensAlong(rest)) {
      const length = bytes[token]?.length ?? 0;
      if (length <= rest.length && length > (best?.length ?? 0)) best = { token, length };
    }
    if (best === undefined)
      throw new CallwrightError(
        "format-unknown",
        `This model's vocabulary has no token for ${JSON.stringify(Buffer.from(rest).toString("utf8"))}; choose another format in its profile.`,
      );
    tokens.push(best.token);
    at += best.length;
  }
  return tokens;
}
