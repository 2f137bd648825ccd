// Walks a whole vocabulary from one state, and remembers what tokens do after their first byte: most first bytes lead to
// the same few states (inside a string, a key, a number), whose part of the trie is then walked only once.
import type { Machine } from "./machine.ts";
import { createRecentCache } from "./recent-cache.ts";
import { addBits, createTokenBits, setBits } from "./token-bits.ts";
import type { TokenTrie } from "./token-trie.ts";
import type { ExitNotes, TrieWalk } from "./walk-trie.ts";

/** What can be read from one state below first bytes, as far as it was asked for. */
interface AfterFirstByte {
  readonly bits: Uint32Array;
  /** Per first byte, exits below it; undefined where it was not walked. */
  readonly exits: (readonly number[] | undefined)[];
}

/** Sets the bits of all tokens that a state allows; false when there were too many exits. */
export type WalkVocabulary = (state: number, bits: Uint32Array, notes: ExitNotes) => boolean;

const smallSubtree = 48;

/** A walk that keeps about `maximumBytes` of what it learned. */
export function createVocabularyWalk(place: {
  readonly machine: Machine;
  readonly trie: TokenTrie;
  readonly walk: TrieWalk;
  readonly maximumBytes: number;
}): WalkVocabulary {
  const { machine, trie, walk, maximumBytes } = place;
  const { bytes, ends, orderStarts } = trie;
  const after = createRecentCache<AfterFirstByte>(maximumBytes);

  function recall(state: number): AfterFirstByte {
    const known = after.get(state);
    if (known !== undefined) return known;
    const made: AfterFirstByte = { bits: createTokenBits(trie.order.length), exits: [] };
    after.set(state, made, made.bits.byteLength + 4_096);
    return made;
  }

  function addBelow(state: number, node: number, bits: Uint32Array, notes: ExitNotes): boolean {
    const from = node + 1;
    const to = ends[node]!;
    if (to - from < smallSubtree) return walk.collect({ state, from, to }, bits, notes);
    const known = recall(state);
    let exits = known.exits[bytes[node]!];
    if (exits === undefined) {
      const found: number[] = [];
      if (!walk.collect({ state, from, to }, known.bits, { ...notes, exits: found })) return false;
      exits = found;
      known.exits[bytes[node]!] = found;
    }
    addBits(bits, known.bits, orderStarts[from]!, orderStarts[to]!);
    for (const one of exits) notes.exits.push(one);
    return notes.exits.length <= 2 * notes.most;
  }

  return (state, bits, notes) => {
    for (let node = 0; node < trie.nodeCount; node = ends[node]!) {
      const next = machine.next(state, bytes[node]!);
      if (next < 0) continue;
      setBits(bits, orderStarts[node]!, orderStarts[node + 1]!);
      const marks = machine.marks[next]! >> notes.lowest;
      if (marks !== 0) notes.exits.push(node, marks);
      if (!addBelow(next, node, bits, notes)) return false;
    }
    return true;
  };
}
