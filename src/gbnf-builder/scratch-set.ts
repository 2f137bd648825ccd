// A set of numbers that is emptied in no time and used again: the matcher's note of where it has been in one step.

export interface ScratchSet {
  /** Adds a number; false when it was there. */
  add(key: number): boolean;
  clear(): void;
}

/** An empty set. Holds integers up to 2^52, also negative ones. */
export function createScratchSet(): ScratchSet {
  let keys = new Float64Array(256);
  let stamps = new Int32Array(256);
  let stamp = 1;
  let size = 0;

  function slotOf(key: number): number {
    const mask = keys.length - 1;
    let at = (Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 0x4000000) | 0, 0x85ebca6b)) >>> 7;
    for (at &= mask; stamps[at] === stamp && keys[at] !== key; at = (at + 1) & mask);
    return at;
  }

  function grow(): void {
    const oldKeys = keys;
    const oldStamps = stamps;
    keys = new Float64Array(oldKeys.length * 2);
    stamps = new Int32Array(oldKeys.length * 2);
    for (const [i, key] of oldKeys.entries()) {
      if (oldStamps[i] !== stamp) continue;
      const at = slotOf(key);
      keys[at] = key;
      stamps[at] = stamp;
    }
  }

  return {
    add(key) {
      const at = slotOf(key);
      if (stamps[at] === stamp) return false;
      keys[at] = key;
      stamps[at] = stamp;
      if (++size * 2 > keys.length) grow();
      return true;
    },
    clear() {
      size = 0;
      if (++stamp < 0x7fffffff) return;
      stamp = 1;
      stamps.fill(0);
    },
  };
}
