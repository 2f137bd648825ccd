// Unicode properties as sets, asked of the JavaScript engine itself: so they agree with the validator that runs on it.
import type { CharacterRange } from "../../gbnf-builder/grammar.ts";
import { allCodePoints, type Ranges, tidyRanges } from "./code-points.ts";

const known = new Map<string, Ranges>();

/** The characters that an escape such as `\p{Lu}` or `\P{Script=Greek}` matches under the `u` flag. */
export function propertyRanges(name: string): Ranges {
  let ranges = known.get(name);
  if (ranges === undefined) {
    ranges = scan(new RegExp(`${name}+`, "gu"));
    // The names of properties are a fixed list, so this stays small.
    known.set(name, ranges);
  }
  return ranges;
}

function scan(run: RegExp): Ranges {
  const found: CharacterRange[] = [];
  for (const [from, to] of allCodePoints) {
    for (let start = from; start <= to; start += 0x4000) {
      const points = Array.from({ length: Math.min(0x4000, to - start + 1) }, (_, i) => start + i);
      const text = String.fromCodePoint(...points);
      const width = start > 0xffff ? 2 : 1;
      for (const match of text.matchAll(run)) {
        const first = start + match.index / width;
        found.push([first, first + match[0].length / width - 1]);
      }
    }
  }
  return tidyRanges(found);
}
