// A model's vocabulary in the matcher's alphabet: the token trie, tokens' bytes, and tokens of bytes.
import {
  createTokenTrie,
  specialTokenBytes,
  splitSpecialTokens,
  type TokenTrie,
} from "../../gbnf-builder/index.ts";
import { CallwrightError } from "../../vocabulary/index.ts";
import type { LlamaRuntime } from "./llama-runtime.ts";

export interface MatcherVocabulary {
  readonly trie: TokenTrie;
  /** A token's bytes as the matcher reads them; undefined where no grammar can have it. */
  bytesOf(token: number): Uint8Array | undefined;
  /** A token's bytes as text is made of them, control tokens by their spelling. */
  spellingOf(token: number): Uint8Array;
  /** Tokens of whole characters and special tokens. Throws `format-unknown` for one that the vocabulary lacks. */
  tokenize(bytes: Uint8Array): readonly number[];
}

export function createMatcherVocabulary(runtime: LlamaRuntime): MatcherVocabulary {
  const { plain, control } = runtime.vocabulary;
  const controlIds = new Map([...control].map(([id, text]) => [text, id]));
  const bytes = plain.map((own, id) => {
    const spelling = control.get(id);
    if (spelling !== undefined) return runtime.endTokens.has(id) ? undefined : specialTokenBytes(spelling);
    // The lone byte 0xFF never occurs in text; it marks special tokens in the matcher's alphabet.
    return own?.length === 1 && own[0] === 0xff ? undefined : own;
  });
  return {
    trie: createTokenTrie(bytes),
    bytesOf: (token) => bytes[token],
    spellingOf(token) {
      const spelling = control.get(token);
      return spelling === undefined ? (plain[token] ?? new Uint8Array(0)) : Buffer.from(spelling, "utf8");
    },
    tokenize: (text) =>
      splitSpecialTokens(text).flatMap((piece) => {
        if (piece.type === "bytes") return runtime.tokenize(Buffer.from(piece.bytes).toString("utf8"), false);
        const id = controlIds.get(piece.text);
        if (id !== undefined) return [id];
        throw new CallwrightError(
          "format-unknown",
          `This model's vocabulary has no special token ${piece.text}, which its format needs; choose another format in its profile.`,
        );
      }),
  };
}
