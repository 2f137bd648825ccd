// Gives equal lists of 32-bit integers the same small number. Lists lie end to end in one typed array, so that many
// thousands of them stay cheap.

export interface ListInterner {
  /** The number of the first `length` integers of `list`; new lists are numbered upwards from 0. */
  intern(list: Int32Array, length: number): number;
  /** A view of a list, valid for good. */
  get(id: number): Int32Array;
  readonly size: number;
}

/** An empty interner. */
export function createListInterner(): ListInterner {
  let pool: Int32Array = new Int32Array(1024);
  let used = 0;
  let offsets: Int32Array = new Int32Array(256);
  let size = 0;
  let table: Int32Array = new Int32Array(512).fill(-1);

  function find(list: Int32Array, length: number, slot: number): number {
    const mask = table.length - 1;
    let at = slot & mask;
    for (let id = table[at]!; id >= 0; id = table[at]!) {
      if (isSame(id, list, length)) return at;
      at = (at + 1) & mask;
    }
    return at;
  }

  function isSame(id: number, list: Int32Array, length: number): boolean {
    const from = offsets[id]!;
    if (offsets[id + 1]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (pool[from + i] !== list[i]) return false;
    return true;
  }

  function add(list: Int32Array, length: number): number {
    pool = withRoom(pool, used + length);
    for (let i = 0; i < length; i++) pool[used + i] = list[i]!;
    used += length;
    offsets = withRoom(offsets, size + 2);
    offsets[size + 1] = used;
    return size++;
  }

  function grow(): void {
    table = new Int32Array(table.length * 2).fill(-1);
    for (let id = 0; id < size; id++) {
      const from = offsets[id]!;
      let at = hash(pool, from, offsets[id + 1]!) & (table.length - 1);
      while (table[at]! >= 0) at = (at + 1) & (table.length - 1);
      table[at] = id;
    }
  }

  return {
    intern(list, length) {
      const at = find(list, length, hash(list, 0, length));
      const known = table[at]!;
      if (known >= 0) return known;
      const id = add(list, length);
      table[at] = id;
      if (size * 2 > table.length) grow();
      return id;
    },
    get: (id) => pool.subarray(offsets[id]!, offsets[id + 1]!),
    get size() {
      return size;
    },
  };
}

/** The array itself, or a copy twice as long or more that has room for `length` integers. */
export function withRoom(array: Int32Array, length: number): Int32Array {
  if (length <= array.length) return array;
  const grown = new Int32Array(Math.max(length, array.length * 2));
  grown.set(array);
  return grown;
}

function hash(list: Int32Array, from: number, to: number): number {
  let h = 0x2545f491;
  for (let i = from; i < to; i++) {
    h = Math.imul(h ^ list[i]!, 0x5bd1e995);
    h ^= h >>> 15;
  }
  return h & 0x7fffffff;
}
