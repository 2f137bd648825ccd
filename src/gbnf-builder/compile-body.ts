// Turns a drafted body into nodes of the store: empty ways are followed once and for all, and nodes are made from the
// last to the first, so that equal endings become the same nodes.
import type { Draft } from "./network-draft.ts";
import type { NodeContents, NodeStore } from "./node-store.ts";

interface OpenNode {
  readonly drafted: number;
  /** With drafted targets until the node is closed. */
  readonly contents: NodeContents;
  readonly targets: readonly number[];
  next: number;
}

/**
 * The node from which a body is read, given its drafted start and end. It never ends the body at once: what a body may
 * read without reading anything is its caller's to pass by.
 */
export function compileBody(draft: Draft, start: number, end: number, store: NodeStore): number {
  const numbers = new Map<number, number>();
  const isOpen = new Set<number>();
  const open: OpenNode[] = [];

  function enter(drafted: number): void {
    isOpen.add(drafted);
    open.push(readDraft(draft, drafted, end));
  }

  function close({ drafted, contents }: OpenNode): void {
    const closed: NodeContents = {
      ...contents,
      edges: sortEdges(contents.edges.map((one, i) => (i % 3 === 2 ? numberOf(one) : one))),
      calls: contents.calls.map((one, i) => (i % 2 === 1 ? numberOf(one) : one)),
    };
    isOpen.delete(drafted);
    const reserved = numbers.get(drafted);
    if (reserved === undefined) numbers.set(drafted, store.add(closed));
    else store.fill(reserved, closed);
  }

  // Every target is closed by now, or lies on a loop with the node that is being closed.
  function numberOf(drafted: number): number {
    const known = numbers.get(drafted) ?? store.reserve();
    numbers.set(drafted, known);
    return known;
  }

  function finish(): void {
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const target = top.targets[top.next++];
      if (target === undefined) {
        open.pop();
        close(top);
      } else if (!numbers.has(target) && !isOpen.has(target)) enter(target);
    }
  }

  const entry = readDraft(draft, start, end);
  for (const target of entry.targets) {
    if (!numbers.has(target)) enter(target);
    finish();
  }
  return store.add({
    edges: sortEdges(entry.contents.edges.map((one, i) => (i % 3 === 2 ? numberOf(one) : one))),
    calls: entry.contents.calls.map((one, i) => (i % 2 === 1 ? numberOf(one) : one)),
    isFinal: false,
  });
}

function readDraft(draft: Draft, drafted: number, end: number): OpenNode {
  const reached = draft.passed(drafted);
  const edges: number[] = [];
  const calls: number[] = [];
  const targets: number[] = [];
  for (const one of reached) {
    const ways = draft.edges(one);
    for (let i = 0; i < ways.length; i += 3) {
      const target = draft.settled(ways[i + 2]!);
      edges.push(ways[i]!, ways[i + 1]!, target);
      targets.push(target);
    }
    const called = draft.calls(one);
    for (let i = 0; i < called.length; i += 2) {
      const target = draft.settled(called[i + 1]!);
      calls.push(called[i]!, target);
      targets.push(target);
    }
  }
  return { drafted, contents: { edges, calls, isFinal: reached.includes(end) }, targets, next: 0 };
}

const targetSpan = 0x40000000;

function sortEdges(edges: readonly number[]): number[] {
  if (edges.length <= 3) return [...edges];
  const keys: number[] = [];
  for (let i = 0; i < edges.length; i += 3)
    keys.push((edges[i]! * 256 + edges[i + 1]!) * targetSpan + edges[i + 2]!);
  const sorted: number[] = [];
  for (const key of [...new Set(keys)].sort((a, b) => a - b)) {
    const range = Math.floor(key / targetSpan);
    sorted.push(range >>> 8, range & 255, key - range * targetSpan);
  }
  return sorted;
}
