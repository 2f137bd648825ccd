import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containsString, isNoString } from "../../src/schema-grammar/string-language.ts";
import { stringsMatching } from "../../src/schema-grammar/string-patterns.ts";

const accepts = (pattern: string, text: string): boolean =>
  containsString(stringsMatching(pattern).language, text);

describe("patterns", () => {
  // Expected by reading ECMA-262; the last column of each row is refused.
  const table: [pattern: string, accepted: string[], refused: string[]][] = [
    ["^[a-z]{2,4}$", ["ab", "abcd"], ["a", "abcde", "aB", ""]],
    ["foo", ["foo", "a foo b", "foofoo"], ["", "fo", "FOO", "f oo"]],
    ["^\\d+$", ["0", "123"], ["", "1a", "٣"]],
    ["^\\w\\W$", ["a-", "_ ", "9é"], ["aa", "é-"]],
    ["^\\s*$", ["", " \t\n\u00a0\ufeff\u2028"], ["a", "\u200b"]],
    ["^.$", ["a", "😀", "\u0085"], ["\n", "\r", "\u2028", "ab"]],
    ["^[^a]$", ["b", "\n", "😀"], ["a", ""]],
    ["^(a|b)*c$", ["c", "abbac"], ["ab", "cc"]],
    ["a|^b$", ["xa", "b"], ["xb", "bb"]],
    ["^\\p{Lu}\\p{L}*$", ["Ä", "Éa", "Жж"], ["ä", "1", ""]],
    ["^[\\p{L}\\-]+$", ["a-é"], ["1"]],
    ["^\\u{1F600}$", ["😀"], ["😁"]],
    ["^(?=.*\\d)(?=.*[a-z]).{4,6}$", ["a1bc", "12345z"], ["abcd", "1234", "a1b", "a123456"]],
    ["^(?!.*admin).*$", ["", "user"], ["admin", "xadminx"]],
    ["^(?:(?!--).)*$", ["a-b", "-"], ["--", "a--b"]],
    ["(?<=\\$)\\d+", ["$1", "a$9"], ["1", "$a"]],
    ["(?<!\\d)\\d{2}(?!\\d)", ["12", "a12b"], ["123", "1"]],
    ["\\bcat\\b", ["cat", "a cat.", "-cat-"], ["cats", "concat", "_cat"]],
    ["\\Bcat", ["concat"], ["cat", " cat"]],
    ["^a{0}$", [""], ["a"]],
    ["x*", ["", "abc", "x"], []],
    ["^(?:a?){3}$", ["", "a", "aaa"], ["aaaa"]],
    ["^(?:^a|b)+$", ["a", "ab", "b"], ["aa", "ba"]],
    ["a$b", [], ["a", "ab", "a$b"]],
    ["[]", [], ["", "a"]],
    ["^[\\-a]$", ["-", "a"], ["\\"]],
    ["^\\-$", ["-"], ["\\-", ""]],
  ];

  it.each(table)("%s accepts and refuses what it should", (pattern, accepted, refused) => {
    const read = stringsMatching(pattern);
    expect(read.exact).toBe(true);
    for (const text of accepted) expect([text, containsString(read.language, text)]).toEqual([text, true]);
    for (const text of refused) expect([text, containsString(read.language, text)]).toEqual([text, false]);
  });

  it("knows a pattern that nothing matches", () => {
    expect(isNoString(stringsMatching("a^").language)).toBe(true);
    expect(isNoString(stringsMatching("^(?=a)b").language)).toBe(true);
  });

  it("without the u flag counts a character beyond U+FFFF as two", () => {
    // `\-` outside a class is an error under the u flag, so the expression is read without it.
    expect(accepts("^\\-.$", "-é")).toBe(true);
    expect(accepts("^\\-.$", "-😀")).toBe(false);
    expect(accepts("^\\-..$", "-😀")).toBe(true);
    expect(accepts("^\\-.*$", "-😀")).toBe(true);
  });

  it("widens what is not regular and says so", () => {
    const twice = stringsMatching("^(a|b)\\1$");
    expect(twice.exact).toBe(false);
    expect(twice.reason).toMatch(/back-reference/);
    expect(containsString(twice.language, "aa")).toBe(true);
    expect(containsString(twice.language, "cc")).toBe(false);
    expect(accepts("^(?!(a)\\1)", "bb")).toBe(true);
    expect(stringsMatching("(").exact).toBe(false);
    expect(accepts("(", "anything")).toBe(true);
  });

  it("tells counted characters apart by length instead of by states", () => {
    const { language, exact } = stringsMatching("^id-[a-z]{1,65536}$");
    expect(exact).toBe(true);
    expect(language.terms.every((term) => (term.automaton?.stateCount ?? 0) < 10)).toBe(true);
    expect(containsString(language, `id-${"a".repeat(65_536)}`)).toBe(true);
    expect(containsString(language, `id-${"a".repeat(65_537)}`)).toBe(false);
    expect(containsString(language, "id-")).toBe(false);
  });

  const hostile: [pattern: string, member: string][] = [
    ["^(?:a{1,100000}b?){1,100000}$", "aab"],
    ["^(?:(?:(?:a*)*)*)*b$", "aaab"],
    ["(?:a|aa)+$", "aaa"],
    ["(?:.*x.{60})$", `x${"y".repeat(60)}`],
    [`^(?:${Array.from({ length: 3000 }, (_, i) => `w${i * 7919}`).join("|")})$`, "w7919"],
    [`(?=${"(?=.*a)".repeat(50)}).{50}[^b]{40}c`, `${"a".repeat(100)}c`],
    [`${"(".repeat(400)}a${")*".repeat(400)}`, "aaa"],
    ["^(?:(?!a.{15}b).)*$", "aaaa"],
    [`^(?:${Array.from({ length: 800 }, (_, i) => "a".repeat(i + 1)).join("|")})$`, "a".repeat(700)],
    [`^(?:${"a".repeat(20_000)}b|${"a".repeat(20_000)}c)$`, `${"a".repeat(20_000)}c`],
    [`${"(".repeat(50_000)}a${")".repeat(50_000)}`, "a"],
    [`^${"(?:b|".repeat(300)}a${")".repeat(300)}$`, "a"],
    [`^(?!${"(".repeat(300)}a${")".repeat(300)})`, "b"],
  ];

  it.each(hostile)(
    "ends within its budget and keeps the members of a hostile pattern: %#",
    (pattern, member) => {
      const { language } = stringsMatching(pattern);
      expect(containsString(language, member)).toBe(true);
      for (const term of language.terms) expect(term.automaton?.stateCount ?? 0).toBeLessThan(60_000);
    },
  );

  it("agrees with RegExp on random patterns", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "c",
      "[ab]",
      "[^a]",
      ".",
      "\\w",
      "\\d",
      "\\s",
      "-",
      "^",
      "$",
      "\\b",
    );
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        atom,
        fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
        fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{2,}"))
          .map(([a, count]) => `(?:${a})${count}`),
        fc
          .tuple(fc.constantFrom("(?=", "(?!", "(?<=", "(?<!"), tie("pattern"))
          .map(([mark, a]) => `${mark}${a})`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", " ", "1"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 20, maxLength: 20 }), (source, texts) => {
        const { language, exact } = stringsMatching(source);
        const expression = new RegExp(source, "u");
        for (const sample of ["", "a", "b", "ab", ...texts]) {
          const wanted = expression.test(sample);
          const found = containsString(language, sample);
          // A language that is not exact may only hold more.
          if (wanted || exact) expect([source, sample, found]).toEqual([source, sample, wanted]);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
