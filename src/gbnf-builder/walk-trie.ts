// The innermost loop of masks: follows all tokens below a place of the trie at once, from a state of the machine.
import type { Machine } from "./machine.ts";
import { unknownTarget } from "./row-store.ts";
import type { TokenTrie } from "./token-trie.ts";

/** Called for each node that is reached alive, with the state there. Returning `true` ends the walk. */
export type VisitNode = (node: number, state: number) => boolean;

/** Walks the nodes `from`..`to` (a whole number of subtrees) in which `state` stands above node `from`. */
export type WalkTrie = (state: number, from: number, to: number, visit: VisitNode) => void;

/** A walk over one trie with one machine; keeps its scratch. Visits nothing below a node that is dead. */
export function createTrieWalk(machine: Machine, trie: TokenTrie): WalkTrie {
  const { bytes, depths, ends } = trie;
  const { rows } = machine;
  const stack = new Int32Array(trie.maxLength + 2);
  return (state, from, to, visit) => {
    if (state < 0 || from >= to) return;
    let { targets, slots } = rows;
    stack[depths[from]!] = state;
    for (let node = from; node < to; ) {
      const depth = depths[node]!;
      const at = stack[depth]!;
      const slot = at < slots.length ? slots[at]! : -1;
      let next = slot < 0 ? unknownTarget : targets[slot * 256 + bytes[node]!]!;
      if (next === unknownTarget) {
        next = rows.next(at, bytes[node]!);
        targets = rows.targets;
        slots = rows.slots;
      }
      if (next < 0) {
        node = ends[node]!;
        continue;
      }
      if (visit(node, next)) return;
      stack[depth + 1] = next;
      node++;
    }
  };
}
