// A partition of states that is refined step by step: mark some states, then split every block into its marked members
// and the others. Knows nothing of edges.

export interface StateBlocks {
  /** The block of each state; -1 for a state that takes no part. */
  readonly blockOf: Int32Array;
  mark(state: number): void;
  /** Parts the marked members of each block from the others, and takes the marks away. */
  splitMarked(): void;
  /**
   * The members of a block by which to split the others; undefined where all is split. Every block comes once, and of
   * one that was split after its turn only the smaller part, so that no state comes more than log n times.
   */
  nextSplitter(): Int32Array | undefined;
}

/** Blocks by kind, of the states that take part. */
export function createStateBlocks(kinds: Uint16Array, takesPart: Uint8Array): StateBlocks {
  const blockOf = new Int32Array(kinds.length).fill(-1);
  const byKind = new Map<number, number[]>();
  for (let state = 0; state < kinds.length; state++) {
    if (takesPart[state] === 0) continue;
    const kind = kinds[state] as number;
    const list = byKind.get(kind);
    if (list === undefined) byKind.set(kind, [state]);
    else list.push(state);
  }
  // Each block is a stretch of `members`, its marked states moved to the front.
  const members = Int32Array.from([...byKind.values()].flat());
  const position = new Int32Array(kinds.length);
  const starts: number[] = [];
  const ends: number[] = [];
  const marked: number[] = [];
  for (const list of byKind.values()) {
    const start = ends.at(-1) ?? 0;
    for (const [i, state] of list.entries()) {
      blockOf[state] = starts.length;
      position[state] = start + i;
    }
    starts.push(start);
    ends.push(start + list.length);
    marked.push(0);
  }
  const queue = starts.map((_, block) => block);
  const touched: number[] = [];

  return {
    blockOf,
    mark,
    splitMarked() {
      for (const block of touched) split(block);
      touched.length = 0;
    },
    nextSplitter() {
      const block = queue.pop();
      return block === undefined ? undefined : members.slice(starts[block], ends[block]);
    },
  };

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
    const fresh = starts.length;
    const isFrontSmaller = middle - start <= end - middle;
    starts.push(isFrontSmaller ? start : middle);
    ends.push(isFrontSmaller ? middle : end);
    marked.push(0);
    if (isFrontSmaller) starts[block] = middle;
    else ends[block] = middle;
    for (let i = starts[fresh] as number; i < (ends[fresh] as number); i++) {
      blockOf[members[i] as number] = fresh;
    }
    queue.push(fresh);
  }
}
