// What a pattern holds that its automaton must know beforehand: sets of characters, look-behinds, boundaries.
import { allCodePoints, type Ranges } from "./code-points.ts";
import type { Pattern } from "./pattern.ts";

/** What `\\w` and `\\b` call a word character. */
export const wordCharacters: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];

export type LookBehind = Extract<Pattern, { type: "behind" }>;

export interface PatternFeatures {
  readonly sets: ReadonlySet<Ranges>;
  /** Inner ones before the outer ones that ask for them. */
  readonly behinds: readonly LookBehind[];
  readonly usesStart: boolean;
  readonly usesWord: boolean;
}

/** Looks through a whole pattern. */
export function featuresOf(pattern: Pattern): PatternFeatures {
  const sets = new Set([allCodePoints]);
  const behinds = new Set<LookBehind>();
  let usesStart = false;
  let usesWord = false;
  visit(pattern);
  return { sets, behinds: [...behinds], usesStart, usesWord };

  function visit(node: Pattern): void {
    switch (node.type) {
      case "characters":
        sets.add(node.ranges);
        return;
      case "sequence":
        node.items.forEach(visit);
        return;
      case "choice":
        node.options.forEach(visit);
        return;
      case "start":
        usesStart = true;
        return;
      case "end":
        return;
      case "word-boundary":
        usesWord = true;
        sets.add(wordCharacters);
        return;
      case "repeat":
      case "ahead":
        visit(node.item);
        return;
      case "behind":
        visit(node.item);
        behinds.add(node);
        return;
      default:
        node satisfies never;
    }
  }
}
