// The automaton behind the matcher: states are sets of (network node, frame), frames say where to go on when a rule is
// done. Equal states and frames are the same small number; transitions are found when first asked for and kept in rows.
// Knows nothing of tokens or masks, but lets frames be replaced, which is what masks share their work by.
import { rule } from "./build.ts";
import type { Grammar } from "./grammar.ts";
import { createListInterner, withRoom } from "./intern-lists.ts";
import { createNetworks } from "./network.ts";
import { removeLeftRecursion } from "./remove-left-recursion.ts";
import { createRowStore, type RowStore } from "./row-store.ts";
import { createScratchSet } from "./scratch-set.ts";

/** No state: what was read cannot be continued to a text of the grammar. */
export const DEAD = -1;

/** Markers stand where a stack ends. The bottom of the real stack carries marker 0, which means acceptance. */
export const acceptMarker = 0;

/** Markers fit into one 31-bit set. */
export const markerCount = 31;

export interface Machine {
  readonly start: number;
  /** The state after one byte; `DEAD` when there is none. */
  next(state: number, byte: number): number;
  /** Markers reached in each state, as bits. Replaced when it grows. */
  readonly marks: Int32Array;
  /** Nodes and frames of a state, flat, after one number for the markers. */
  items(state: number): Int32Array;
  /** Byte edges of a node, flat: from, to, target. */
  edges(node: number): readonly number[];
  /** A frame: entry of the repeated body (0 for plain frames), counts left, then flat returns (node, frame). */
  frame(id: number): Int32Array;
  /** The frame with these contents, its returns in any order. */
  internFrame(frame: readonly number[]): number;
  /** The state of these items, given flat in any order, at which no marker is reached. */
  internState(items: readonly number[]): number;
  /** The state where all these frames are left: their returns, whatever their counts. */
  leaveFrames(frames: readonly number[]): number;
  readonly rows: RowStore;
  readonly stateCount: number;
}

/** A return to a marker is written as node `-1 - marker` and frame 0. */
export function markerReturn(marker: number): number {
  return -1 - marker;
}

const frameHead = 3;
const frameSpan = 0x4000000;

/** Compiles what is needed to start; the rest follows when it is reached. */
export function createMachine(source: Grammar): Machine {
  const { grammar, facts } = removeLeftRecursion(source);
  const networks = createNetworks(grammar, facts);
  const { callables } = networks;
  const { edges, calls, isFinal, isEnd } = networks.nodes;
  const states = createListInterner();
  const frames = createListInterner();
  const rows = createRowStore(fillRow);
  const root = rule(grammar.root);

  // Scratch of one step.
  const seen = createScratchSet();
  const waiting: number[] = [];
  const pending = new Map<number, number[]>();
  const byHeight: number[][] = [];
  let items: Float64Array = new Float64Array(64);
  let itemCount = 0;
  let markers = 0;
  let list: Int32Array = new Int32Array(64);
  let marks: Int32Array = new Int32Array(64);

  function beginStep(): void {
    seen.clear();
    itemCount = 0;
    markers = 0;
  }

  /** Comes to a node within a frame. */
  function reach(node: number, frame: number): void {
    const key = node * frameSpan + frame;
    if (seen.add(key)) waiting.push(key);
  }

  function drain(): void {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const node = Math.floor(key / frameSpan);
      const frame = key - node * frameSpan;
      if (edges[node]!.length > 0) addItem(key);
      if (isFinal[node]!) endBody(frame);
      const called = calls[node]!;
      for (let i = 0; i < called.length; i += 2) call(called[i]!, called[i + 1]!, frame);
    }
  }

  function addItem(key: number): void {
    if (itemCount === items.length) {
      const grown = new Float64Array(items.length * 2);
      grown.set(items);
      items = grown;
    }
    items[itemCount++] = key;
  }

  /** The body that runs in a frame is done: go on where the frame says, or read a counted body again. */
  function endBody(frame: number): void {
    if (!seen.add(frame)) return;
    const data = frames.get(frame);
    const entry = data[0]!;
    if (entry !== 0) {
      const least = data[1]! > 0 ? data[1]! - 1 : 0;
      const most = data[2]! - 1;
      if (most > 0) reach(entry, withCounts(data, entry, least, most));
      if (least > 0) return;
    }
    followReturns(data);
  }

  function followReturns(data: Int32Array): void {
    for (let i = frameHead; i < data.length; i += 2) {
      const node = data[i]!;
      if (node < 0) markers |= 1 << -(node + 1);
      else reach(node, data[i + 1]!);
    }
  }

  function withCounts(data: Int32Array, entry: number, least: number, most: number): number {
    if (list.length < data.length) list = new Int32Array(data.length * 2);
    list.set(data);
    list[0] = entry;
    list[1] = least;
    list[2] = most;
    return frames.intern(list, data.length);
  }

  // A call that is the last thing in its body hands on the returns of its own frame: the stack does not grow.
  function call(callable: number, back: number, frame: number): void {
    let returns = pending.get(callable);
    if (returns === undefined) {
      returns = [];
      pending.set(callable, returns);
    }
    if (returns.length === 0) expect(callable);
    const data = isEnd[back]! ? frames.get(frame) : undefined;
    if (data === undefined || data[0] !== 0) returns.push(back * frameSpan + frame);
    else for (let i = frameHead; i < data.length; i += 2) returns.push(data[i]! * frameSpan + data[i + 1]!);
  }

  function expect(callable: number): void {
    const { height } = networks.compile(callable);
    while (byHeight.length <= height) byHeight.push([]);
    byHeight[height]!.push(callable);
  }

  /** Enters what was called at this place, callers before callees, so that each frame knows all its returns. */
  function enterCalled(): void {
    for (let height = byHeight.length - 1; height >= 0; height--) {
      const called = byHeight[height]!;
      for (let callable = called.pop(); callable !== undefined; callable = called.pop()) {
        const returns = pending.get(callable)!;
        const { min, max } = callables[callable]!;
        const { entry } = networks.compile(callable);
        const frame = newFrame(max === 0 ? 0 : entry, min, max, returns);
        returns.length = 0;
        reach(entry, frame);
        drain();
      }
    }
  }

  function newFrame(entry: number, min: number, max: number, returns: number[]): number {
    if (returns.length > 1) returns.sort((a, b) => a - b);
    if (list.length < frameHead + 2 * returns.length)
      list = new Int32Array(2 * (frameHead + 2 * returns.length));
    list[0] = entry;
    list[1] = min;
    list[2] = max;
    let length = frameHead;
    let last = Number.NaN;
    for (const key of returns) {
      if (key === last) continue;
      last = key;
      const node = Math.floor(key / frameSpan);
      list[length++] = node;
      list[length++] = key - node * frameSpan;
    }
    return frames.intern(list, length);
  }

  function endStep(): number {
    drain();
    enterCalled();
    if (itemCount === 0 && markers === 0) return DEAD;
    sortItems();
    if (list.length < 1 + 2 * itemCount) list = new Int32Array(2 * (1 + 2 * itemCount));
    list[0] = markers;
    let length = 1;
    for (let i = 0; i < itemCount; i++) {
      const key = items[i]!;
      const node = Math.floor(key / frameSpan);
      list[length++] = node;
      list[length++] = key - node * frameSpan;
    }
    const state = states.intern(list, length);
    marks = withRoom(marks, state + 1);
    marks[state] = markers;
    return state;
  }

  function sortItems(): void {
    if (itemCount > 16) {
      items.subarray(0, itemCount).sort();
      return;
    }
    for (let i = 1; i < itemCount; i++) {
      const key = items[i]!;
      let at = i;
      for (; at > 0 && items[at - 1]! > key; at--) items[at] = items[at - 1]!;
      items[at] = key;
    }
  }

  // Finds the target of one byte and of all bytes around it that lead to the same places.
  function fillRow(state: number, byte: number, row: Int32Array): number {
    beginStep();
    const data = states.get(state);
    let low = 0;
    let high = 255;
    for (let i = 1; i < data.length; i += 2) {
      const ways = edges[data[i]!]!;
      const frame = data[i + 1]!;
      for (let e = 0; e < ways.length; e += 3) {
        const from = ways[e]!;
        const to = ways[e + 1]!;
        if (to < byte) low = Math.max(low, to + 1);
        else if (from > byte) high = Math.min(high, from - 1);
        else {
          low = Math.max(low, from);
          high = Math.min(high, to);
          reach(ways[e + 2]!, frame);
        }
      }
    }
    const target = waiting.length === 0 ? DEAD : endStep();
    row.fill(target, low, high + 1);
    return target;
  }

  function findStart(): number {
    if (!facts.isProductive(root)) return DEAD;
    beginStep();
    if (facts.isNullable(root)) markers = 1 << acceptMarker;
    if (facts.canBeNonEmpty(root)) {
      pending.set(networks.root, [markerReturn(acceptMarker) * frameSpan]);
      expect(networks.root);
    }
    return endStep();
  }

  return {
    start: findStart(),
    next: rows.next,
    get marks() {
      return marks;
    },
    items: states.get,
    edges: (node) => edges[node]!,
    frame: frames.get,
    internFrame(frame) {
      const returns: number[] = [];
      for (let i = frameHead; i < frame.length; i += 2) returns.push(frame[i]! * frameSpan + frame[i + 1]!);
      return newFrame(frame[0]!, frame[1]!, frame[2]!, returns);
    },
    internState(flat) {
      beginStep();
      for (let i = 0; i < flat.length; i += 2) {
        const key = flat[i]! * frameSpan + flat[i + 1]!;
        if (seen.add(key)) addItem(key);
      }
      return endStep();
    },
    leaveFrames(left) {
      beginStep();
      for (const frame of left) followReturns(frames.get(frame));
      return endStep();
    },
    rows,
    get stateCount() {
      return states.size;
    },
  };
}
