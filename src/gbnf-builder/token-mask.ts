// Which tokens are allowed at one place, held as the shorter of two sorted lists. Masks of the same tokens are one object,
// so that whoever builds something from a mask can keep it.
import { createRecentCache } from "./recent-cache.ts";
import { countBits, createTokenBits, listBits, setBits } from "./token-bits.ts";
import type { TokenTrie } from "./token-trie.ts";

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

const shortList = 64;

/** Makes masks from bits in the trie's order, and keeps about `maximumBytes` of them to find again by content. */
export function createMaskMaker(trie: TokenTrie, maximumBytes: number): (bits: Uint32Array) => TokenMask {
  const { order, vocabularySize, withoutBytes } = trie;
  const byContent = createRecentCache<TokenMask>(maximumBytes);
  const idBits = createTokenBits(vocabularySize);

  function sortedIds(places: Int32Array, others: Int32Array): Int32Array {
    const ids = new Int32Array(places.length + others.length);
    for (let i = 0; i < places.length; i++) ids[i] = order[places[i]!]!;
    ids.set(others, places.length);
    if (ids.length <= shortList) return ids.sort();
    idBits.fill(0);
    for (let i = 0; i < ids.length; i++) setBits(idBits, ids[i]!, ids[i]! + 1);
    return listBits(idBits, vocabularySize);
  }

  return (bits) => {
    const count = countBits(bits);
    const side = count * 2 <= vocabularySize ? "allowed" : "refused";
    const places = listBits(bits, order.length, side === "refused");
    const ids = sortedIds(places, side === "refused" ? withoutBytes : new Int32Array(0));
    const key = hash(ids) * 2 + (side === "allowed" ? 0 : 1);
    const known = byContent.get(key);
    if (known !== undefined && known.side === side && isSame(known.ids, ids)) return known;
    const mask: TokenMask = {
      side,
      ids,
      count,
      has: (id) => id >= 0 && id < vocabularySize && contains(ids, id) === (side === "allowed"),
    };
    byContent.set(key, mask, ids.byteLength + 200);
    return mask;
  };
}

function hash(ids: Int32Array): number {
  let h = ids.length;
  for (let i = 0; i < ids.length; i++) h = Math.imul(h ^ ids[i]!, 0x5bd1e995) ^ (h >>> 13);
  return h >>> 0;
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
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
