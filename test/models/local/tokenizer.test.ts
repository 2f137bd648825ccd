import { describe, expect, it } from "vitest";
import { tokenBytes } from "../../../src/models/local/token-bytes.ts";
import { withoutBlank } from "../../../src/models/local/tokenizer.ts";

const tokens = ["\u2581", "a", ":", "\n", "\n\n"];
const vocabulary = tokenBytes({ model: "llama", tokens, types: tokens.map(() => 1) });
const [blank, a, , newLine, twoLines] = tokens.keys();
const split = (text: string) =>
  [...text.replaceAll(" ", "\u2581").matchAll(/\n\n|./gs)].map(([part]) => tokens.indexOf(part));

describe("withoutBlank", () => {
  const trimmed = withoutBlank((text) => split(` ${text}`), vocabulary);

  it("takes off the blank that a tokenizer puts before every text, and no other", () => {
    expect(trimmed("a", false)).toEqual([a]);
    expect(trimmed(" a", false)).toEqual([blank, a]);
    expect(trimmed("", false)).toEqual([]);
  });

  it("does so also where line feeds grow together", () => {
    expect(trimmed("\na", false)).toEqual([newLine, a]);
    expect(trimmed("\n\na", false)).toEqual([twoLines, a]);
  });

  it("leaves a tokenizer alone that puts none there", () => {
    expect(withoutBlank(split, vocabulary)(" a", false)).toEqual([blank, a]);
    expect(withoutBlank(split, vocabulary)("\n\n", false)).toEqual([twoLines]);
  });
});
