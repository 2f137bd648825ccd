// Expressions without the `u` flag see a character beyond U+FFFF as two halves. Their automata are made as if such a
// character were one half, and here become automata of whole characters.
import type { Automaton } from "./automaton.ts";
import { type Alphabet, classOf, compactAlphabet } from "./code-points.ts";
import { minimise } from "./minimise.ts";
import type { Pattern } from "./pattern.ts";

const firstBeyond = 0x10000;

/** Whether sets of the pattern take every character beyond U+FFFF, as `.` does, and whether any takes only some. */
export function beyondIn(pattern: Pattern): { readonly all: boolean; readonly some: boolean } {
  switch (pattern.type) {
    case "characters": {
      const last = pattern.ranges.at(-1);
      if (last === undefined || last[1] < firstBeyond) return { all: false, some: false };
      const all = last[0] <= firstBeyond && last[1] === 0x10ffff;
      return { all, some: !all };
    }
    case "sequence":
      return either(pattern.items);
    case "choice":
      return either(pattern.options);
    case "repeat":
    case "ahead":
    case "behind":
      return beyondIn(pattern.item);
    default:
      return { all: false, some: false };
  }
}

function either(patterns: readonly Pattern[]): { all: boolean; some: boolean } {
  const found = patterns.map(beyondIn);
  return { all: found.some(({ all }) => all), some: found.some(({ some }) => some) };
}

/** Two steps of the automaton for each character beyond U+FFFF. Its edges must not tell these characters apart. */
export function joinHalves(automaton: Automaton): Automaton {
  const { alphabet, next, stateCount, accepting } = automaton;
  const old = alphabet.classes.at(-1) as number;
  const { apart, nameOf } = separateBeyond(alphabet);
  const { size } = apart;
  const table = new Int32Array(stateCount * size).fill(-1);
  for (let state = 0; state < stateCount; state++) {
    for (const [name, renamed] of nameOf) {
      table[state * size + renamed] = follow(state, name === alphabet.size ? undefined : name);
    }
  }
  return minimise({ alphabet: apart, stateCount, next: table, accepting });

  function follow(state: number, name: number | undefined): number {
    if (name !== undefined) return next[state * alphabet.size + name] as number;
    const half = follow(state, old);
    return half < 0 ? -1 : follow(half, old);
  }
}

/** The alphabet with all characters beyond U+FFFF in a class of their own (`size` by its old name), and the new names. */
function separateBeyond(alphabet: Alphabet): { apart: Alphabet; nameOf: ReadonlyMap<number, number> } {
  const starts = [...alphabet.starts.filter((start) => start < firstBeyond), firstBeyond];
  const classes = [...alphabet.classes.slice(0, starts.length - 1), alphabet.size];
  const apart = compactAlphabet(starts, classes);
  const nameOf = new Map<number, number>();
  starts.forEach((start, i) => {
    const name = classes[i] as number;
    if (name >= 0) nameOf.set(name, classOf(apart, start));
  });
  return { apart, nameOf };
}
