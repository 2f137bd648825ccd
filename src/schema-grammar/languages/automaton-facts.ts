// What can be read off an automaton without changing it: emptiness, lengths, the words of a small language.
import { type Automaton, edgesOf } from "./automaton.ts";
import { allCodePoints, type Ranges } from "./code-points.ts";

/** Whether no text is in the language. Holds for minimal automata, whose every state leads to an end. */
export function isEmptyAutomaton(automaton: Automaton): boolean {
  return automaton.stateCount === 1 && automaton.accepting[0] === 0;
}

/** Whether every text is in the language. */
export function isFullAutomaton(automaton: Automaton): boolean {
  return automaton.stateCount === 1 && automaton.accepting[0] === 1 && automaton.next.every((to) => to === 0);
}

/** Shortest and longest text; `max` is undefined where there is no longest. The language must not be empty. */
export function automatonLengths(automaton: Automaton): { min: number; max: number | undefined } {
  let min = 0;
  let level = new Set([0]);
  while (![...level].some((state) => automaton.accepting[state] !== 0)) {
    level = stepAll(automaton, level);
    min++;
  }
  return { min, max: longestText(automaton) };
}

const mostSteps = 20_000;

/** Whether the language has a text of `min` to `max` characters. */
export function hasLengthWithin(automaton: Automaton, min: number, max: number | undefined): boolean {
  if (isEmptyAutomaton(automaton)) return false;
  const longest = longestText(automaton);
  if (longest !== undefined && longest < min) return false;
  if (longest === undefined) {
    // A cycle of at most n states can be repeated at will, so past 2n any n lengths in a row hold one.
    const { stateCount } = automaton;
    if (max === undefined || (min > 2 * stateCount && max - min >= stateCount)) return true;
    // Narrower bounds that far out are not worth the steps; to say yes only makes a language larger.
    if (min > mostSteps) return true;
  }
  let level = new Set([0]);
  for (let length = 0; length <= (max ?? Infinity) && level.size > 0; length++) {
    if (length >= min && [...level].some((state) => automaton.accepting[state] !== 0)) return true;
    level = stepAll(automaton, level);
  }
  return false;
}

/** All texts of the language where there are at most `limit`, in no promised order; undefined where there are more. */
export function automatonWords(automaton: Automaton, limit: number): string[] | undefined {
  if (isEmptyAutomaton(automaton)) return [];
  if (longestText(automaton) === undefined) return undefined;
  const words: string[] = [];
  const pending: { state: number; text: string }[] = [{ state: 0, text: "" }];
  // Every state leads to an end, so more open branches than `limit` mean more words than that.
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (automaton.accepting[place.state] !== 0) words.push(place.text);
    for (const { ranges, target } of edgesOf(automaton, place.state)) {
      for (const [from, to] of ranges) {
        if (to - from >= limit) return undefined;
        for (let point = from; point <= to; point++) {
          pending.push({ state: target, text: place.text + String.fromCodePoint(point) });
        }
        if (pending.length + words.length > limit) return undefined;
      }
    }
    if (words.length > limit) return undefined;
  }
  return words;
}

/** Where the language is `min` to `max` characters out of one set and nothing else, that set and the counts. */
export function uniformShape(
  automaton: Automaton,
): { ranges: Ranges; min: number; max: number | undefined } | undefined {
  return tailOf(automaton, 0, new Map());
}

export interface Tail {
  readonly ranges: Ranges;
  readonly min: number;
  readonly max: number | undefined;
}

/** The same for what may follow from a state on. `known` remembers answers for one automaton. */
export function tailOf(
  automaton: Automaton,
  start: number,
  known: Map<number, Tail | undefined>,
): Tail | undefined {
  const chain: { state: number; ranges: Ranges }[] = [];
  const onChain = new Set<number>();
  let state = start;
  let tail: Tail | undefined;
  for (;;) {
    if (known.has(state)) {
      tail = known.get(state);
      break;
    }
    const edges = edgesOf(automaton, state);
    const edge = edges[0];
    const kind = automaton.accepting[state] as number;
    if (edges.length > 1 || kind > 1) {
      known.set(state, undefined);
      break;
    }
    if (edge === undefined) {
      tail = { ranges: [], min: 0, max: 0 };
      known.set(state, tail);
      break;
    }
    if (edge.target === state) {
      tail = kind === 1 ? { ranges: edge.ranges, min: 0, max: undefined } : undefined;
      known.set(state, tail);
      break;
    }
    if (onChain.has(state)) {
      known.set(state, undefined);
      break;
    }
    chain.push({ state, ranges: edge.ranges });
    onChain.add(state);
    state = edge.target;
  }
  for (const link of chain.reverse()) {
    tail = lengthen(automaton, link, tail);
    known.set(link.state, tail);
  }
  return tail;
}

function lengthen(
  automaton: Automaton,
  link: { state: number; ranges: Ranges },
  tail: Tail | undefined,
): Tail | undefined {
  if (tail === undefined || !(tail.max === 0 || sameRanges(tail.ranges, link.ranges))) return undefined;
  const max = tail.max === undefined ? undefined : tail.max + 1;
  if (automaton.accepting[link.state] === 0) return { ranges: link.ranges, min: tail.min + 1, max };
  return tail.min === 0 ? { ranges: link.ranges, min: 0, max } : undefined;
}

/** Whether two sets are the same. */
export function sameRanges(a: Ranges, b: Ranges): boolean {
  return a.length === b.length && a.every(([from, to], i) => from === b[i]?.[0] && to === b[i]?.[1]);
}

/** Whether a set holds every character. */
export function isEveryCharacter(ranges: Ranges): boolean {
  return sameRanges(ranges, allCodePoints);
}

function stepAll(automaton: Automaton, level: ReadonlySet<number>): Set<number> {
  const { size } = automaton.alphabet;
  const following = new Set<number>();
  for (const state of level) {
    for (let at = state * size; at < (state + 1) * size; at++) {
      const target = automaton.next[at] as number;
      if (target >= 0) following.add(target);
    }
  }
  return following;
}

const longestTexts = new WeakMap<Automaton, { readonly length: number | undefined }>();

/** Length of the longest text, undefined where a cycle makes texts of any length. */
function longestText(automaton: Automaton): number | undefined {
  const known = longestTexts.get(automaton);
  if (known !== undefined) return known.length;
  const length = longestPath(automaton);
  longestTexts.set(automaton, { length });
  return length;
}

function longestPath(automaton: Automaton): number | undefined {
  const { size } = automaton.alphabet;
  const { stateCount, next } = automaton;
  const incoming = new Int32Array(stateCount);
  for (const target of next) if (target >= 0) incoming[target] = (incoming[target] as number) + 1;
  const depth = new Int32Array(stateCount);
  const ready = incoming[0] === 0 ? [0] : [];
  let done = 0;
  let deepest = 0;
  for (let state = ready.pop(); state !== undefined; state = ready.pop()) {
    done++;
    deepest = Math.max(deepest, depth[state] as number);
    for (let at = state * size; at < (state + 1) * size; at++) {
      const target = next[at] as number;
      if (target < 0) continue;
      depth[target] = Math.max(depth[target] as number, (depth[state] as number) + 1);
      incoming[target] = (incoming[target] as number) - 1;
      if (incoming[target] === 0) ready.push(target);
    }
  }
  return done === stateCount ? deepest : undefined;
}
