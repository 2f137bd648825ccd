// The printed GBNF as llama.cpp's own grammar engine reads it: it loads, and accepts just what our matcher accepts.
import { afterAll, describe, expect, it } from "vitest";
import { createReferee } from "../../bench/gbnf-referee.ts";
import {
  characters,
  createGrammar,
  createMatcher,
  type Expression,
  literal,
  optional,
  parseGbnf,
  printGbnf,
  repeat,
  rule,
  sequence,
  zeroOrMore,
} from "../../src/gbnf-builder/index.ts";
import { compareWithLlama } from "./compare-with-llama.ts";

const referee = createReferee({ milliseconds: 1_500 });
const patient = createReferee({ milliseconds: 30_000 });
afterAll(() => {
  referee.close();
  patient.close();
});

const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe("llama.cpp and the matcher", () => {
  it("give the same verdicts on random grammars", { timeout: 120_000 }, async () => {
    const result = await compareWithLlama(referee, seed, 2_000);
    const told = result.differences.slice(0, 3).map(({ gbnf, text, what }) => ({ seed, what, text, gbnf }));
    expect(told, `run again with FUZZ_SEED=${seed}`).toEqual([]);
    expect(result.accepted, `FUZZ_SEED=${seed}`).toBeGreaterThan(500);
    expect(result.refused, `FUZZ_SEED=${seed}`).toBeGreaterThan(500);
    expect(result.lost / result.grammars, `FUZZ_SEED=${seed}`).toBeLessThan(0.2);
  });

  // The counts at which llama.cpp's parser refuses a grammar or silently drops the bound, and those around them.
  const item = characters("xy");
  const counted: [
    name: string,
    expression: Expression,
    counts: readonly number[],
    ends: readonly [number, number],
  ][] = [
    ["{0,1999}", repeat(item, 0, 1_999), [0, 1, 1_998, 1_999, 2_000], [0, 1_999]],
    ["{0,2000}", repeat(item, 0, 2_000), [0, 1, 1_999, 2_000, 2_001], [0, 2_000]],
    ["{0,2001}", repeat(item, 0, 2_001), [0, 99, 100, 2_000, 2_001, 2_002], [0, 2_001]],
    ["{2001}", repeat(item, 2_001, 2_001), [0, 2_000, 2_001, 2_002], [2_001, 2_001]],
    ["{5,3000}", repeat(item, 5, 3_000), [4, 5, 6, 2_999, 3_000, 3_001], [5, 3_000]],
    ["{2500,}", repeat(item, 2_500), [2_499, 2_500, 2_501, 7_000], [2_500, 1e9]],
    ["{0,65536}", repeat(item, 0, 65_536), [0, 65_535, 65_536, 65_537], [0, 65_536]],
    ["{0,2000000}", repeat(item, 0, 2_000_000), [0, 5_000], [0, 2_000_000]],
    [
      "(x{100}){100}",
      repeat(sequence(repeat(item, 100, 100)), 100, 100),
      [9_999, 10_000, 10_001],
      [10_000, 10_000],
    ],
    ["of what may be empty", repeat(optional(item), 50, 50), [0, 1, 49, 50, 51], [0, 50]],
    [
      "of what may be empty, nested",
      repeat(repeat(rule("maybe"), 0, 50), 0, 50),
      [0, 41, 2_500, 2_501],
      [0, 2_500],
    ],
  ];
  for (const [name, expression, counts, [least, most]] of counted) {
    it(`keep long counts exact: ${name}`, { timeout: 60_000 }, async () => {
      const grammar = createGrammar("start", {
        start: sequence(literal("<"), expression, literal(">")),
        maybe: optional(characters("xy")),
      });
      const texts = counts.map((count) => `<${"x".repeat(count)}>`);
      const wanted = counts.map((count) => least <= count && count <= most);
      const matcher = createMatcher(grammar);
      expect(texts.map((text) => matcher.accepts(text))).toEqual(wanted);
      expect(await patient.judge(printGbnf(grammar), texts)).toEqual({ type: "verdicts", verdicts: wanted });
    });
  }

  it("agree on repeats of repeats of what may be empty", async () => {
    const inner = zeroOrMore(sequence(optional(literal("a")), zeroOrMore(literal("b"))));
    const grammar = createGrammar("root", { root: zeroOrMore(sequence(inner, optional(rule("root")))) });
    const texts = ["", "a", "ab", "abba", "c", "abc"];
    expect(await referee.judge(printGbnf(grammar), texts)).toEqual({
      type: "verdicts",
      verdicts: [true, true, true, true, false, false],
    });
  });

  it("agree on every kind of character, raw and escaped", async () => {
    const odd = [
      '"',
      "\\",
      "\n",
      "\r",
      "\t",
      "]",
      "[",
      "-",
      "^",
      "\u0001",
      "\u007f",
      "\u200b",
      "é",
      "水",
      "😀",
      "/",
      "'",
    ];
    for (const one of odd) {
      const grammar = createGrammar("root", { root: sequence(literal(one), characters(one, [0x61, 0x63])) });
      const texts = [`${one}${one}`, `${one}b`, one, `${one}d`];
      expect(await referee.judge(printGbnf(grammar), texts), JSON.stringify(one)).toEqual({
        type: "verdicts",
        verdicts: [true, true, false, false],
      });
    }
  });

  it("agree that a special token is no text", async () => {
    const grammar = parseGbnf('root ::= "a" | <|call|> "b"');
    const printed = printGbnf(grammar, { tokenIds: new Map([["<|call|>", 48]]) });
    expect(printed).toContain("<[48]>");
    expect(await referee.judge(printed, ["a", "<|call|>b", "b"])).toEqual({
      type: "verdicts",
      verdicts: [true, false, false],
    });
  });
});
