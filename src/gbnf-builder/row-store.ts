// Rows of 256 targets for states that are in use, in one typed array of bounded size. A row that had to make room is
// simply found again. Open fields, because the walk over a vocabulary reads them in its innermost loop.
import { withRoom } from "./intern-lists.ts";

/** A target that has not been looked for. */
export const unknownTarget = -2;

export interface RowStore {
  /** 256 targets per slot. Replaced when it grows. */
  readonly targets: Int32Array;
  /** The slot of a state, or -1. Replaced when it grows. */
  readonly slots: Int32Array;
  /** The target of a byte from a state. */
  next(state: number, byte: number): number;
}

const maximumRows = 16_384;
const width = 256;

/** `find` gives the target for a byte and writes it, with whatever else it learned, into the row. */
export function createRowStore(find: (state: number, byte: number, row: Int32Array) => number): RowStore {
  const store: { -readonly [Key in keyof RowStore]: RowStore[Key] } = {
    targets: new Int32Array(64 * width),
    slots: new Int32Array(64).fill(-1),
    next(state: number, byte: number): number {
      if (state < 0) return -1;
      const slot = state < store.slots.length ? store.slots[state]! : -1;
      const at = slot < 0 ? openRow(state) : slot * width;
      const target = store.targets[at + byte]!;
      return target === unknownTarget ? find(state, byte, store.targets.subarray(at, at + width)) : target;
    },
  };
  const owners = new Int32Array(maximumRows).fill(-1);
  let nextSlot = 0;

  function openRow(state: number): number {
    if (state >= store.slots.length) {
      const known = store.slots.length;
      store.slots = withRoom(store.slots, state + 1).fill(-1, known);
    }
    const slot = nextSlot;
    nextSlot = (nextSlot + 1) % maximumRows;
    store.targets = withRoom(store.targets, (slot + 1) * width);
    const owner = owners[slot]!;
    if (owner >= 0) store.slots[owner] = -1;
    owners[slot] = state;
    store.slots[state] = slot;
    store.targets.fill(unknownTarget, slot * width, (slot + 1) * width);
    return slot * width;
  }

  return store;
}
