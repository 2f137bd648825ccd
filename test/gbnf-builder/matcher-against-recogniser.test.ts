// The matcher against a slow recogniser that shares nothing with it, on random grammars of every kind of recursion.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMatcher, DEAD, printGbnf } from "../../src/gbnf-builder/index.ts";
import { arbitraryGrammar, decisionsFrom, mutateText, sampleText } from "./arbitrary-grammar.ts";
import { recognises } from "./slow-recogniser.ts";

describe("the matcher and the slow recogniser", () => {
  for (const isRecursive of [true, false]) {
    it(`agree on ${isRecursive ? "recursive" : "plain"} grammars`, () => {
      let accepted = 0;
      let refused = 0;
      fc.assert(
        fc.property(arbitraryGrammar({ isRecursive }), fc.integer(), (grammar, seed) => {
          const decide = decisionsFrom(seed);
          const matcher = createMatcher(grammar);
          const original = sampleText(grammar, decide) ?? "";
          for (const text of [original, "", mutateText(original, decide), mutateText(original, decide)]) {
            if (text.length > 24) continue;
            const wanted = recognises(grammar, text);
            wanted ? accepted++ : refused++;
            expect(matcher.accepts(text), JSON.stringify(text)).toBe(wanted);
          }
        }),
        { numRuns: 400 },
      );
      expect(accepted).toBeGreaterThan(200);
      expect(refused).toBeGreaterThan(200);
    });
  }

  it("agree that a living state can be finished", () => {
    fc.assert(
      fc.property(arbitraryGrammar({ isRecursive: true }), fc.integer(), (grammar, seed) => {
        const matcher = createMatcher(grammar);
        const decide = decisionsFrom(seed);
        let state = matcher.start;
        for (let i = 0; i < 25 && state !== DEAD; i++) {
          const flags = matcher.nextBytes(state);
          const following = [...flags.keys()].filter((byte) => flags[byte]);
          expect(following.length > 0).toBe(matcher.canContinue(state));
          expect(following.length > 0 || matcher.isAccepting(state)).toBe(true);
          expect(following.filter((byte) => matcher.advanceByte(state, byte) === DEAD)).toEqual([]);
          if (following.length === 0) break;
          state = matcher.advanceByte(state, following[Math.floor(decide() * following.length)]!);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("agree on which grammars have a text at all: the others are not printed", () => {
    fc.assert(
      fc.property(arbitraryGrammar({ isRecursive: true }), (grammar) => {
        if (createMatcher(grammar).start === DEAD)
          expect(() => printGbnf(grammar)).toThrow("matches no text");
        else expect(printGbnf(grammar)).toMatch(/^root ::= /);
      }),
      { numRuns: 200 },
    );
  });
});
