// Deterministic automata over classes of code points, as dense tables. What makes one (patterns, words, digits) and what
// becomes of it (grammar rules) is elsewhere.
import { type Alphabet, classOf, codePointsOf, type Ranges } from "./code-points.ts";
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

export interface Edge {
  readonly ranges: Ranges;
  readonly target: number;
}

const edgeLists = new WeakMap<Automaton, (readonly Edge[])[]>();

/** Edges of one state, joined by target, in the order of their first character. */
export function edgesOf(automaton: Automaton, state: number): readonly Edge[] {
  let lists = edgeLists.get(automaton);
  if (lists === undefined) {
    lists = [];
    edgeLists.set(automaton, lists);
  }
  let edges = lists[state];
  if (edges === undefined) {
    edges = gatherEdges(automaton, state);
    lists[state] = edges;
  }
  return edges;
}

function gatherEdges({ alphabet, next }: Automaton, state: number): readonly Edge[] {
  const { starts, classes, size } = alphabet;
  const byTarget = new Map<number, [number, number][]>();
  for (let i = 0; i < starts.length; i++) {
    const name = classes[i] as number;
    const target = name < 0 ? -1 : (next[state * size + name] as number);
    if (target < 0) continue;
    const from = starts[i] as number;
    const to = (starts[i + 1] ?? 0x110000) - 1;
    const ranges = byTarget.get(target);
    const last = ranges?.at(-1);
    if (ranges === undefined) byTarget.set(target, [[from, to]]);
    else if (last?.[1] === from - 1) last[1] = to;
    else ranges.push([from, to]);
  }
  return [...byTarget].map(([target, ranges]) => ({ ranges, target }));
}
