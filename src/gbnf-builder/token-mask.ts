// Which tokens are allowed at one place, held as the shorter of two sorted lists.

export interface TokenMask {
  /** Whether `ids` are the allowed tokens or the refused ones: whichever are fewer. */
  readonly side: "allowed" | "refused";
  /** In ascending order. Refused ids include tokens that have no bytes. */
  readonly ids: Int32Array;
  /** How many tokens are allowed. */
  readonly count: number;
  /** Whether a token is allowed. */
  has(id: number): boolean;
}

/** A mask out of a bit per token, 32 to a word. */
export function maskFromBits(bits: Uint32Array, vocabularySize: number): TokenMask {
  const count = countBits(bits);
  const side = count * 2 <= vocabularySize ? "allowed" : "refused";
  const ids = side === "allowed" ? listBits(bits, count, 0) : listBits(bits, vocabularySize - count, -1);
  return {
    side,
    ids,
    count,
    has: (id) => id >= 0 && id < vocabularySize && contains(ids, id) === (side === "allowed"),
  };
}

/** The tokens of a bit set in ascending order, where that is shorter than the bits themselves. */
export function listFew(bits: Uint32Array): Int32Array | undefined {
  const count = countBits(bits);
  return count * 2 <= bits.length ? listBits(bits, count, 0) : undefined;
}

function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += bitCount(bits[word]!);
  return count;
}

// `flip` is 0 for the bits that are set, -1 for those that are not.
function listBits(bits: Uint32Array, count: number, flip: number): Int32Array {
  const ids = new Int32Array(count);
  let at = 0;
  for (let word = 0; at < count; word++) {
    for (let rest = bits[word]! ^ flip; rest !== 0 && at < count; rest &= rest - 1)
      ids[at++] = word * 32 + (31 - Math.clz32(rest & -rest));
  }
  return ids;
}

function contains(sorted: Int32Array, id: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === id;
}

function bitCount(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
