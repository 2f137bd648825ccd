// The smallest automaton of a language, numbered in one canonical way (Hopcroft, "An n log n algorithm for minimizing
// states in a finite automaton", 1971; on the edges that there are, after Valmari and Lehtinen, "Efficient minimization
// of DFAs with partial transition functions", 2008).
import type { Automaton } from "./automaton.ts";
import { type Alphabet, compactAlphabet } from "./code-points.ts";
import { createStateBlocks } from "./state-blocks.ts";

/** States of equal language become one, states without hope of an end go, classes that act alike are joined. */
export function minimise(automaton: Automaton): Automaton {
  const { next, accepting, alphabet } = automaton;
  const { size } = alphabet;
  const blockOf = partition(automaton);
  if (blockOf[0] === -1) return emptyAutomaton;

  // Blocks are numbered as a walk from the start meets them, which leaves out what cannot be reached.
  const numbers = new Int32Array(automaton.stateCount).fill(-1);
  numbers[blockOf[0] as number] = 0;
  const representatives = [0];
  const rows: number[] = [];
  for (let at = 0; at < representatives.length; at++) {
    const row = (representatives[at] as number) * size;
    for (let name = 0; name < size; name++) {
      const target = next[row + name] as number;
      const block = target < 0 ? -1 : (blockOf[target] as number);
      if (block >= 0 && numbers[block] === -1) {
        numbers[block] = representatives.length;
        representatives.push(target);
      }
      rows.push(block < 0 ? -1 : (numbers[block] as number));
    }
  }
  const stateCount = representatives.length;
  const { joined, firstClass } = joinColumns(alphabet, rows);
  const table = new Int32Array(stateCount * joined.size);
  for (let state = 0, cell = 0; state < stateCount; state++) {
    for (const name of firstClass) table[cell++] = rows[state * size + name] as number;
  }
  const ends = Uint16Array.from(representatives, (state) => accepting[state] as number);
  return { alphabet: joined, stateCount, next: table, accepting: ends };
}

/** The automaton of no text at all. */
export const emptyAutomaton: Automaton = {
  alphabet: compactAlphabet([0, 0xd800, 0xe000], [0, 0, 0]),
  stateCount: 1,
  next: Int32Array.of(-1),
  accepting: Uint16Array.of(0),
};

/** Classes with the same column in every row become one; `firstClass` gives an old class for each new one. */
function joinColumns(
  alphabet: Alphabet,
  rows: readonly number[],
): { readonly joined: Alphabet; readonly firstClass: readonly number[] } {
  const { size } = alphabet;
  const hashes = new Int32Array(size);
  for (let row = 0; row < rows.length; row += size) {
    for (let name = 0; name < size; name++) {
      hashes[name] = Math.imul(hashes[name] as number, 31) + (rows[row + name] as number);
    }
  }
  const byHash = new Map<number, number[]>();
  const firstClass: number[] = [];
  const merged: number[] = [];
  for (let name = 0; name < size; name++) {
    const alike = byHash.get(hashes[name] as number) ?? [];
    const same = alike.find((other) => isSameColumn(rows, size, [name, other]));
    merged.push(same ?? name);
    if (same !== undefined) continue;
    firstClass.push(name);
    byHash.set(hashes[name] as number, [...alike, name]);
  }
  if (firstClass.length === size) return { joined: alphabet, firstClass };
  const classes = alphabet.classes.map((name) => (name < 0 ? -1 : (merged[name] as number)));
  return { joined: compactAlphabet(alphabet.starts, classes), firstClass };
}

function isSameColumn(rows: readonly number[], size: number, [a, b]: readonly [number, number]): boolean {
  for (let row = 0; row < rows.length; row += size) if (rows[row + a] !== rows[row + b]) return false;
  return true;
}

/** The block of each state; -1 where no end can be reached. */
function partition(automaton: Automaton): Int32Array {
  const { accepting } = automaton;
  const edges = invert(automaton);
  const { offsets, sources, names } = edges;
  const blocks = createStateBlocks(accepting, hopefulStates(accepting, edges));
  // The edges into the block at hand, as one chain for each class.
  const chains = new Int32Array(automaton.alphabet.size).fill(-1);
  const links = new Int32Array(sources.length);
  const chained: number[] = [];
  for (let targets = blocks.nextSplitter(); targets !== undefined; targets = blocks.nextSplitter()) {
    for (const target of targets) {
      const end = offsets[target + 1] as number;
      for (let edge = offsets[target] as number; edge < end; edge++) {
        const name = names[edge] as number;
        if (chains[name] === -1) chained.push(name);
        links[edge] = chains[name] as number;
        chains[name] = edge;
      }
    }
    for (const name of chained) {
      for (let edge = chains[name] as number; edge >= 0; edge = links[edge] as number) {
        blocks.mark(sources[edge] as number);
      }
      chains[name] = -1;
      blocks.splitMarked();
    }
    chained.length = 0;
  }
  return blocks.blockOf;
}

/** The edges by their targets: those into a state lie from its offset to the next one. */
interface EdgesByTarget {
  readonly offsets: Int32Array;
  readonly sources: Int32Array;
  readonly names: Int32Array;
}

function invert({ stateCount, next, alphabet: { size } }: Automaton): EdgesByTarget {
  const offsets = new Int32Array(stateCount + 1);
  for (const target of next) if (target >= 0) offsets[target + 1] = (offsets[target + 1] as number) + 1;
  for (let i = 1; i <= stateCount; i++) offsets[i] = (offsets[i] as number) + (offsets[i - 1] as number);
  const fill = offsets.slice();
  const edgeCount = offsets[stateCount] as number;
  const sources = new Int32Array(edgeCount);
  const names = new Int32Array(edgeCount);
  for (let state = 0, cell = 0; state < stateCount; state++) {
    for (let name = 0; name < size; name++) {
      const target = next[cell++] as number;
      if (target < 0) continue;
      const slot = fill[target] as number;
      fill[target] = slot + 1;
      sources[slot] = state;
      names[slot] = name;
    }
  }
  return { offsets, sources, names };
}

/** 1 for each state from which an end can be reached. */
function hopefulStates(accepting: Uint16Array, { offsets, sources }: EdgesByTarget): Uint8Array {
  const hopeful = Uint8Array.from(accepting, (kind) => (kind === 0 ? 0 : 1));
  const pending: number[] = [];
  accepting.forEach((kind, state) => {
    if (kind !== 0) pending.push(state);
  });
  for (let target = pending.pop(); target !== undefined; target = pending.pop()) {
    const end = offsets[target + 1] as number;
    for (let edge = offsets[target] as number; edge < end; edge++) {
      const source = sources[edge] as number;
      if (hopeful[source] === 1) continue;
      hopeful[source] = 1;
      pending.push(source);
    }
  }
  return hopeful;
}
