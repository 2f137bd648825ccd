import { describe, expect, it } from "vitest";
import { tokenBytes } from "../../../src/models/local/token-bytes.ts";

const text = (bytes: Uint8Array | undefined) => (bytes ? Buffer.from(bytes).toString("utf8") : undefined);

describe("tokenBytes", () => {
  it("reads the byte-level alphabet: Ġ is a blank, Ċ a line feed, other bytes stand for themselves or are shifted", () => {
    const { plain } = tokenBytes({ model: "gpt2", tokens: ["Ġthe", "Ċ", "Ã©", 'Ġ{"'], types: [1, 1, 1, 1] });
    expect(plain.map(text)).toEqual([" the", "\n", "é", ' {"']);
  });

  it("reads blanks and byte tokens of a SentencePiece vocabulary", () => {
    const { plain } = tokenBytes({ model: "llama", tokens: ["\u2581the", "<0x0A>", "é"], types: [1, 6, 1] });
    expect(plain.map(text)).toEqual([" the", "\n", "é"]);
  });

  it("keeps control tokens apart, user-defined ones as text, and leaves out unknown and unused ones", () => {
    const bytes = tokenBytes({
      model: "gpt2",
      tokens: ["<|im_end|>", "<tool_call>", "<unk>", "[PAD1]"],
      types: [3, 4, 2, 5],
    });
    expect(bytes.plain.map(text)).toEqual([undefined, "<tool_call>", undefined, undefined]);
    expect([...bytes.control]).toEqual([[0, "<|im_end|>"]]);
    expect([...bytes.userDefined]).toEqual([[1, "<tool_call>"]]);
  });

  it("covers all 256 bytes exactly once in the byte-level alphabet", () => {
    const alphabet = Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code));
    const { plain } = tokenBytes({ model: "gpt2", tokens: alphabet, types: alphabet.map(() => 1) });
    const single = plain.filter((bytes) => bytes?.length === 1).map((bytes) => bytes?.[0]);
    expect(new Set(single).size).toBe(256);
  });
});
