// Unicode properties as sets, asked of the JavaScript engine itself: so they agree with the validator that runs on it.
import type { CharacterRange } from "../../gbnf-builder/grammar.ts";
import { type Ranges, tidyRanges } from "./code-points.ts";

const known = new Map<string, Ranges>();
const blockSize = 0x1000;

/** The characters that an escape such as `\p{Lu}` or `\P{Script=Greek}` matches under the `u` flag. */
export function propertyRanges(name: string): Ranges {
  let ranges = known.get(name);
  if (ranges === undefined) {
    ranges = scan(name);
    // The names of properties are a fixed list, so this stays small.
    known.set(name, ranges);
  }
  return ranges;
}

function scan(name: string): Ranges {
  const run = new RegExp(`${name}+`, "gu");
  const one = new RegExp(name, "u");
  const found: CharacterRange[] = [];
  for (let plane = 0; plane <= 16; plane++) {
    const first = plane * 0x10000;
    if (plane <= 3 || plane === 14) {
      for (let start = first; start < first + 0x10000; start += blockSize)
        found.push(...scanBlock(run, start));
      continue;
    }
    // The other planes are unassigned or for private use throughout, but for two that are no characters at the end.
    if (one.test(String.fromCodePoint(first))) found.push([first, first + 0xfffd]);
    if (one.test(String.fromCodePoint(first + 0xfffe))) found.push([first + 0xfffe, first + 0xffff]);
  }
  return tidyRanges(found);
}

function scanBlock(run: RegExp, start: number): CharacterRange[] {
  // Surrogates are no characters, and two in a row would be read as one.
  if (start >= 0xd000 && start < 0xe000) return start === 0xd000 ? scanText(run, start, 0x800) : [];
  return scanText(run, start, blockSize);
}

function scanText(run: RegExp, start: number, length: number): CharacterRange[] {
  const text = String.fromCodePoint(...Array.from({ length }, (_, i) => start + i));
  const width = start > 0xffff ? 2 : 1;
  return [...text.matchAll(run)].map((match) => {
    const first = start + match.index / width;
    return [first, first + match[0].length / width - 1];
  });
}
