// Sets of tokens as bits, 32 to a word, one per place in the trie's order: tokens that share a beginning lie side by side,
// so that a whole subtree is one range.

/** An empty set for so many places. */
export function createTokenBits(places: number): Uint32Array {
  return new Uint32Array(Math.ceil(places / 32));
}

/** Adds the places `from`..`to`, the last excluded. */
export function setBits(bits: Uint32Array, from: number, to: number): void {
  if (from >= to) return;
  const first = from >>> 5;
  const last = (to - 1) >>> 5;
  const head = -1 << (from & 31);
  const tail = -1 >>> (31 - ((to - 1) & 31));
  if (first === last) {
    bits[first]! |= head & tail;
    return;
  }
  bits[first]! |= head;
  if (last > first + 1) bits.fill(0xffffffff, first + 1, last);
  bits[last]! |= tail;
}

/** Adds those of the places `from`..`to` that the other set holds. */
export function addBits(bits: Uint32Array, other: Uint32Array, from: number, to: number): void {
  if (from >= to) return;
  const first = from >>> 5;
  const last = (to - 1) >>> 5;
  const head = -1 << (from & 31);
  const tail = -1 >>> (31 - ((to - 1) & 31));
  if (first === last) {
    bits[first]! |= other[first]! & head & tail;
    return;
  }
  bits[first]! |= other[first]! & head;
  for (let word = first + 1; word < last; word++) bits[word]! |= other[word]!;
  bits[last]! |= other[last]! & tail;
}

/** Removes one place. */
export function clearBit(bits: Uint32Array, place: number): void {
  bits[place >>> 5]! &= ~(1 << (place & 31));
}

export function hasBit(bits: Uint32Array, place: number): boolean {
  return ((bits[place >>> 5]! >>> (place & 31)) & 1) === 1;
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    let rest = bits[word]!;
    rest -= (rest >>> 1) & 0x55555555;
    rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** The places of a set in ascending order, or with `isInverted` those of `places` that it lacks. */
export function listBits(bits: Uint32Array, places: number, isInverted = false): Int32Array {
  const count = isInverted ? places - countBits(bits) : countBits(bits);
  const listed = new Int32Array(count);
  const flip = isInverted ? -1 : 0;
  let at = 0;
  for (let word = 0; at < count; word++) {
    for (let rest = bits[word]! ^ flip; rest !== 0 && at < count; rest &= rest - 1)
      listed[at++] = word * 32 + (31 - Math.clz32(rest & -rest));
  }
  return listed;
}
