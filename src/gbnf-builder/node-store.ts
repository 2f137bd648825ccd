// The nodes of all networks of a grammar. Nodes with the same ways on are one node, wherever they come from, so that
// states met under different rules can be the same state. Nodes on a loop are told apart.
import { createListInterner } from "./intern-lists.ts";

export interface NodeStore {
  /** Byte edges of a node, flat: from, to, target. */
  readonly edges: readonly (readonly number[])[];
  /** Calls of a node, flat: callable, node to go on from. */
  readonly calls: readonly (readonly number[])[];
  readonly isFinal: readonly boolean[];
  /** The node has no way on but to end its body. */
  readonly isEnd: readonly boolean[];
  /** A node to be filled later: one that its own ways lead back to. */
  reserve(): number;
  fill(node: number, contents: NodeContents): void;
  /** The node with these contents. */
  add(contents: NodeContents): number;
}

export interface NodeContents {
  readonly edges: readonly number[];
  readonly calls: readonly number[];
  readonly isFinal: boolean;
}

/** An empty store. Node 0 is never used. */
export function createNodeStore(): NodeStore {
  const edges: (readonly number[])[] = [[]];
  const calls: (readonly number[])[] = [[]];
  const isFinal: boolean[] = [false];
  const isEnd: boolean[] = [false];
  const interner = createListInterner();
  const known: number[] = [];

  function reserve(): number {
    calls.push([]);
    isFinal.push(false);
    isEnd.push(false);
    return edges.push([]) - 1;
  }

  function fill(node: number, contents: NodeContents): void {
    edges[node] = contents.edges;
    calls[node] = contents.calls;
    isFinal[node] = contents.isFinal;
    isEnd[node] = contents.isFinal && contents.edges.length === 0 && contents.calls.length === 0;
  }

  return {
    edges,
    calls,
    isFinal,
    isEnd,
    reserve,
    fill,
    add(contents) {
      const list = Int32Array.from([
        contents.isFinal ? 1 : 0,
        contents.edges.length,
        ...contents.edges,
        ...contents.calls,
      ]);
      const number = interner.intern(list, list.length);
      const same = known[number];
      if (same !== undefined) return same;
      const node = reserve();
      fill(node, contents);
      known[number] = node;
      return node;
    },
  };
}
