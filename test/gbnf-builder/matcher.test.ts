// What the matcher accepts, forces and foresees, by hand-made tables: grammar text, accepted texts, refused texts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  acceptsText,
  choice,
  createGrammar,
  createMatcher,
  DEAD,
  type Expression,
  emptyText,
  literal,
  notCharacters,
  nothing,
  parseGbnf,
  repeat,
  rule,
  sequence,
  specialTokenBytes,
  splitSpecialTokens,
  token,
} from "../../src/gbnf-builder/index.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const brackets = (count: number): string => "[".repeat(count) + "]".repeat(count);

type Case = readonly [name: string, gbnf: string, accepted: readonly string[], refused: readonly string[]];

const cases: readonly Case[] = [
  ["a literal", 'root ::= "abc"', ["abc"], ["", "ab", "abcd", "Abc"]],
  ["the empty text", 'root ::= ""', [""], [" ", "a"]],
  [
    "a choice with a common beginning",
    'root ::= "car" | "cart" | "care" "s"?',
    ["car", "cart", "care", "cares"],
    ["ca", "carts"],
  ],
  ["a class", "root ::= [a-c]+", ["a", "cba"], ["", "d", "abd"]],
  ["a negated class", "root ::= [^a-c]", ["d", "é", "😀", "\n"], ["a", "b", "c", "", "dd"]],
  ["any character", "root ::= .", ["a", "\n", "水", "\u{10ffff}"], ["", "ab"]],
  [
    "counts",
    'root ::= "a"{2} "b"{1,3} "c"{2,} "d"{,1}',
    ["aabcc", "aabbbcccd"],
    ["abcc", "aabbbbcc", "aabc", "aabccdd"],
  ],
  ["a long literal repeated as a whole", 'root ::= "ab"*', ["", "ab", "abab"], ["a", "aba", "abb"]],

  [
    "direct left recursion",
    'root ::= root "+" [0-9] | [0-9]',
    ["1", "1+2", "1+2+3"],
    ["", "+", "1+", "+1", "12"],
  ],
  ["left recursion on both sides", 'root ::= root root | "a" | "b"', ["a", "ab", "abba"], ["", "c", "ac"]],
  ["left recursion without an end", 'root ::= root "a"', [], ["", "a", "aa"]],
  ["left recursion that may be empty", 'root ::= root "a" | ""', ["", "a", "aaa"], ["b", "ab"]],
  [
    "indirect left recursion",
    'root ::= b "x" | "r"\nb ::= c "y" | "b"\nc ::= root "z" | "c"',
    ["r", "bx", "cyx", "rzyx", "bxzyx"],
    ["", "x", "zyx", "rz", "cx"],
  ],
  [
    "left recursion behind something empty",
    'root ::= e e root "x" | "a"\ne ::= "q"?',
    ["a", "ax", "axx", "qax", "qqqaxx"],
    ["", "qa", "qqqax", "xa"],
  ],
  [
    "left recursion behind a rule empty through others",
    'root ::= e root "x" | "a"\ne ::= f f\nf ::= g\ng ::= "g"*',
    ["a", "ax", "gax", "ggaxx"],
    ["ga", "gx"],
  ],
  ["a rule that is itself", 'root ::= root | "a"', ["a"], ["", "aa"]],
  ["two rules that are each other", 'root ::= b | "r"\nb ::= root | "b"', ["r", "b"], ["", "rb"]],
  [
    "left recursion inside a repeat",
    'root ::= (root "x"){2,3} | "a"',
    ["a", "axax", "axaxax"],
    ["", "ax", "axaxaxax"],
  ],
  [
    "left recursion inside a long repeat",
    'root ::= (root "x"){2,300} | "a"',
    ["a", "axax", "ax".repeat(300)],
    ["", "ax", "ax".repeat(301)],
  ],

  ["right recursion", 'root ::= "a" root | "b"', ["b", "aab"], ["", "a", "aaba"]],
  ["middle recursion", 'root ::= "a" root "b" | "c"', ["c", "acb", "aacbb"], ["acbb", "aacb", ""]],
  ["ambiguity", 'root ::= ("a" | "a" "a" | "aa")*', ["", "a", "aa", "aaaaaaa"], ["b", "aab"]],
  [
    "palindromes",
    'root ::= "a" root "a" | "b" root "b" | ""',
    ["", "aa", "abba", "babbab"],
    ["a", "ab", "abab"],
  ],
  [
    "two recursions that nest",
    'root ::= "(" list ")"\nlist ::= item*\nitem ::= root | "x"',
    ["()", "(x)", "(x(x)x)"],
    ["(", "())", "(x)x"],
  ],

  ["empty repeats", 'root ::= (("a"?)*)*', ["", "a", "aaa"], ["b"]],
  [
    "a counted repeat of what may be empty",
    'root ::= ("a"? "b"?){3}',
    ["", "a", "ab", "ababab", "bbb", "ba"],
    ["bbbb", "aaaa", "abababa"],
  ],
  [
    "a long repeat of what may be empty",
    'root ::= ("a"?){1000}',
    ["", "a", "a".repeat(1000)],
    ["a".repeat(1001)],
  ],
  [
    "a long repeat of a choice of lengths",
    'root ::= ("a" | "aa"){50,60}',
    ["a".repeat(50), "a".repeat(120)],
    ["a".repeat(49), "a".repeat(121)],
  ],
  [
    "counts that gaps are left in",
    'root ::= ("a"{10}){3,5}',
    ["a".repeat(30), "a".repeat(40), "a".repeat(50)],
    ["a".repeat(35), "a".repeat(60), ""],
  ],
  [
    "counts around recursion",
    'root ::= "[" (root | "x"){0,100} "]"',
    ["[]", "[x]", `[${"[x]".repeat(100)}]`],
    [`[${"[x]".repeat(101)}]`, "[x"],
  ],
  [
    "a counted call in last place",
    'root ::= "a" (root "b"){0,70} | "c"',
    ["a", "c", "acbcb", `a${"cb".repeat(70)}`, "aacbbcb"],
    [`a${"cb".repeat(71)}`, "ac"],
  ],
];

describe("the matcher accepts and refuses", () => {
  for (const [name, gbnf, accepted, refused] of cases) {
    it(name, () => {
      const matcher = createMatcher(parseGbnf(gbnf));
      expect(accepted.filter((text) => !matcher.accepts(text))).toEqual([]);
      expect(refused.filter((text) => matcher.accepts(text))).toEqual([]);
    });
  }

  it("brackets nested ten thousand deep", () => {
    const matcher = createMatcher(parseGbnf('root ::= "[" root "]" | ""'));
    expect(matcher.accepts(brackets(10_000))).toBe(true);
    expect(matcher.accepts(`${brackets(10_000)}]`)).toBe(false);
    expect(matcher.accepts(`[${brackets(10_000)}`)).toBe(false);
  });

  for (const count of [0, 1, 2, 1_999, 2_000, 2_001, 65_536]) {
    it(`up to and exactly ${count} of something`, () => {
      const one = choice(literal("x"), literal("水"));
      const inQuotes = (item: Expression) =>
        createMatcher(createGrammar("root", { root: sequence(literal("'"), item, literal("'")) }));
      const upTo = inQuotes(repeat(one, 0, count));
      const exactly = inQuotes(repeat(one, count, count));
      const text = (length: number): string => `'${"x水".repeat(length).slice(0, length)}'`;
      expect([upTo.accepts(text(count)), upTo.accepts(text(count + 1)), upTo.accepts("''")]).toEqual([
        true,
        false,
        true,
      ]);
      expect([exactly.accepts(text(count)), exactly.accepts(text(count + 1))]).toEqual([true, false]);
      if (count > 0)
        expect([upTo.accepts(text(count - 1)), exactly.accepts(text(count - 1))]).toEqual([true, false]);
    });
  }

  it("rules chained and first-called to great depth", () => {
    const rules: Record<string, Expression> = { r20000: literal("x") };
    for (let i = 0; i < 20_000; i++) rules[`r${i}`] = choice(rule(`r${i + 1}`), literal("y"));
    expect(acceptsText(createGrammar("r0", rules), "x")).toBe(true);
    for (let i = 0; i < 20_000; i++) rules[`r${i}`] = sequence(literal("y"), rule(`r${i + 1}`));
    expect(acceptsText(createGrammar("r0", rules), `${"y".repeat(20_000)}x`)).toBe(true);
  });

  it("right recursion without growing a stack", () => {
    const matcher = createMatcher(parseGbnf('root ::= "a" other | ""\nother ::= "b" root'));
    expect(matcher.accepts("ab".repeat(5_000))).toBe(true);
    expect(matcher.stateCount).toBeLessThan(10);
  });

  it("UTF-8 at its edges, and nothing that is not well-formed", () => {
    const edges = [
      "\0",
      "\x7f",
      "\x80",
      "\u07ff",
      "\u0800",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{10ffff}",
    ];
    const any = createMatcher(createGrammar("root", { root: notCharacters() }));
    expect(edges.filter((text) => !any.accepts(text))).toEqual([]);
    const malformed = [
      [0x80],
      [0xc0, 0x80],
      [0xc3],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xff],
    ];
    expect(malformed.filter((bytes) => any.accepts(Uint8Array.from(bytes)))).toEqual([]);
    expect(any.accepts("\ud800")).toBe(false);
    for (const one of edges) {
      const without = createMatcher(createGrammar("root", { root: notCharacters(one) }));
      expect(edges.filter((text) => without.accepts(text))).toEqual(edges.filter((text) => text !== one));
    }
  });

  it("nothing where the grammar has no text", () => {
    for (const root of [nothing, sequence(literal("a"), rule("loop")), rule("loop")]) {
      const matcher = createMatcher(
        createGrammar("root", { root, loop: sequence(literal("a"), rule("loop")) }),
      );
      expect([matcher.start, matcher.accepts(""), matcher.canContinue(matcher.start)]).toEqual([
        DEAD,
        false,
        false,
      ]);
    }
  });

  it("no way into an option that can never end", () => {
    const loop = sequence(literal("l"), rule("loop"));
    const grammar = createGrammar("root", {
      root: choice(sequence(literal("a"), rule("loop")), literal("b")),
      loop,
    });
    const matcher = createMatcher(grammar);
    expect(matcher.advance(matcher.start, encoder.encode("a"))).toBe(DEAD);
    expect(matcher.accepts("b")).toBe(true);
  });

  it("JSON by the hand-written pieces", () => {
    const matcher = createMatcher(parseGbnf(readFileSync("grammars/json.gbnf", "utf8")));
    const value = { a: [1, -2.5e3, true, null], b: { c: 'é\\"\n\u0001😀/' }, d: [], e: {}, f: "" };
    expect(matcher.accepts(JSON.stringify(value))).toBe(true);
    expect(matcher.accepts('{"a": 1, "b": [1, 2]}')).toBe(true);
    const refused = [
      "",
      "{",
      '{"a" : 1}',
      "[1,  2]",
      "01",
      "1.",
      ".5",
      "+1",
      '"\\x"',
      '"\n"',
      "tru",
      "{a: 1}",
      "[1,]",
      '"\\ud800"',
    ];
    expect(refused.filter((text) => matcher.accepts(text))).toEqual([]);
  });
});

describe("the matcher forces", () => {
  const forcedText = (gbnf: string, read: string): string => {
    const matcher = createMatcher(parseGbnf(gbnf));
    return decoder.decode(matcher.forced(matcher.advance(matcher.start, encoder.encode(read))).bytes);
  };
  const forced: readonly [name: string, gbnf: string, read: string, run: string][] = [
    ["all of a single text", 'root ::= "abc"', "", "abc"],
    ["the rest of a name once it is the only one", 'root ::= "{" ("alpha" | "beta") "}"', "{a", "lpha}"],
    ["nothing where there is a choice", 'root ::= "a" ("b" | "c")', "a", ""],
    ["nothing past where the text may end", 'root ::= "a" "b"?', "", "a"],
    ["the closers of what is open", 'root ::= "[" "x" root? "]"', "[x[x]", "]"],
    ["the last of a count", "root ::= [a]{50}", "", "a".repeat(50)],
    ["only whole characters", 'root ::= "x" [éè]', "", "x"],
  ];
  for (const [name, gbnf, read, run] of forced) it(name, () => expect(forcedText(gbnf, read)).toBe(run));

  it("no half of a character that was begun elsewhere", () => {
    const matcher = createMatcher(parseGbnf('root ::= "é!"'));
    const inside = matcher.advanceByte(matcher.start, 0xc3);
    expect(matcher.forced(inside)).toEqual({ bytes: new Uint8Array(0), state: inside });
  });

  it("up to a limit, and the state fits the bytes", () => {
    const matcher = createMatcher(parseGbnf('root ::= "abcdef"'));
    const run = matcher.forced(matcher.start, 3);
    expect(decoder.decode(run.bytes)).toBe("abc");
    expect(run.state).toBe(matcher.advance(matcher.start, encoder.encode("abc")));
  });

  it("special tokens whole, among text", () => {
    const root = sequence(literal("a"), token("<|x|>"), literal("b"));
    const matcher = createMatcher(createGrammar("root", { root }));
    const run = matcher.forced(matcher.start);
    expect(splitSpecialTokens(run.bytes)).toEqual([
      { type: "bytes", bytes: encoder.encode("a") },
      { type: "token", text: "<|x|>" },
      { type: "bytes", bytes: encoder.encode("b") },
    ]);
    expect(matcher.isAccepting(run.state)).toBe(true);
    const cut = matcher.forced(matcher.start, 4);
    expect(decoder.decode(cut.bytes)).toBe("a");
  });
});

describe("the matcher reads special tokens", () => {
  const grammar = createGrammar("root", {
    root: choice(token("<|x|>"), sequence(literal("<"), notCharacters("x"))),
  });

  it("only as themselves, never as their text", () => {
    const matcher = createMatcher(grammar);
    expect(matcher.accepts(specialTokenBytes("<|x|>"))).toBe(true);
    expect(matcher.accepts("<|x|>")).toBe(false);
    expect(matcher.accepts("<|")).toBe(true);
    expect(matcher.accepts(specialTokenBytes("<|"))).toBe(false);
  });

  it("and says which bytes may follow", () => {
    const matcher = createMatcher(grammar);
    const following = matcher.nextBytes(matcher.start);
    expect([...following.keys()].filter((byte) => following[byte])).toEqual([0x3c, 0xff]);
    expect(
      createMatcher(createGrammar("root", { root: emptyText }))
        .nextBytes(DEAD)
        .some(Boolean),
    ).toBe(false);
  });
});
