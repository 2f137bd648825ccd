// GBNF text in and out: what is read, what is an error and where, and what the printed text is free of.
import { describe, expect, it } from "vitest";
import {
  acceptsText,
  characters,
  choice,
  createGrammar,
  type Expression,
  emptyText,
  type Grammar,
  GrammarError,
  literal,
  notCharacters,
  nothing,
  optional,
  parseGbnf,
  printGbnf,
  repeat,
  rule,
  sequence,
  token,
  zeroOrMore,
} from "../../src/gbnf-builder/index.ts";

const ofRoot = (root: Expression): Grammar => createGrammar("root", { root });

describe("parseGbnf", () => {
  const read: readonly [name: string, gbnf: string, root: Expression][] = [
    ["a comment and blank lines", '# first\n\nroot ::= "a" # rest\n\n# last', literal("a")],
    [
      "a rule over lines after a bar and in brackets",
      'root ::= "a" |\n  ("b"\n  "c")',
      choice(literal("a"), literal("bc")),
    ],
    ["line ends of Windows", 'root ::= "a" |\r\n "b"\r\n', choice(literal("a"), literal("b"))],
    ["escapes", 'root ::= "\\x41\\u00e9\\U0001F600\\n\\r\\t\\\\\\"\\[\\]"', literal('Aé😀\n\r\t\\"[]')],
    ["a class with ranges and a last hyphen", "root ::= [a-c_-]", characters([0x61, 0x63], "_-")],
    ["a negated class", "root ::= [^a\\]]", notCharacters("a]")],
    ["a dot", "root ::= .", notCharacters()],
    ["counts with blanks", 'root ::= "a"{ 2 , 3 }', repeat(literal("a"), 2, 3)],
    ["an open count", 'root ::= "a"{2,}', repeat(literal("a"), 2)],
    ["a count without a least", 'root ::= "a"{,3}', repeat(literal("a"), 0, 3)],
    ["a repeat of a repeat", "root ::= [ab]{3}{2,4}", repeat(repeat(characters("ab"), 3, 3), 2, 4)],
    [
      "tokens by text and by number",
      "root ::= <|call|> <[48]>",
      sequence(token("<|call|>"), token("<[48]>")),
    ],
    ["an empty option", 'root ::= "a" |', choice(literal("a"), emptyText)],
  ];
  for (const [name, gbnf, root] of read)
    it(`reads ${name}`, () => expect(parseGbnf(gbnf)).toEqual(ofRoot(root)));

  it("reads rules in any order and takes others from the caller", () => {
    const grammar = parseGbnf("list ::= item+\nitem ::= word", {
      root: "list",
      rules: new Map([["word", literal("w")]]),
    });
    expect(acceptsText(grammar, "www")).toBe(true);
  });

  const wrong: readonly [name: string, gbnf: string, line: number, column: number, message: RegExp][] = [
    ["no rule sign", 'root = "a"', 1, 6, /Expected ::=/],
    ["an open literal", 'root ::= "a', 1, 10, /no closing quote/],
    ["an open class", 'root ::= "é" [a', 1, 14, /no closing bracket/],
    ["an open bracket", 'root ::= ("a"', 1, 14, /Expected \)/],
    ["an unknown escape", 'root ::= "\\/"', 1, 11, /Unknown escape/],
    ["too few digits", 'root ::= "\\u12"', 1, 11, /number of a character/],
    ["a surrogate", 'root ::= "\\uD800"', 1, 11, /number of a character/],
    ["a reversed range", "root ::= [z-a]", 1, 10, /ends before it begins/],
    ["an empty class", "root ::= []", 1, 10, /matches no character/],
    ["a repeat of nothing", "root ::= *", 1, 10, /before \*/],
    ["a bad count", 'root ::= "a"{x}', 1, 13, /Expected a count/],
    ["a reversed count", 'root ::= "a"{3,2}', 1, 13, /ends before it begins/],
    ["a rule defined twice", 'root ::= "a"\nroot ::= "b"', 2, 1, /defined twice/],
    ["a refused token", 'x ::= "y"\nroot ::= "a"\n  !<|call|>', 3, 3, /Expected the name|refused token/],
    ["brackets nested too deeply", `root ::= ${"(".repeat(300)}"a"`, 1, 211, /nested too deeply/],
    ["a stray bracket", 'root ::= "a" )', 1, 14, /end of the line/],
  ];
  for (const [name, gbnf, line, column, message] of wrong) {
    it(`says where: ${name}`, () => {
      let thrown: unknown;
      try {
        parseGbnf(gbnf);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(GrammarError);
      expect((thrown as GrammarError).message).toMatch(message);
      expect((thrown as GrammarError).place).toEqual({ line, column });
    });
  }

  it("refuses a text without its root and a rule that is not there", () => {
    expect(() => parseGbnf('start ::= "a"')).toThrow(/root rule "root" is not defined/);
    expect(() => parseGbnf("root ::= other")).toThrow(/"root" refers to "other"/);
  });
});

describe("printGbnf", () => {
  it("writes names that GBNF allows, each its own, the root's being root", () => {
    const grammar = createGrammar("start here", {
      "start here": sequence(rule("a b"), rule("a/b"), rule("root"), rule("é")),
      "a b": literal("1"),
      "a/b": literal("2"),
      root: literal("3"),
      é: literal("4"),
    });
    const printed = printGbnf(grammar);
    const names = [...printed.matchAll(/^(\S+) ::=/gm)].map(([, name]) => name);
    expect(names[0]).toBe("root");
    expect(new Set(names).size).toBe(5);
    expect(names.every((name) => /^[a-zA-Z0-9-]+$/.test(name!))).toBe(true);
    expect(acceptsText(parseGbnf(printed), "1234")).toBe(true);
  });

  it("leaves out what cannot match and what is not reached", () => {
    const grammar = createGrammar("root", {
      root: choice(literal("a"), sequence(literal("b"), rule("never"))),
      never: sequence(literal("x"), rule("never")),
      unused: literal("u"),
    });
    expect(printGbnf(grammar)).toBe('root ::= "a"\n');
  });

  it("says when a grammar matches nothing", () => {
    expect(() => printGbnf(ofRoot(nothing))).toThrow(GrammarError);
    expect(() => printGbnf(ofRoot(sequence(literal("a"), rule("root"))))).toThrow(/matches no text/);
  });

  it("writes no count of two thousand or more and no group in a long repeat", () => {
    const group = sequence(
      choice(literal("a"), sequence(literal("b"), optional(literal("c")))),
      literal(";"),
    );
    for (const expression of [
      repeat(group, 0, 70_000),
      repeat(group, 2_000, 2_000),
      repeat(group, 3_000),
      repeat(group, 0, 1_500),
    ]) {
      const printed = printGbnf(ofRoot(expression));
      const counts = [...printed.matchAll(/\{(\d*),?(\d*)\}/g)].flatMap(([, from, to]) => [
        Number(from),
        Number(to),
      ]);
      expect(Math.max(...counts)).toBeLessThan(2_000);
      expect(printed).not.toMatch(/\)\{/);
    }
  });

  it("repeats nothing that may be empty", () => {
    const printed = printGbnf(
      createGrammar("root", { root: zeroOrMore(rule("item")), item: optional(literal("a")) }),
    );
    const grammar = parseGbnf(printed);
    expect(acceptsText(grammar, "aaa")).toBe(true);
    const repeated = [...grammar.rules.values()].flatMap((one) => (one.type === "repeat" ? [one.item] : []));
    expect(repeated.length).toBeGreaterThan(0);
    for (const item of repeated)
      expect(acceptsText({ root: "r", rules: new Map([...grammar.rules, ["r", item]]) }, "")).toBe(false);
  });

  it("breaks long rules only after a bar", () => {
    const words = Array.from({ length: 60 }, (_, i) => literal(`word-${i}`));
    const lines = printGbnf(ofRoot(choice(...words)))
      .trimEnd()
      .split("\n");
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/ \|$/);
  });

  it("needs a number for a token whose text GBNF cannot name", () => {
    const grammar = ofRoot(sequence(token("[CALL]"), token("<|end|>")));
    expect(() => printGbnf(grammar)).toThrow(/tokenIds/);
    expect(printGbnf(grammar, { tokenIds: new Map([["[CALL]", 7]]) })).toBe("root ::= <[7]> <|end|>\n");
  });
});

describe("builders", () => {
  it("keep one normal shape", () => {
    expect(sequence(literal("a"), sequence(literal("b"), emptyText), literal("c"))).toEqual(literal("abc"));
    expect(choice(choice(characters("ac"), nothing), characters("ab"))).toEqual(characters([0x61, 0x63]));
    expect(sequence(literal("a"), nothing)).toBe(nothing);
    expect(characters([0xd000, 0xdfff])).toEqual(characters([0xd000, 0xd7ff]));
    expect(repeat(repeat(literal("a"), 0, 3), 2, 4)).toEqual(repeat(literal("a"), 0, 12));
    expect(repeat(repeat(literal("a"), 2, 3), 0, 4)).toMatchObject({
      min: 0,
      max: 4,
      item: { min: 2, max: 3 },
    });
    expect(repeat(nothing, 0, 4)).toBe(emptyText);
  });

  it("refuse what means nothing", () => {
    let deep: Expression = literal("a");
    for (let i = 0; i < 600; i++) deep = sequence(literal("("), choice(deep, rule("root")));
    expect(() => createGrammar("root", { root: deep })).toThrow(/nested too deeply/);
    expect(() => literal("\ud800")).toThrow(GrammarError);
    expect(() => repeat(literal("a"), 3, 2)).toThrow(GrammarError);
    expect(() => repeat(literal("a"), 1.5)).toThrow(GrammarError);
    expect(() => characters([5, 2])).toThrow(GrammarError);
    expect(() => createGrammar("root", { root: rule("other") })).toThrow(/"other"/);
  });
});
