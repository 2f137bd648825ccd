// Masks against the plain question, token by token, on random grammars; and the boundary rule's question.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createMasks,
  createMatcher,
  createTokenTrie,
  DEAD,
  type Grammar,
  type Matcher,
  parseGbnf,
  specialTokenBytes,
  type TokenMasks,
} from "../../src/gbnf-builder/index.ts";
import { arbitraryGrammar, decisionsFrom } from "./arbitrary-grammar.ts";

const encoder = new TextEncoder();

// All single bytes but one, combinations, whole characters, duplicates, runs longer than a usual token, specials, gaps.
const vocabulary: (Uint8Array | undefined)[] = [
  ...Array.from({ length: 255 }, (_, byte) => Uint8Array.of(byte)),
  undefined,
  new Uint8Array(0),
  ...[
    "a",
    "ab",
    "abc",
    "aa",
    "bb",
    "aaa",
    "ca",
    '"',
    '"a',
    'a"',
    '","',
    "é",
    "éa",
    "水",
    "😀",
    "水水",
    "\\",
    '\\"',
  ],
  ...["ab", "ab", '","b', '"]', '"],["', "]]", "[[", '"}', "a".repeat(26), "b".repeat(40), "ab".repeat(30)],
  ...['"a"'.repeat(12), `${"a".repeat(25)}"`, `${"a".repeat(25)}",`],
].map((token) => (typeof token === "string" ? encoder.encode(token) : token));
vocabulary.push(specialTokenBytes("<|call|>"), specialTokenBytes("<|end|>"));

const trie = createTokenTrie(vocabulary);
// Random grammars can be read in very many ways at once; short tokens keep the plain question affordable there.
const shortTokens = vocabulary.filter(
  (token) => token === undefined || (token[0] !== 0xff && token.length < 7),
);

describe("masks", () => {
  it("hold just the tokens that the matcher can read, on random grammars", () => {
    fc.assert(
      fc.property(arbitraryGrammar({ isRecursive: true }), fc.integer(), (grammar, seed) => {
        checkAlongPath(grammar, seed, { steps: 6, tokens: shortTokens });
      }),
      { numRuns: 120 },
    );
  });

  const counted: [name: string, text: string][] = [
    ["a counted string", 'root ::= "\\"" [^"]{3,60} "\\","'],
    [
      "strings of two lengths in a list",
      'root ::= "[" (s ("," s)*)? "]"\ns ::= "\\"" [a-c]{0,30} "\\"" | "[" s "]"',
    ],
    ["counts within counts", 'root ::= (p ","?){2,70}\np ::= "a" [b]{0,50} "a" | "b"{28,}'],
    ["a counted rule that recurses", 'root ::= v\nv ::= "[" v{0,45} "]" | "ab"{27,28} | "c"'],
    ["special tokens", 'root ::= (<|call|> [^"]* <|end|>)* "a"?'],
    ["text up to the end", "root ::= [^x]*"],
    [
      "a large rule called per character",
      'root ::= "\\"" c{0,80} "\\"" root?\nc ::= [a-b] | "\\\\" e e e e e e\ne ::= [é水😀] [ab]',
    ],
  ];
  for (const [name, text] of counted) {
    it(`hold just the tokens that the matcher can read: ${name}`, () => {
      for (let seed = 0; seed < 6; seed++)
        checkAlongPath(parseGbnf(text), seed, { steps: 90, tokens: vocabulary });
    });
  }

  it("are one and the same object while they are cached, also for counts far from their ends", () => {
    const matcher = createMatcher(parseGbnf('root ::= "\\"" [a-z]{0,5000} "\\""'));
    const masks = createMasks(matcher, trie);
    const early = matcher.advance(matcher.start, encoder.encode('"abc'));
    const later = matcher.advance(early, encoder.encode("x".repeat(500)));
    expect(later).not.toBe(early);
    expect(masks.allowedTokens(later)).toBe(masks.allowedTokens(early));
  });

  it("are found again after the cache has overflowed", () => {
    const matcher = createMatcher(parseGbnf("root ::= [a-z]{0,90}"));
    const masks = createMasks(matcher, trie, { cacheBytes: 4_000 });
    for (let round = 0; round < 2; round++) {
      let state = matcher.start;
      for (let i = 0; i < 80; i++) {
        expectSameAsPlain({ matcher, masks, state, tokens: vocabulary });
        state = matcher.advance(state, encoder.encode("a"));
      }
    }
  });

  it("stay right while the table of transitions grows in the middle of a walk", () => {
    const text = "the quick brown fox ".repeat(20);
    const matcher = createMatcher(parseGbnf(`root ::= "${text}"`));
    const lengths = Array.from({ length: 300 }, (_, length) => length);
    const right = lengths.map((length) => encoder.encode(text.slice(0, length + 1)));
    const wrong = lengths.map((length) => encoder.encode(`${text.slice(0, length)}#`));
    const tokens = [...right, ...wrong];
    const masks = createMasks(matcher, createTokenTrie(tokens));
    expectSameAsPlain({ matcher, masks, state: matcher.start, tokens });
  });

  it("refuse everything after the dead state", () => {
    const matcher = createMatcher(parseGbnf('root ::= "a"'));
    const mask = createMasks(matcher, trie).allowedTokens(DEAD);
    expect([mask.side, mask.count, mask.ids.length]).toEqual(["allowed", 0, 0]);
  });

  it("answer whether an allowed token reaches beyond a forced run", () => {
    const matcher = createMatcher(parseGbnf('root ::= "xab" ("c" | "d")'));
    const masks = createMasks(matcher, trie);
    const beforeRun = matcher.advance(matcher.start, encoder.encode("x"));
    expect(masks.allowsLongerThan(beforeRun, 2)).toBe(true); // abc
    expect(masks.allowsLongerThan(beforeRun, 3)).toBe(false);
    const narrow = createMatcher(parseGbnf('root ::= "xab" ("d" | "e")'));
    expect(
      createMasks(narrow, trie).allowsLongerThan(narrow.advance(narrow.start, encoder.encode("x")), 2),
    ).toBe(false);
  });
});

describe("the token trie", () => {
  it("finds tokens along a text: those that begin it and those that it begins", () => {
    const texts = ["a", "ab", "abc", "b", "abd", undefined, "ab"];
    const small = createTokenTrie(
      texts.map((text) => (text === undefined ? undefined : encoder.encode(text))),
    );
    expect(small.tokensAlong(encoder.encode("ab")).sort()).toEqual([0, 1, 2, 4, 6]);
    expect(small.tokensAlong(encoder.encode("abx")).sort()).toEqual([0, 1, 6]);
    expect(small.tokensAlong(encoder.encode("x"))).toEqual([]);
    expect(small.tokensAlong(encoder.encode("")).sort()).toEqual([0, 1, 2, 3, 4, 6]);
  });

  it("keeps an empty vocabulary", () => {
    const matcher = createMatcher(parseGbnf('root ::= "a"'));
    const masks = createMasks(matcher, createTokenTrie([]));
    expect(masks.allowedTokens(matcher.start).count).toBe(0);
  });
});

interface Path {
  readonly steps: number;
  readonly tokens: readonly (Uint8Array | undefined)[];
}

function checkAlongPath(grammar: Grammar, seed: number, { steps, tokens }: Path): void {
  const matcher = createMatcher(grammar);
  const masks = createMasks(matcher, createTokenTrie(tokens));
  const decide = decisionsFrom(seed);
  let state = matcher.start;
  for (let step = 0; step < steps; step++) {
    const allowed = expectSameAsPlain({ matcher, masks, state, tokens });
    if (allowed.length === 0) return;
    state = matcher.advance(state, tokens[allowed[Math.floor(decide() * allowed.length)]!]!);
  }
}

interface Place {
  readonly matcher: Matcher;
  readonly masks: TokenMasks;
  readonly state: number;
  readonly tokens: readonly (Uint8Array | undefined)[];
}

function expectSameAsPlain({ matcher, masks, state, tokens }: Place): number[] {
  const isAllowed = tokens.map((token) => Boolean(token?.length) && matcher.advance(state, token!) !== DEAD);
  const allowed = [...isAllowed.keys()].filter((id) => isAllowed[id]);
  const mask = masks.allowedTokens(state);
  const found = [...isAllowed.keys()].filter((id) => mask.has(id));
  const listed = mask.side === "allowed" ? allowed : [...isAllowed.keys()].filter((id) => !isAllowed[id]);
  expect(found.join()).toBe(allowed.join());
  expect(mask.ids.join()).toBe(listed.join());
  expect([mask.count, mask.ids.length * 2 <= tokens.length]).toEqual([allowed.length, true]);
  return allowed;
}
