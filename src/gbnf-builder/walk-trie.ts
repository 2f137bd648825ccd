// The innermost loops of masks: follow all tokens below a place of the trie at once, from a state of the machine.
import type { Machine } from "./machine.ts";
import { unknownTarget } from "./row-store.ts";
import { setBits } from "./token-bits.ts";
import { isPlainByte, type TokenTrie } from "./token-trie.ts";

/** Where a walk starts: the nodes `from`..`to` (whole subtrees side by side), with `state` standing above them. */
export interface WalkStart {
  readonly state: number;
  readonly from: number;
  readonly to: number;
}

/** Markers that a walk notes: where a node's state reaches one above `lowest` and tokens go on below it. */
export interface ExitNotes {
  /** Flat: trie node, markers (shifted down by `lowest`). */
  readonly exits: number[];
  readonly lowest: number;
  /** The walk is given up after this many. */
  readonly most: number;
}

export interface TrieWalk {
  /** Sets the bit of every token that can be read, in the trie's order. False when it was given up for too many exits. */
  collect(start: WalkStart, bits: Uint32Array, notes: ExitNotes): boolean;
  /** Whether a token of more than `length` bytes can be read from a state. */
  reachesBeyond(state: number, length: number): boolean;
}

const width = 256;
const plainBytes = Array.from({ length: 256 }, (_, byte) => byte).filter(isPlainByte);

/** Walks over one trie with one machine; keeps its scratch. */
export function createTrieWalk(machine: Machine, trie: TokenTrie): TrieWalk {
  const { bytes, depths, ends, tokens, plain, orderStarts } = trie;
  const { rows } = machine;
  const stack = new Int32Array(trie.maxLength + 2);
  // Per state: 0 not known, 1 every plain byte leads back to it, 2 not so.
  let plainLoops = new Uint8Array(256);

  function passesPlain(state: number): boolean {
    if (state >= plainLoops.length) {
      const grown = new Uint8Array(Math.max(state + 1, plainLoops.length * 2));
      grown.set(plainLoops);
      plainLoops = grown;
    }
    if (plainLoops[state] === 0) plainLoops[state] = loopsOnPlain(state) ? 1 : 2;
    return plainLoops[state] === 1;
  }

  function loopsOnPlain(state: number): boolean {
    return plainBytes.every((byte) => machine.next(state, byte) === state);
  }

  function collect({ state, from, to }: WalkStart, bits: Uint32Array, notes: ExitNotes): boolean {
    if (state < 0 || from >= to) return true;
    let { targets, slots } = rows;
    let { marks } = machine;
    stack[depths[from]!] = state;
    for (let node = from; node < to; ) {
      const depth = depths[node]!;
      const at = stack[depth]!;
      if (plain[node] === 1) {
        const isPassed = passesPlain(at);
        ({ targets, slots } = rows);
        ({ marks } = machine);
        if (isPassed && marks[at]! >> notes.lowest === 0) {
          setBits(bits, orderStarts[node]!, orderStarts[ends[node]!]!);
          node = ends[node]!;
          continue;
        }
      }
      const slot = at < slots.length ? slots[at]! : -1;
      let next = slot < 0 ? unknownTarget : targets[slot * width + bytes[node]!]!;
      if (next === unknownTarget) {
        next = rows.next(at, bytes[node]!);
        targets = rows.targets;
        slots = rows.slots;
        marks = machine.marks;
      }
      if (next < 0) {
        node = ends[node]!;
        continue;
      }
      if (tokens[node]! >= 0) setBits(bits, orderStarts[node]!, orderStarts[node + 1]!);
      if (marks[next]! >> notes.lowest !== 0 && ends[node]! > node + 1) {
        notes.exits.push(node, marks[next]! >> notes.lowest);
        if (notes.exits.length > 2 * notes.most) return false;
      }
      stack[depth + 1] = next;
      node++;
    }
    return true;
  }

  function reachesBeyond(state: number, length: number): boolean {
    if (state < 0) return false;
    stack[0] = state;
    for (let node = 0; node < bytes.length; ) {
      const depth = depths[node]!;
      const next = machine.next(stack[depth]!, bytes[node]!);
      if (next >= 0 && depth >= length && tokens[node]! >= 0) return true;
      stack[depth + 1] = next;
      node = next < 0 ? ends[node]! : node + 1;
    }
    return false;
  }

  return { collect, reachesBeyond };
}
