import { describe, expect, test } from "vitest";
import { shortenText } from "../../src/context/shorten-text.ts";

/** Four characters a token. */
const count = async (text: string) => Math.ceil(text.length / 4);

describe("a text", () => {
  test("that fits stays as it is", async () => {
    const text = "x".repeat(400);
    expect(await shortenText(text, { count, tokens: 100 })).toBe(text);
  });

  test.each([401, 5_000, 1_000_000])(
    "of %i characters keeps head and tail and says what was cut",
    async (length) => {
      const text = `HEAD${"x".repeat(length - 8)}TAIL`;
      const short = await shortenText(text, { count, tokens: 100 });
      const cut = Number(/(\d+) of (\d+) characters cut/.exec(short)?.[1]);
      expect(short.startsWith("HEAD")).toBe(true);
      expect(short.endsWith("TAIL")).toBe(true);
      expect(await count(short)).toBeLessThanOrEqual(100);
      const note = /\n\[…[^\n]*\]\n/.exec(short)?.[0] ?? "";
      expect(cut).toBe(length - (short.length - note.length));
    },
  );

  test("is never cut inside a character", async () => {
    const short = await shortenText("😀".repeat(2_000), { count, tokens: 60 });
    // Encoding replaces a lone half of a pair, so that it does not come back.
    expect(Buffer.from(short).toString()).toBe(short);
  });

  test("of few characters but many tokens is shortened all the same", async () => {
    const dense = async (text: string) => text.length * 3;
    const short = await shortenText("漢".repeat(1_000), { count: dense, tokens: 900 });
    expect(await dense(short)).toBeLessThanOrEqual(900);
    expect(short).toContain("characters cut here");
  });

  test("that is a part already counts what the whole text lacks, and says how to see it", async () => {
    const part = "x".repeat(900);
    const advice = "read_result shows them";
    const short = await shortenText(part, { count, tokens: 50, characters: 5_000, advice });
    const kept = short.replace(/\n\[…[^\n]*\]\n/, "").length;
    expect(short).toContain(`[… ${5_000 - kept} of 5000 characters cut here: read_result shows them …]`);
  });
});
