// A cache of bounded size in two generations: what was not asked for while half of the room filled up is dropped.

export interface RecentCache<Value> {
  get(key: number): Value | undefined;
  set(key: number, value: Value, bytes: number): void;
}

/** An empty cache for about `maximumBytes` of values, whose sizes the caller states. */
export function createRecentCache<Value>(maximumBytes: number): RecentCache<Value> {
  let young = new Map<number, { readonly value: Value; readonly bytes: number }>();
  let old: typeof young = new Map();
  let youngBytes = 0;

  function keep(key: number, entry: { readonly value: Value; readonly bytes: number }): void {
    if (youngBytes + entry.bytes > maximumBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(key, entry);
    youngBytes += entry.bytes;
  }

  return {
    get(key) {
      const entry = young.get(key);
      if (entry !== undefined) return entry.value;
      const older = old.get(key);
      if (older === undefined) return undefined;
      old.delete(key);
      keep(key, older);
      return older.value;
    },
    set: (key, value, bytes) => keep(key, { value, bytes }),
  };
}
