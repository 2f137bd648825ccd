import { describe, expect, it } from "vitest";
import { characters, literal } from "../../src/gbnf-builder/build.ts";
import { acceptsText, createMatcher } from "../../src/gbnf-builder/matcher.ts";
import { emitString } from "../../src/schema-grammar/emit-strings.ts";
import type { Spelling } from "../../src/schema-grammar/languages/spelling.ts";
import { stringsOfFormat } from "../../src/schema-grammar/string-formats.ts";
import {
  andStrings,
  anyString,
  containsString,
  noString,
  notStrings,
  orStrings,
  type StringLanguage,
  stringsOf,
  stringsOfLength,
} from "../../src/schema-grammar/string-language.ts";
import { stringsMatching } from "../../src/schema-grammar/string-patterns.ts";
import { grammarOf, repeatableRandom, sampleTexts } from "./sample-texts.ts";

const grammar = (language: StringLanguage) => grammarOf((context) => emitString(language, context));
const matching = (pattern: string) => stringsMatching(pattern).language;

const languages: [name: string, language: StringLanguage][] = [
  ["any string", anyString],
  [
    "listed values",
    stringsOf(["", "a", 'say "hi"', "back\\slash", "tab\t", "null\u0000", "ü", "😀", "😁", "aa"]),
  ],
  ["one value", stringsOf(["only"])],
  ["lengths", stringsOfLength(2, 5)],
  ["a pattern", matching("^[A-Z]{2}-\\d{4}(?:-[a-z]+)*$")],
  ["a searched pattern", matching("[a-f]o?\\W")],
  ["special characters", matching('^["\\\\\\n\\u0001\\u001f/]{1,3}$')],
  ["a look-ahead", matching("^(?!ab)[abc]+$")],
  ["a bounded pattern", andStrings(matching("^(?:ab?)*$"), stringsOfLength(3, 9)).language],
  ["a complement", notStrings(stringsOf(["id", "name", ""])).language],
  [
    "a union",
    orStrings(stringsOf(["x"]), andStrings(matching("^a*$"), stringsOfLength(3, 4)).language).language,
  ],
  ["dates", stringsOfFormat("date")?.language ?? noString],
  ["a large class", matching("^\\p{Lu}\\p{Ll}*$")],
];

const probes = [
  ...[
    "",
    "a",
    "aa",
    "ab",
    "abab",
    "aaa",
    "x",
    "id",
    "names",
    "foo",
    "a foo",
    "AB-1234",
    "AB-1234-x-y",
    "only",
  ],
  ...[
    '"',
    "\\",
    "\n",
    "\t",
    "\u0000",
    "\u0001",
    "\u001f",
    "\u007f",
    "\u2028",
    "/",
    '"\\\n',
    "ü",
    "😀",
    "😀😀",
  ],
  ...[
    "2024-02-29",
    "2023-02-29",
    "Ä",
    "Äb",
    "äb",
    'say "hi"',
    "back\\slash",
    "tab\t",
    "null\u0000",
    "bca",
    "abc",
  ],
];

describe("strings as JSON text", () => {
  it.each(languages)("%s: JSON.stringify of a member, and of nothing else, is accepted", (_, language) => {
    const matcher = createMatcher(grammar(language));
    for (const probe of probes) {
      expect([probe, matcher.accepts(JSON.stringify(probe))]).toEqual([
        probe,
        containsString(language, probe),
      ]);
    }
  });

  it.each(languages)("%s: every text of the grammar is the JSON of a member", (_, language) => {
    const texts = sampleTexts(grammar(language), { count: 150, length: 60, random: repeatableRandom(7) });
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      const value: unknown = JSON.parse(text);
      expect(JSON.stringify(value)).toBe(text);
      expect([text, containsString(language, value as string)]).toEqual([text, true]);
    }
  });

  it("escapes only what must be escaped, each in one way", () => {
    const any = grammar(anyString);
    for (const text of ['"\\n"', '"\\u0000"', '"\\u001f"', '"\\\\\\""', '"/"', '"\u007f\u2028"']) {
      expect([text, acceptsText(any, text)]).toEqual([text, true]);
    }
    for (const text of ['"\\/"', '"\\u0041"', '"\\u000a"', '"\\u001F"', '"\n"', '"\\ud83d"', '"\\x"', '"']) {
      expect([text, acceptsText(any, text)]).toEqual([text, false]);
    }
  });

  it("gives a grammar without texts for no string", () => {
    expect(createMatcher(grammar(noString)).canContinue(createMatcher(grammar(noString)).start)).toBe(false);
  });

  it("writes a length bound of 65,536 as one repeat", () => {
    const long = grammar(stringsOfLength(1, 65_536));
    expect(long.rules.size).toBeLessThan(5);
    expect(JSON.stringify([...long.rules])).toContain('"max":65536');
  });

  it("shares beginnings of five thousand values", () => {
    const values = Array.from({ length: 5000 }, (_, i) => `region-${i % 7}/zone-${i}`);
    const trie = grammar(stringsOf(values));
    const matcher = createMatcher(trie);
    const bytes = new TextEncoder().encode('"region-');
    expect(new TextDecoder().decode(matcher.forced(matcher.start).bytes)).toBe('"region-');
    const next = matcher.nextBytes(matcher.advance(matcher.start, bytes));
    expect([...next.entries()].filter(([, isNext]) => isNext === 1)).toHaveLength(7);
    expect(matcher.accepts(JSON.stringify(values[4321]))).toBe(true);
    expect(matcher.accepts('"region-1/zone-5000"')).toBe(false);
  });

  it("does not overrun the stack on chains of thousands of states", () => {
    const long = matching(`^(?:${"[ab]?c".repeat(1500)})$`);
    const matcher = createMatcher(grammar(long));
    expect(matcher.accepts(JSON.stringify("ac".repeat(1500)))).toBe(true);
    expect(matcher.accepts(JSON.stringify("ac".repeat(1499)))).toBe(false);
    const nested = stringsOf(Array.from({ length: 3000 }, (_, i) => "a".repeat(i)));
    expect(createMatcher(grammar(nested)).accepts(JSON.stringify("a".repeat(2999)))).toBe(true);
  });

  it("writes the same strings in another spelling", () => {
    const tagged: Spelling = {
      name: "tagged",
      open: literal("<v>"),
      close: literal("</v>"),
      characters: (ranges) => characters(...ranges),
      text: (text) => text,
    };
    const raw = grammarOf((context) => emitString(matching('^[a"]{1,2}$'), context, tagged));
    expect(acceptsText(raw, '<v>a"</v>')).toBe(true);
    expect(acceptsText(raw, '<v>a\\"</v>')).toBe(false);
    expect(acceptsText(raw, "<v></v>")).toBe(false);
    const listed = grammarOf((context) => emitString(stringsOf(["a\nb"]), context, tagged));
    expect(acceptsText(listed, "<v>a\nb</v>")).toBe(true);
  });
});
