// A sample that is the same on every machine: drawn without returning, by a small generator of numbers from a seed.

/** `count` of the items, or all of them where there are not more, in the order of the draw. */
export function drawSample<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  const pool = [...items];
  let state = seed >>> 0;
  for (let at = 0; at < Math.min(count, pool.length); at++) {
    // Steele, Lea, Flood: SplitMix, cut to 32 bits.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    const other = at + (((mixed ^ (mixed >>> 16)) >>> 0) % (pool.length - at));
    [pool[at], pool[other]] = [pool[other] as Item, pool[at] as Item];
  }
  return pool.slice(0, count);
}
