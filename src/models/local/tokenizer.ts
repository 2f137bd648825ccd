// What a model file says of tokens: their bytes, which of them end generation, and how a text is split into them.
import type { TokenBytes } from "./token-bytes.ts";

export interface Tokenizer {
  readonly vocabulary: TokenBytes;
  /** Tokens that end generation, whatever the file says of their type. */
  readonly endTokens: ReadonlySet<number>;
  /**
   * Text as it goes on within a conversation, without a blank in front. Only where `special` is set may control tokens come
   * of it; user-defined tokens come of any text that spells them.
   */
  tokenize(text: string, special: boolean): number[];
}

type Tokenize = Tokenizer["tokenize"];

/**
 * SentencePiece vocabularies put a blank before every text. There the text is split behind another one, whose tokens are
 * taken off again; of these two, one never grows together with what follows. The way that node-llama-cpp offers
 * (`trimLeadingSpace`) leaves the blank where special tokens are off and before a line feed.
 */
export function withoutBlank(tokenize: Tokenize, { plain }: TokenBytes): Tokenize {
  const [first] = tokenize("a", false);
  const addsBlank = first !== undefined && plain[first]?.[0] === 0x20;
  if (!addsBlank) return tokenize;
  const fronts = ["\n", ":"].map((text) => ({ text, tokens: tokenize(text, false) }));
  return (text, special) => {
    if (text === "") return [];
    for (const front of fronts) {
      const tokens = tokenize(front.text + text, special);
      if (front.tokens.every((token, index) => tokens[index] === token)) {
        return tokens.slice(front.tokens.length);
      }
    }
    return tokenize(text, special);
  };
}
