// Regular expressions as data, after parsing and before they become automata: nothing of JavaScript's syntax is left.
import type { Ranges } from "./code-points.ts";

/** What a piece of text, at some place in a larger one, has to look like. */
export type Pattern =
  | { readonly type: "characters"; readonly ranges: Ranges }
  | { readonly type: "sequence"; readonly items: readonly Pattern[] }
  | { readonly type: "choice"; readonly options: readonly Pattern[] }
  /** `max` may be Infinity. */
  | { readonly type: "repeat"; readonly item: Pattern; readonly min: number; readonly max: number }
  /** True at the start of the text, at its end. */
  | { readonly type: "start" }
  | { readonly type: "end" }
  /** True between a word character and another (`negated`: everywhere else). */
  | { readonly type: "word-boundary"; readonly negated: boolean }
  /** True where the item matches from here on (`ahead`), or up to here (`behind`). */
  | { readonly type: "ahead"; readonly item: Pattern; readonly negated: boolean }
  | { readonly type: "behind"; readonly item: Pattern; readonly negated: boolean };

/** Matches nothing and takes nothing: the empty text. */
export const nothing: Pattern = { type: "sequence", items: [] };

// Options that share beginnings in more steps than this are left as they are from there on.
const deepestTrie = 100;

/** One of the options, with what several of them begin with written once: a long list of words becomes a trie. */
export function choiceOf(options: readonly Pattern[]): Pattern {
  return shareBeginnings(options.map(itemsOf), 0);
}

function shareBeginnings(options: readonly (readonly Pattern[])[], depth: number): Pattern {
  const byFirst = new Map<Pattern | undefined, (readonly Pattern[])[]>();
  for (const items of depth < deepestTrie ? options : []) {
    const group = byFirst.get(items[0]);
    if (group === undefined) byFirst.set(items[0], [items]);
    else group.push(items);
  }
  if (options.length < 2 || byFirst.size === 0 || byFirst.size === options.length)
    return plainChoice(options);
  return plainChoice([...byFirst.values()].map((group) => shareOne(group, depth)));
}

/** Options that begin alike, as one: all that they share at the start, then the choice of what follows. */
function shareOne(group: readonly (readonly Pattern[])[], depth: number): readonly Pattern[] {
  const [first = []] = group;
  if (group.length === 1) return first;
  let shared = 0;
  while (shared < first.length && group.every((items) => items[shared] === first[shared])) shared++;
  const rest = group.map((items) => items.slice(shared));
  return [...first.slice(0, shared), ...itemsOf(shareBeginnings(rest, depth + 1))];
}

function plainChoice(options: readonly (readonly Pattern[])[]): Pattern {
  const patterns = options.map(
    (items): Pattern => (items.length === 1 ? (items[0] as Pattern) : sequenceOf(items)),
  );
  return patterns.length === 1 ? (patterns[0] as Pattern) : { type: "choice", options: patterns };
}

function sequenceOf(items: readonly Pattern[]): Pattern {
  return items.length === 0 ? nothing : { type: "sequence", items };
}

function itemsOf(pattern: Pattern): readonly Pattern[] {
  return pattern.type === "sequence" ? pattern.items : [pattern];
}

const nullable = new WeakMap<Pattern, boolean>();

/** Whether the pattern matches the empty text at any place. One that does so only at some places does not count. */
export function isNullable(pattern: Pattern): boolean {
  let answer = nullable.get(pattern);
  if (answer === undefined) {
    answer = computeNullable(pattern);
    nullable.set(pattern, answer);
  }
  return answer;
}

function computeNullable(pattern: Pattern): boolean {
  switch (pattern.type) {
    case "sequence":
      return pattern.items.every(isNullable);
    case "choice":
      return pattern.options.some(isNullable);
    case "repeat":
      return pattern.min === 0 || isNullable(pattern.item);
    default:
      return false;
  }
}

/** Whether the pattern can only match at the start of the text. */
export function startsAtStart(pattern: Pattern): boolean {
  switch (pattern.type) {
    case "start":
      return true;
    case "choice":
      return pattern.options.length > 0 && pattern.options.every(startsAtStart);
    case "repeat":
      return pattern.min > 0 && startsAtStart(pattern.item);
    case "sequence":
      for (const item of pattern.items) {
        if (startsAtStart(item)) return true;
        if (!takesNothing(item)) return false;
      }
      return false;
    default:
      return false;
  }
}

/** How many characters a match takes, where that is always the same number. */
export function fixedLength(pattern: Pattern): number | undefined {
  switch (pattern.type) {
    case "characters":
      return 1;
    case "sequence":
      return pattern.items.reduce<number | undefined>((sum, item) => {
        const length = fixedLength(item);
        return sum === undefined || length === undefined ? undefined : sum + length;
      }, 0);
    case "choice": {
      const lengths = new Set(pattern.options.map(fixedLength));
      return lengths.size === 1 ? [...lengths][0] : undefined;
    }
    case "repeat": {
      const length = fixedLength(pattern.item);
      if (length === undefined || (length > 0 && pattern.min !== pattern.max)) return undefined;
      return length === 0 ? 0 : length * pattern.min;
    }
    default:
      return 0;
  }
}

function takesNothing(pattern: Pattern): boolean {
  return fixedLength(pattern) === 0;
}
