// Sets of code points as sorted ranges, and alphabets: the partition of all code points that a set of ranges makes.
// Surrogates are in no set and no class: a JSON text cannot hold half a character.
import { complementRanges, mergeRanges } from "../../gbnf-builder/build.ts";
import type { CharacterRange } from "../../gbnf-builder/grammar.ts";

/** Sorted, disjoint, not touching, without surrogates. */
export type Ranges = readonly CharacterRange[];

/** Every code point that is a character. */
export const allCodePoints: Ranges = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** Puts ranges in order, joins what touches and takes the surrogates out. */
export function tidyRanges(ranges: readonly CharacterRange[]): Ranges {
  return complementRanges(complementRanges(mergeRanges(ranges)));
}

/** A text that is equal for equal sets. */
export function rangesKey(ranges: Ranges): string {
  let key = "";
  for (const [from, to] of ranges) key += `${from}-${to},`;
  return key;
}

/** The characters of a text; a lone surrogate stays as it is and so belongs to no set. */
export function codePointsOf(text: string): number[] {
  const points: number[] = [];
  for (const character of text) points.push(character.codePointAt(0) as number);
  return points;
}

/**
 * Code points in classes that an automaton need not tell apart. Interval i reaches from `starts[i]` to the next start;
 * its class is `classes[i]`, -1 for the surrogates.
 */
export interface Alphabet {
  readonly starts: readonly number[];
  readonly classes: readonly number[];
  /** How many classes there are. */
  readonly size: number;
}

/** The coarsest alphabet in which each of the sets is a union of classes. */
export function alphabetOf(sets: Iterable<Ranges>): Alphabet {
  const distinct = [...new Set(sets)];
  const boundaries = new Set([0, 0xd800, 0xe000]);
  for (const ranges of distinct) {
    for (const [from, to] of ranges) {
      boundaries.add(from);
      if (to < 0x10ffff) boundaries.add(to + 1);
    }
  }
  const starts = [...boundaries].sort((a, b) => a - b);
  const classes = new Array<number>(starts.length).fill(0);
  let next = 1;
  for (const ranges of distinct) {
    const moved = new Map<number, number>();
    for (const [from, to] of ranges) {
      for (let i = intervalAt(starts, from); i < starts.length && (starts[i] as number) <= to; i++) {
        const old = classes[i] as number;
        let fresh = moved.get(old);
        if (fresh === undefined) {
          fresh = next++;
          moved.set(old, fresh);
        }
        classes[i] = fresh;
      }
    }
  }
  return compactAlphabet(starts, classes);
}

/** Numbers classes by first appearance, joins neighbouring intervals of one class, and keeps the surrogates apart. */
export function compactAlphabet(starts: readonly number[], classes: readonly number[]): Alphabet {
  const renamed = new Map<number, number>();
  const newStarts: number[] = [];
  const newClasses: number[] = [];
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] as number;
    let name = -1;
    if (start < 0xd800 || start >= 0xe000) {
      const old = classes[i] as number;
      name = renamed.get(old) ?? renamed.size;
      renamed.set(old, name);
    }
    if (newClasses.length > 0 && newClasses.at(-1) === name) continue;
    newStarts.push(start);
    newClasses.push(name);
  }
  return { starts: newStarts, classes: newClasses, size: renamed.size };
}

/** The class of a code point, -1 for a surrogate. */
export function classOf(alphabet: Alphabet, codePoint: number): number {
  return alphabet.classes[intervalAt(alphabet.starts, codePoint)] as number;
}

/** The classes that make up a set. The set must be one the alphabet was made for. */
export function classesOf(alphabet: Alphabet, ranges: Ranges): number[] {
  const found = new Set<number>();
  for (const [from, to] of ranges) {
    for (let i = intervalAt(alphabet.starts, from); (alphabet.starts[i] ?? Infinity) <= to; i++) {
      const name = alphabet.classes[i] as number;
      if (name >= 0) found.add(name);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function intervalAt(starts: readonly number[], codePoint: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return low;
}
