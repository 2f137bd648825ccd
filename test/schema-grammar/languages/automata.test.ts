import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Automaton,
  automatonAccepts,
  automatonKey,
} from "../../../src/schema-grammar/languages/automaton.ts";
import {
  automatonLengths,
  automatonWords,
  hasLengthWithin,
  isEmptyAutomaton,
  isFullAutomaton,
} from "../../../src/schema-grammar/languages/automaton-facts.ts";
import { boundLengths } from "../../../src/schema-grammar/languages/bound-lengths.ts";
import {
  alphabetOf,
  classesOf,
  classOf,
  tidyRanges,
} from "../../../src/schema-grammar/languages/code-points.ts";
import {
  combineAutomata,
  complementAutomaton,
} from "../../../src/schema-grammar/languages/combine-automata.ts";
import { minimise } from "../../../src/schema-grammar/languages/minimise.ts";
import { wordAutomaton } from "../../../src/schema-grammar/languages/word-list.ts";

/** An automaton over `a` and `b` out of rows of [accepting, after a, after b]; -1 is no edge. */
function automatonOf(rows: readonly (readonly [accepting: 0 | 1, a: number, b: number])[]): Automaton {
  const alphabet = alphabetOf([[[0x61, 0x61]], [[0x62, 0x62]]]);
  const next = new Int32Array(rows.length * alphabet.size).fill(-1);
  rows.forEach(([, a, b], state) => {
    next[state * alphabet.size + classOf(alphabet, 0x61)] = a;
    next[state * alphabet.size + classOf(alphabet, 0x62)] = b;
  });
  const accepting = Uint16Array.from(rows, ([isEnd]) => isEnd);
  return { alphabet, stateCount: rows.length, next, accepting };
}

const words = (...list: string[]): Automaton => wordAutomaton(list, 100_000) as Automaton;

describe("alphabets", () => {
  it("tell apart only what some set tells apart, and never hold surrogates", () => {
    const alphabet = alphabetOf([[[0x61, 0x7a]], [[0x65, 0x70]]]);
    expect(alphabet.size).toBe(3);
    expect(classOf(alphabet, 0x61)).toBe(classOf(alphabet, 0x7a));
    expect(classOf(alphabet, 0x61)).not.toBe(classOf(alphabet, 0x65));
    expect(classOf(alphabet, 0x00)).toBe(classOf(alphabet, 0x10ffff));
    expect(classOf(alphabet, 0xd800)).toBe(-1);
    expect(classOf(alphabet, 0xdfff)).toBe(-1);
    expect(classesOf(alphabet, [[0x61, 0x7a]])).toHaveLength(2);
  });

  it("put ranges in order and take surrogates out", () => {
    expect(
      tidyRanges([
        [5, 9],
        [1, 4],
        [0xd700, 0xe001],
      ]),
    ).toEqual([
      [1, 9],
      [0xd700, 0xd7ff],
      [0xe000, 0xe001],
    ]);
    expect(tidyRanges([[0xd800, 0xdfff]])).toEqual([]);
  });
});

describe("minimal automata", () => {
  it("are one and the same for one language", () => {
    // Both accept texts of `a` and `b` with an even number of `a`; the second has each state twice.
    const small = minimise(
      automatonOf([
        [1, 1, 0],
        [0, 0, 1],
      ]),
    );
    const large = minimise(
      automatonOf([
        [1, 1, 2],
        [0, 2, 3],
        [1, 3, 0],
        [0, 0, 1],
      ]),
    );
    expect(small.stateCount).toBe(2);
    expect(automatonKey(large)).toBe(automatonKey(small));
  });

  it("lose states without hope and keep the empty language", () => {
    const hopeless = minimise(
      automatonOf([
        [1, 1, -1],
        [0, 1, 1],
      ]),
    );
    expect(hopeless.stateCount).toBe(1);
    expect(automatonWords(hopeless, 5)).toEqual([""]);
    expect(
      isEmptyAutomaton(
        minimise(
          automatonOf([
            [0, 1, 0],
            [0, 0, 1],
          ]),
        ),
      ),
    ).toBe(true);
  });

  it("keep apart ends of different kinds", () => {
    const kinds = automatonOf([
      [0, 1, 2],
      [1, -1, -1],
      [1, -1, -1],
    ]);
    expect(minimise(kinds).stateCount).toBe(2);
    expect(minimise({ ...kinds, accepting: Uint16Array.of(0, 1, 2) }).stateCount).toBe(3);
  });

  it("accept what the automaton they came from accepts", () => {
    const row = fc.tuple(
      fc.constantFrom<0 | 1>(0, 1),
      fc.integer({ min: -1, max: 5 }),
      fc.integer({ min: -1, max: 5 }),
    );
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 6, maxLength: 6 }),
        fc.array(text, { minLength: 12 }),
        (rows, texts) => {
          const raw = reachable(rows);
          const small = minimise(raw);
          expect(small.stateCount).toBeLessThanOrEqual(raw.stateCount);
          expect(automatonKey(complementAutomaton(complementAutomaton(small)))).toBe(automatonKey(small));
          for (const sample of texts)
            expect(automatonAccepts(small, sample)).toBe(automatonAccepts(raw, sample));
        },
      ),
    );
  });
});

describe("operations on automata", () => {
  it("give words of both, of either, and of neither", () => {
    const a = words("x", "xy", "z");
    const b = words("xy", "z", "zz");
    const both = combineAutomata(a, b, { operation: "and", states: 100 }) as Automaton;
    const either = combineAutomata(a, b, { operation: "or", states: 100 }) as Automaton;
    expect(automatonWords(both, 10)?.sort()).toEqual(["xy", "z"]);
    expect(automatonWords(either, 10)?.sort()).toEqual(["x", "xy", "z", "zz"]);
    const neither = complementAutomaton(either);
    expect(["", "y", "xyz", "😀"].map((text) => automatonAccepts(neither, text))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(automatonAccepts(neither, "zz")).toBe(false);
    expect(
      isFullAutomaton(combineAutomata(neither, either, { operation: "or", states: 100 }) as Automaton),
    ).toBe(true);
  });

  it("give up beyond their states", () => {
    const long = words("a".repeat(50));
    expect(combineAutomata(long, long, { operation: "and", states: 20 })).toBeUndefined();
    expect(wordAutomaton(["a".repeat(50)], 20)).toBeUndefined();
  });

  it("bound lengths, and leave plain runs as tails", () => {
    const even = minimise(
      automatonOf([
        [1, 1, 0],
        [0, 0, 1],
      ]),
    );
    const bounded = boundLengths(even, { min: 2, max: 2, states: 100 });
    expect(bounded && automatonWords(bounded.automaton, 10)?.sort()).toEqual(["aa", "bb"]);
    const run = minimise(
      automatonOf([
        [0, 1, -1],
        [1, -1, 1],
      ]),
    );
    const long = boundLengths(run, { min: 0, max: 50_000, states: 10 });
    expect(long?.tails).toEqual([{ ranges: [[0x62, 0x62]], min: 0, max: 49_999 }]);
    expect(boundLengths(even, { min: 0, max: 1000, states: 50 })).toBeUndefined();
  });

  it("know lengths", () => {
    const even = minimise(
      automatonOf([
        [0, 1, -1],
        [0, 2, -1],
        [1, 1, -1],
      ]),
    );
    expect(automatonLengths(even)).toEqual({ min: 2, max: undefined });
    expect(hasLengthWithin(even, 3, 3)).toBe(false);
    expect(hasLengthWithin(even, 1001, 1002)).toBe(true);
    expect(hasLengthWithin(even, 1001, 1001)).toBe(false);
    expect(hasLengthWithin(words("a", "abc"), 2, 2)).toBe(false);
    expect(hasLengthWithin(words("a", "abc"), 2, undefined)).toBe(true);
    expect(automatonLengths(words("a", "abc"))).toEqual({ min: 1, max: 3 });
  });
});

function reachable(rows: readonly (readonly [0 | 1, number, number])[]): Automaton {
  const order = [0];
  for (const state of order) {
    for (const target of (rows[state] as readonly [0 | 1, number, number]).slice(1)) {
      if (target >= 0 && !order.includes(target)) order.push(target);
    }
  }
  return automatonOf(
    order.map((state) => {
      const [isEnd, a, b] = rows[state] as readonly [0 | 1, number, number];
      return [isEnd, order.indexOf(a), order.indexOf(b)];
    }),
  );
}
