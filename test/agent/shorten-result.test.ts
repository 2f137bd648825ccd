import { describe, expect, test } from "vitest";
import { shortenResult } from "../../src/agent/shorten-result.ts";
import type { PromptPart } from "../../src/formats/format.ts";

/** Four characters a token. */
const model = {
  countTokens: async (parts: readonly PromptPart[]) =>
    Math.ceil(parts.reduce((sum, part) => sum + part.text.length, 0) / 4),
};

describe("a result", () => {
  test("that fits stays as it is", async () => {
    const text = "x".repeat(400);
    expect(await shortenResult(text, { model, tokens: 100 })).toBe(text);
  });

  test.each([401, 5_000, 1_000_000])(
    "of %i characters keeps head and tail and says what was cut",
    async (length) => {
      const text = `HEAD${"x".repeat(length - 8)}TAIL`;
      const short = await shortenResult(text, { model, tokens: 100 });
      const cut = Number(/(\d+) of (\d+) characters cut/.exec(short)?.[1]);
      expect(short.startsWith("HEAD")).toBe(true);
      expect(short.endsWith("TAIL")).toBe(true);
      expect(await model.countTokens([{ text: short, special: false }])).toBeLessThanOrEqual(100);
      const note = /\n\[…[^\n]*\]\n/.exec(short)?.[0] ?? "";
      expect(cut).toBe(length - (short.length - note.length));
    },
  );

  test("is never cut inside a character", async () => {
    const short = await shortenResult("😀".repeat(2_000), { model, tokens: 60 });
    // Encoding replaces a lone half of a pair, so that it does not come back.
    expect(Buffer.from(short).toString()).toBe(short);
  });

  test("of few characters but many tokens is shortened all the same", async () => {
    const dense = { countTokens: async (parts: readonly PromptPart[]) => (parts[0]?.text.length ?? 0) * 3 };
    const short = await shortenResult("漢".repeat(1_000), { model: dense, tokens: 900 });
    expect(await dense.countTokens([{ text: short, special: false }])).toBeLessThanOrEqual(900);
    expect(short).toContain("characters cut here");
  });
});
