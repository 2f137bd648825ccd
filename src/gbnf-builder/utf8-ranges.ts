// Ranges of code points as sequences of byte ranges, the way UTF-8 writes them. Well-formed bytes only.
import type { CharacterRange } from "./grammar.ts";

/** Byte ranges one after the other: `[[0xc2, 0xdf], [0x80, 0xbf]]` is two bytes. */
export type ByteSequence = readonly (readonly [from: number, to: number])[];

const cache = new WeakMap<readonly CharacterRange[], readonly ByteSequence[]>();
const lastOfLength = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/** The byte sequences that spell exactly the code points of the ranges. */
export function utf8Sequences(ranges: readonly CharacterRange[]): readonly ByteSequence[] {
  const known = cache.get(ranges);
  if (known !== undefined) return known;
  const found: ByteSequence[] = [];
  for (const [from, to] of ranges) {
    let start = from;
    for (const [i, last] of lastOfLength.entries()) {
      if (start > to) break;
      if (start > last) continue;
      split(start, Math.min(to, last), i, found);
      start = last + 1;
    }
  }
  cache.set(ranges, found);
  return found;
}

// Splits until all continuation bytes but a leading common part run over their whole range.
function split(from: number, to: number, continuations: number, found: ByteSequence[]): void {
  for (let i = 1; i <= continuations; i++) {
    const low = (1 << (6 * i)) - 1;
    if ((from & ~low) === (to & ~low)) continue;
    if ((from & low) !== 0) {
      split(from, from | low, continuations, found);
      split((from | low) + 1, to, continuations, found);
      return;
    }
    if ((to & low) !== low) {
      split(from, (to & ~low) - 1, continuations, found);
      split(to & ~low, to, continuations, found);
      return;
    }
  }
  const first = encode(from, continuations);
  const last = encode(to, continuations);
  found.push(first.map((byte, i) => [byte, last[i]!] as const));
}

function encode(codePoint: number, continuations: number): number[] {
  if (continuations === 0) return [codePoint];
  const lead = [0, 0xc0, 0xe0, 0xf0][continuations]!;
  const bytes = [lead | (codePoint >> (6 * continuations))];
  for (let i = continuations - 1; i >= 0; i--) bytes.push(0x80 | ((codePoint >> (6 * i)) & 0x3f));
  return bytes;
}
