import { describe, expect, it } from "vitest";
import { specialTokenBytes } from "../../../src/gbnf-builder/index.ts";
import { createMatcherVocabulary } from "../../../src/models/local/matcher-vocabulary.ts";
import { tokenBytes } from "../../../src/models/local/token-bytes.ts";
import type { Tokenizer } from "../../../src/models/local/tokenizer.ts";

const normal = 1;
const control = 3;
const userDefined = 4;
const byte = 6;
const tokens: readonly (readonly [text: string, type: number])[] = [
  ["a", normal],
  ["\u2581", normal],
  ["<tool_call>", userDefined],
  ["<|call|>", control],
  ["</s>", userDefined],
  ["<0xE2>", byte],
  ["<0x96>", byte],
  ["<0x81>", byte],
];
const ids = new Map(tokens.map(([text], id) => [text, id]));
const id = (text: string) => ids.get(text) ?? Number.NaN;

/** Takes U+2581 for a blank, as SentencePiece does, and never makes a control token of plain text. */
const tokenizer: Tokenizer = {
  vocabulary: tokenBytes({
    model: "llama",
    tokens: tokens.map(([text]) => text),
    types: tokens.map(([, type]) => type),
  }),
  endTokens: new Set([id("<|call|>"), id("</s>")]),
  tokenize: (text) =>
    [...text.replaceAll(" ", "\u2581").matchAll(/<tool_call>|<\/s>|./gs)].map(([part]) => id(part)),
};
const vocabulary = createMatcherVocabulary(tokenizer);
const bytes = (text: string) => Buffer.from(text, "utf8");

describe("createMatcherVocabulary", () => {
  it("reads a user-defined token as the text that it spells, since any such text becomes it", () => {
    expect(vocabulary.bytesOf(id("<tool_call>"))).toEqual(new Uint8Array(bytes("<tool_call>")));
    expect(vocabulary.tokenize(bytes("a<tool_call>"))).toEqual([id("a"), id("<tool_call>")]);
  });

  it("reads a control token as a special one, also where it ends generation", () => {
    expect(vocabulary.bytesOf(id("<|call|>"))).toEqual(specialTokenBytes("<|call|>"));
    expect(vocabulary.tokenize(specialTokenBytes("<|call|>"))).toEqual([id("<|call|>")]);
  });

  it("keeps end tokens out of the choices, whatever their type", () => {
    expect(vocabulary.trie.tokensAlong(specialTokenBytes("<|call|>"))).toEqual([]);
    expect(vocabulary.trie.tokensAlong(bytes("</s>"))).toEqual([]);
  });

  it("spells byte by byte what the tokenizer would change", () => {
    expect(vocabulary.tokenize(bytes("a\u2581"))).toEqual([
      id("a"),
      id("<0xE2>"),
      id("<0x96>"),
      id("<0x81>"),
    ]);
  });

  it("says which text no token spells", () => {
    expect(() => vocabulary.tokenize(bytes("b"))).toThrow('no token for "b"');
  });
});
