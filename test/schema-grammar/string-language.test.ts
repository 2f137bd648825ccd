import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  andStrings,
  anyString,
  containsString,
  finiteStrings,
  isAnyString,
  isNoString,
  lengthRange,
  noString,
  notStrings,
  orStrings,
  type StringLanguage,
  stringsOf,
  stringsOfLength,
} from "../../src/schema-grammar/string-language.ts";
import { stringsMatching } from "../../src/schema-grammar/string-patterns.ts";

const matching = (pattern: string): StringLanguage => stringsMatching(pattern).language;
const and = (a: StringLanguage, b: StringLanguage): StringLanguage => andStrings(a, b).language;
const or = (a: StringLanguage, b: StringLanguage): StringLanguage => orStrings(a, b).language;
const not = (a: StringLanguage): StringLanguage => notStrings(a).language;

describe("string languages", () => {
  it("counts characters, not UTF-16 units", () => {
    const two = stringsOfLength(2, 2);
    expect(containsString(two, "😀😀")).toBe(true);
    expect(containsString(two, "😀")).toBe(false);
    expect(containsString(two, "ab")).toBe(true);
  });

  it("has no string with half a surrogate pair", () => {
    expect(containsString(anyString, "\ud83d")).toBe(false);
    expect(containsString(anyString, "a\udc00b")).toBe(false);
    expect(isNoString(stringsOf(["\ud800"]))).toBe(true);
    expect(containsString(not(stringsOf(["a"])), "\ud83d")).toBe(false);
  });

  it("knows nothing and everything however they come about", () => {
    expect(isNoString(noString)).toBe(true);
    expect(isAnyString(anyString)).toBe(true);
    expect(isNoString(and(stringsOf(["a"]), stringsOf(["b"])))).toBe(true);
    expect(isNoString(and(matching("^a+$"), matching("^b+$")))).toBe(true);
    expect(isNoString(and(matching("^a{3}$"), stringsOfLength(4, undefined)))).toBe(true);
    expect(isNoString(stringsOfLength(5, 4))).toBe(true);
    expect(isNoString(not(anyString))).toBe(true);
    expect(isAnyString(not(noString))).toBe(true);
    expect(isAnyString(matching(""))).toBe(true);
    expect(isAnyString(stringsOfLength(0, undefined))).toBe(true);
    expect(isAnyString(or(stringsOfLength(0, 4), stringsOfLength(5, undefined)))).toBe(true);
    expect(isAnyString(or(matching("a"), matching("^[^a]*$")))).toBe(true);
    expect(isAnyString(or(not(stringsOf(["x", "y"])), stringsOf(["y", "x"])))).toBe(true);
  });

  it("gives equal languages of simple form equal keys", () => {
    const pairs: [StringLanguage, StringLanguage][] = [
      [stringsOf(["b", "a", "b"]), stringsOf(["a", "b"])],
      [matching("^(foo|bar)$"), stringsOf(["bar", "foo"])],
      [matching("^[a-z]{2,5}$"), and(matching("^[a-z]*$"), stringsOfLength(2, 5))],
      [matching("^[a-z]+$"), matching("^[a-z][a-z]*$")],
      [matching("^[^]{1,3}$"), stringsOfLength(1, 3)],
      [matching("^.*$"), matching("^(.|.)*$")],
      [matching("foo"), matching("[^]*foo[^]*")],
      [not(not(matching("^a+b$"))), matching("^aa*b$")],
      [and(matching("^ab?$"), stringsOfLength(0, 10)), stringsOf(["a", "ab"])],
    ];
    for (const [a, b] of pairs) expect(a.key).toBe(b.key);
    expect(matching("^a+$").key).not.toBe(matching("^b+$").key);
    expect(stringsOfLength(1, 2).key).not.toBe(stringsOfLength(1, 3).key);
    expect(stringsOf(["a,b"]).key).not.toBe(stringsOf(["a", "b"]).key);
  });

  it("lists small languages and refuses large ones", () => {
    expect(finiteStrings(matching("^[ab]c?$"), 4)).toEqual(["a", "ac", "b", "bc"]);
    expect(finiteStrings(matching("^[ab]c?$"), 3)).toBeUndefined();
    expect(finiteStrings(and(matching("^x*$"), stringsOfLength(1, 3)), 5)).toEqual(["x", "xx", "xxx"]);
    expect(finiteStrings(and(matching("^[01]*$"), stringsOfLength(2, 2)), 5)).toEqual([
      "00",
      "01",
      "10",
      "11",
    ]);
    expect(finiteStrings(matching("^\\d+$"), 1000)).toBeUndefined();
    expect(finiteStrings(noString, 0)).toEqual([]);
    expect(finiteStrings(anyString, 10)).toBeUndefined();
    expect(finiteStrings(stringsOfLength(0, 0), 1)).toEqual([""]);
    expect(finiteStrings(stringsOfLength(0, 1), 10)).toBeUndefined();
  });

  it("tells the complement of five thousand values, and what is left of them", () => {
    const values = Array.from({ length: 5000 }, (_, i) => `zone-${i}-${i % 3}`);
    const others = notStrings(stringsOf(values));
    expect(others.exact).toBe(true);
    expect(containsString(others.language, "zone-17-2")).toBe(false);
    expect(containsString(others.language, "zone-17-1")).toBe(true);
    expect(and(stringsOf(["zone-1-1", "zone-1-2"]), others.language).values).toEqual(["zone-1-2"]);
  });

  it("knows the shortest and the longest string", () => {
    expect(lengthRange(matching("^ab{2,3}$"))).toEqual({ min: 3, max: 4 });
    expect(lengthRange(matching("^ab+$"))).toEqual({ min: 2, max: undefined });
    expect(lengthRange(stringsOf(["😀", "abc"]))).toEqual({ min: 1, max: 3 });
    expect(lengthRange(stringsOfLength(2, 7))).toEqual({ min: 2, max: 7 });
    expect(lengthRange(noString)).toBeUndefined();
  });

  it("keeps a long length bound symbolic", () => {
    const name = and(matching("^[a-z_][a-z0-9_]*$"), stringsOfLength(1, 65_536));
    expect(andStrings(matching("^[a-z_][a-z0-9_]*$"), stringsOfLength(1, 65_536)).exact).toBe(true);
    expect(name.terms[0]?.automaton?.stateCount).toBe(2);
    expect(containsString(name, "a".repeat(65_536))).toBe(true);
    expect(containsString(name, "a".repeat(65_537))).toBe(false);
  });

  it("does not count to lengths that no budget allows", () => {
    const far = andStrings(matching("^(?:ab|c)*$"), stringsOfLength(1e9, 1e9));
    expect(far.exact).toBe(false);
    expect(isNoString(far.language)).toBe(false);
  });

  it("gives a larger language and says so where a product is over the budget", () => {
    const a = matching("^(?:a.{6}|[^a])*$");
    const b = matching("^(?:.{7})*$");
    const both = andStrings(a, b, 0);
    const sample = "a123456";
    expect(containsString(both.language, sample)).toBe(true);
    const counted = andStrings(matching("^(?:ab?)*$"), stringsOfLength(300, 400), 50);
    expect(counted.exact).toBe(false);
    expect(containsString(counted.language, "a".repeat(350))).toBe(true);
    expect(andStrings(matching("^(?:ab?)*$"), stringsOfLength(300, 400)).exact).toBe(true);
  });

  it("never loses a string of a conjunction, an alternative or a complement", () => {
    const atom = fc.constantFrom(
      "^a+$",
      "b",
      "^[ab]{1,3}$",
      "^(?:ab|c)*$",
      "[^a]$",
      "^.{2,4}$",
      "^c?$",
      "",
      "^(?!ab)",
      "a^",
    );
    const leaf = fc.oneof(
      atom.map((pattern) => ({
        language: matching(pattern),
        has: (text: string) => new RegExp(pattern, "u").test(text),
      })),
      fc.tuple(fc.nat(3), fc.nat(4)).map(([min, more]) => ({
        language: stringsOfLength(min, min + more),
        has: (text: string) => text.length >= min && text.length <= min + more,
      })),
      fc.subarray(["", "a", "b", "ab", "ba", "abc", "cc"]).map((values) => ({
        language: stringsOf(values),
        has: (text: string) => values.includes(text),
      })),
    );
    type Model = { language: StringLanguage; has: (text: string) => boolean };
    const { model } = fc.letrec<{ model: Model }>((tie) => ({
      model: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        fc.tuple(tie("model"), tie("model")).map(([a, b]) => ({
          language: and(a.language, b.language),
          has: (text: string) => a.has(text) && b.has(text),
        })),
        fc.tuple(tie("model"), tie("model")).map(([a, b]) => ({
          language: or(a.language, b.language),
          has: (text: string) => a.has(text) || b.has(text),
        })),
        tie("model").map((a) => ({ language: not(a.language), has: (text: string) => !a.has(text) })),
      ),
    }));
    const texts = textsOver(["a", "b", "c"], 4);
    fc.assert(
      fc.property(model, ({ language, has }) => {
        for (const text of texts) expect([text, containsString(language, text)]).toEqual([text, has(text)]);
        if (isNoString(language)) expect(texts.some(has)).toBe(false);
        if (isAnyString(language)) expect(texts.every(has)).toBe(true);
        const listed = finiteStrings(language, 500);
        if (listed !== undefined)
          expect(listed.filter((text) => texts.includes(text))).toEqual(texts.filter(has).sort());
      }),
      { numRuns: 400 },
    );
  });
});

function textsOver(letters: readonly string[], longest: number): string[] {
  const texts = [""];
  let last = [""];
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((text) => letters.map((letter) => text + letter));
    texts.push(...last);
  }
  return texts;
}
