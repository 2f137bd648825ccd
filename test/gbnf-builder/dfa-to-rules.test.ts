// Automata as rules: the same texts, few rules, no stack.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createGrammar,
  createMatcher,
  type Dfa,
  dfaToRules,
  type Matcher,
} from "../../src/gbnf-builder/index.ts";
import { decisionsFrom } from "./arbitrary-grammar.ts";

function matcherOf(dfa: Dfa): Matcher {
  const { expression, rules } = dfaToRules(dfa, "s");
  return createMatcher(createGrammar("root", new Map([["root", expression], ...rules])));
}

function run(dfa: Dfa, text: string): boolean {
  let state: number | undefined = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    const edges: Dfa["states"][number]["edges"] = state === undefined ? [] : dfa.states[state]!.edges;
    state = edges.find(({ range }) => range[0] <= point && point <= range[1])?.target;
  }
  return state !== undefined && dfa.states[state]!.accepting;
}

// Edges on a, b, é; a target of -1 is no edge.
const arbitraryDfa: fc.Arbitrary<Dfa> = fc.integer({ min: 1, max: 6 }).chain((size) =>
  fc
    .array(
      fc.tuple(
        fc.boolean(),
        fc.array(fc.integer({ min: -1, max: size - 1 }), { minLength: 3, maxLength: 3 }),
      ),
      {
        minLength: size,
        maxLength: size,
      },
    )
    .map((states) => ({
      states: states.map(([accepting, targets]) => ({
        accepting,
        edges: targets.flatMap((target, i) => {
          const point = [0x61, 0x62, 0xe9][i]!;
          return target < 0 ? [] : [{ range: [point, point] as const, target }];
        }),
      })),
    })),
);

describe("dfaToRules", () => {
  it("keeps the language of random automata", () => {
    fc.assert(
      fc.property(arbitraryDfa, fc.integer(), (dfa, seed) => {
        const matcher = matcherOf(dfa);
        const decide = decisionsFrom(seed);
        for (let i = 0; i < 20; i++) {
          const text = Array.from(
            { length: Math.floor(decide() * 8) },
            () => "abé"[Math.floor(decide() * 3)],
          ).join("");
          expect(matcher.accepts(text), JSON.stringify(text)).toBe(run(dfa, text));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("writes a word without any rule", () => {
    const edge = (character: string, target: number) => {
      const point = character.codePointAt(0)!;
      return { range: [point, point] as const, target };
    };
    const dfa: Dfa = {
      states: [
        { accepting: false, edges: [edge("c", 1)] },
        { accepting: false, edges: [edge("a", 2)] },
        { accepting: false, edges: [edge("t", 3)] },
        { accepting: true, edges: [] },
      ],
    };
    expect(dfaToRules(dfa, "s")).toEqual({ expression: { type: "literal", text: "cat" }, rules: new Map() });
  });

  it("loops without growing a stack", () => {
    const dfa: Dfa = {
      states: [
        { accepting: true, edges: [{ range: [0x61, 0x7a], target: 1 }] },
        { accepting: false, edges: [{ range: [0x30, 0x39], target: 0 }] },
      ],
    };
    const matcher = matcherOf(dfa);
    expect(matcher.accepts("a1".repeat(3_000))).toBe(true);
    expect(matcher.accepts(`${"a1".repeat(3_000)}a`)).toBe(false);
    expect(matcher.stateCount).toBeLessThan(8);
  });
});
