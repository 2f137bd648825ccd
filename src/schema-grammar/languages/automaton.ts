// Deterministic automata over classes of code points, as dense tables. What makes one (patterns, words, digits) and what
// becomes of it (grammar rules) is elsewhere.
import {
  type Alphabet,
  classOf,
  codePointsOf,
  type Ranges,
  rangesByClass,
  tidyRanges,
} from "./code-points.ts";
import { textKey } from "./text-key.ts";

/**
 * State 0 is the start. `next[state * alphabet.size + class]` is the following state, -1 where there is none.
 * Automata that leave this folder's functions are minimal and numbered canonically: equal languages, equal tables.
 */
export interface Automaton {
  readonly alphabet: Alphabet;
  readonly stateCount: number;
  readonly next: Int32Array;
  /** 0: no text ends here; 1: one may. Higher numbers are kinds of ends that the maker tells apart. */
  readonly accepting: Uint16Array;
}

/** Whether a text is in the language. */
export function automatonAccepts(automaton: Automaton, text: string): boolean {
  let state = 0;
  for (const codePoint of codePointsOf(text)) {
    const name = classOf(automaton.alphabet, codePoint);
    if (name < 0) return false;
    state = automaton.next[state * automaton.alphabet.size + name] as number;
    if (state < 0) return false;
  }
  return automaton.accepting[state] !== 0;
}

const keys = new WeakMap<Automaton, string>();

/** A text that is equal for equal automata. Long ones are hashed. */
export function automatonKey(automaton: Automaton): string {
  const known = keys.get(automaton);
  if (known !== undefined) return known;
  const { alphabet, next, accepting } = automaton;
  const key = textKey(`${alphabet.starts}/${alphabet.classes}/${next}/${accepting}`);
  keys.set(automaton, key);
  return key;
}

/** Edges of one state, joined by target, in the order of their first class. */
export function edgesOf(automaton: Automaton, state: number): { ranges: Ranges; target: number }[] {
  const { size } = automaton.alphabet;
  const byTarget = new Map<number, number[]>();
  for (let name = 0; name < size; name++) {
    const target = automaton.next[state * size + name] as number;
    if (target < 0) continue;
    const classes = byTarget.get(target);
    if (classes === undefined) byTarget.set(target, [name]);
    else classes.push(name);
  }
  const ranges = rangesByClass(automaton.alphabet);
  return [...byTarget].map(([target, classes]) => ({
    target,
    ranges: classes.length === 1 ? (ranges[classes[0] as number] as Ranges) : joinClasses(ranges, classes),
  }));
}

function joinClasses(ranges: readonly Ranges[], classes: readonly number[]): Ranges {
  return tidyRanges(classes.flatMap((name) => ranges[name] as Ranges));
}
