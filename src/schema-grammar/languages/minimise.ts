// The smallest automaton of a language, numbered in one canonical way (Hopcroft, "An n log n algorithm for minimizing
// states in a finite automaton", 1971). Expects every state to be reachable.
import type { Automaton } from "./automaton.ts";
import { type Alphabet, compactAlphabet } from "./code-points.ts";

/** States of equal language become one, states without hope of an end go, classes that act alike are joined. */
export function minimise(automaton: Automaton): Automaton {
  const blockOf = partition(automaton);
  const { stateCount, next, accepting, alphabet } = automaton;
  const dead = blockOf[stateCount] as number;
  if (blockOf[0] === dead) return emptyAutomaton;

  const representative = new Map<number, number>();
  for (let state = 0; state < stateCount; state++) {
    const block = blockOf[state] as number;
    if (block !== dead && !representative.has(block)) representative.set(block, state);
  }
  const step = (state: number, name: number): number => {
    const target = next[state * alphabet.size + name] as number;
    const block = target < 0 ? dead : (blockOf[target] as number);
    return block === dead ? -1 : block;
  };
  const { joined, firstClass } = joinColumns(alphabet, [...representative.values()], step);

  const numbers = new Map<number, number>([[blockOf[0] as number, 0]]);
  const order = [blockOf[0] as number];
  const table: number[] = [];
  for (let at = 0; at < order.length; at++) {
    const state = representative.get(order[at] as number) as number;
    for (let name = 0; name < joined.size; name++) {
      const block = step(state, firstClass[name] as number);
      if (block < 0) {
        table.push(-1);
        continue;
      }
      let number = numbers.get(block);
      if (number === undefined) {
        number = order.length;
        numbers.set(block, number);
        order.push(block);
      }
      table.push(number);
    }
  }
  const ends = order.map((block) => accepting[representative.get(block) as number] as number);
  return {
    alphabet: joined,
    stateCount: order.length,
    next: Int32Array.from(table),
    accepting: Uint16Array.from(ends),
  };
}

/** The automaton of no text at all. */
export const emptyAutomaton: Automaton = {
  alphabet: compactAlphabet([0, 0xd800, 0xe000], [0, 0, 0]),
  stateCount: 1,
  next: Int32Array.of(-1),
  accepting: Uint16Array.of(0),
};

/** Classes with the same column in every state become one; `firstClass` gives an old class for each new one. */
function joinColumns(
  alphabet: Alphabet,
  states: readonly number[],
  step: (state: number, name: number) => number,
): { joined: Alphabet; firstClass: number[] } {
  const columns = new Map<string, number>();
  const merged: number[] = [];
  for (let name = 0; name < alphabet.size; name++) {
    const column = states.map((state) => step(state, name)).join();
    if (!columns.has(column)) columns.set(column, name);
    merged.push(columns.get(column) as number);
  }
  const classes = alphabet.classes.map((name) => (name < 0 ? -1 : (merged[name] as number)));
  const joined = compactAlphabet(alphabet.starts, classes);
  const firstClass = new Set<number>();
  for (const name of classes) {
    if (name >= 0) firstClass.add(name);
  }
  return { joined, firstClass: [...firstClass] };
}

/** The block of each state; index `stateCount` is the dead state, which takes every missing edge. */
function partition(automaton: Automaton): Int32Array {
  const { stateCount, accepting } = automaton;
  const size = automaton.alphabet.size;
  const count = stateCount + 1;
  const { offsets, sources } = invert(automaton);

  // States sorted by block; each block is a stretch of `members`, its marked states moved to the front.
  const blockOf = new Int32Array(count);
  const kinds = new Map<number, number[]>([[0, [stateCount]]]);
  for (let state = 0; state < stateCount; state++) {
    const kind = accepting[state] as number;
    const list = kinds.get(kind);
    if (list === undefined) kinds.set(kind, [state]);
    else list.push(state);
  }
  const members = Int32Array.from([...kinds.values()].flat());
  const position = new Int32Array(count);
  members.forEach((state, at) => {
    position[state] = at;
  });
  const starts: number[] = [];
  const ends: number[] = [];
  const marked: number[] = [];
  for (const list of kinds.values()) {
    const start = ends.at(-1) ?? 0;
    for (const state of list) blockOf[state] = starts.length;
    starts.push(start);
    ends.push(start + list.length);
    marked.push(0);
  }

  const queue = starts.map((_, block) => block);
  const touched: number[] = [];
  for (let block = queue.pop(); block !== undefined; block = queue.pop()) {
    const splitters = members.slice(starts[block], ends[block]);
    for (let name = 0; name < size; name++) {
      for (const target of splitters) {
        const end = offsets[target * size + name + 1] as number;
        for (let i = offsets[target * size + name] as number; i < end; i++) mark(sources[i] as number);
      }
      for (const other of touched.splice(0)) split(other);
    }
  }
  return blockOf;

  function mark(state: number): void {
    const block = blockOf[state] as number;
    const at = position[state] as number;
    const front = (starts[block] as number) + (marked[block] as number);
    if (at < front) return;
    if (marked[block] === 0) touched.push(block);
    const other = members[front] as number;
    members[front] = state;
    members[at] = other;
    position[state] = front;
    position[other] = at;
    marked[block] = (marked[block] as number) + 1;
  }

  function split(block: number): void {
    const start = starts[block] as number;
    const end = ends[block] as number;
    const middle = start + (marked[block] as number);
    marked[block] = 0;
    if (middle === end) return;
    // The smaller half becomes the new block, so that no state is moved more than log n times.
    const fresh = starts.length;
    const front = middle - start <= end - middle;
    starts.push(front ? start : middle);
    ends.push(front ? middle : end);
    marked.push(0);
    if (front) starts[block] = middle;
    else ends[block] = middle;
    for (let i = starts[fresh] as number; i < (ends[fresh] as number); i++)
      blockOf[members[i] as number] = fresh;
    queue.push(fresh);
  }
}

/** For each (target, class) the states that lead there, as one flat list with offsets. */
function invert(automaton: Automaton): { offsets: Int32Array; sources: Int32Array } {
  const { stateCount, next } = automaton;
  const size = automaton.alphabet.size;
  const count = stateCount + 1;
  const targetOf = (state: number, name: number): number => {
    const target = state === stateCount ? -1 : (next[state * size + name] as number);
    return target < 0 ? stateCount : target;
  };
  const offsets = new Int32Array(count * size + 1);
  for (let state = 0; state < count; state++) {
    for (let name = 0; name < size; name++) {
      const at = targetOf(state, name) * size + name + 1;
      offsets[at] = (offsets[at] as number) + 1;
    }
  }
  for (let i = 1; i < offsets.length; i++) offsets[i] = (offsets[i] as number) + (offsets[i - 1] as number);
  const fill = offsets.slice();
  const sources = new Int32Array(count * size);
  for (let state = 0; state < count; state++) {
    for (let name = 0; name < size; name++) {
      const at = targetOf(state, name) * size + name;
      const slot = fill[at] as number;
      sources[slot] = state;
      fill[at] = slot + 1;
    }
  }
  return { offsets, sources };
}
