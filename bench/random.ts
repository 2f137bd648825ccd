// A small generator of random numbers that a seed repeats.
export interface Random {
  /** 0 ≤ n < limit. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** Mulberry32: 32 bits of state are plenty for drawing samples. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, chance: (share) => next() < share, pick: (values) => values[below(values.length)]! };
}
