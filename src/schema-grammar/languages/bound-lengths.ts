// An automaton and a length bound made one automaton, which counts only as far as counting matters.
import type { Automaton } from "./automaton.ts";
import { isEmptyAutomaton, type Tail, tailOf } from "./automaton-facts.ts";
import { rangesKey } from "./code-points.ts";
import { minimise } from "./minimise.ts";

/** An end of kind `k >= 2` stands for "then whatever `tails[k - 2]` says", which saves a state per character. */
export interface TailedAutomaton {
  readonly automaton: Automaton;
  readonly tails: readonly Tail[];
}

export interface LengthBounds {
  readonly min: number;
  readonly max: number | undefined;
  /** The most states of the result. */
  readonly states: number;
  /** Whether runs are left as tails; they are by default. */
  readonly tails?: boolean;
}

// The same product is asked for when a bound is set and again when it is written.
const known = new WeakMap<Automaton, Map<string, TailedAutomaton>>();

/** Texts of the language with `min` to `max` characters; undefined where that takes more than `states` states. */
export function boundLengths(automaton: Automaton, options: LengthBounds): TailedAutomaton | undefined {
  const key = `${options.min},${options.max},${options.tails !== false}`;
  const remembered = known.get(automaton)?.get(key);
  if (remembered !== undefined)
    return remembered.automaton.stateCount <= options.states ? remembered : undefined;
  const bounded = multiply(automaton, options);
  if (bounded === undefined) return undefined;
  const results = known.get(automaton) ?? new Map<string, TailedAutomaton>();
  known.set(automaton, results.set(key, bounded));
  return bounded;
}

function multiply(automaton: Automaton, options: LengthBounds): TailedAutomaton | undefined {
  const { min, max } = options;
  const { size } = automaton.alphabet;
  // Without an upper bound, all counts from `min` on are one.
  const last = max ?? min;
  const width = last + 1;
  const knownTails = new Map<number, Tail | undefined>();
  const tails: Tail[] = [];
  const tailKinds = new Map<string, number>();
  const numbers = new Map<number, number>([[0, 0]]);
  // Each place as `state * width + length`.
  const order = [0];
  const next: number[] = [];
  const accepting: number[] = [];
  for (let at = 0; at < order.length; at++) {
    if (order.length > options.states) return undefined;
    const length = (order[at] as number) % width;
    const state = ((order[at] as number) - length) / width;
    const tail = boundTail(tailOf(automaton, state, knownTails), length);
    if (tail !== undefined) {
      accepting.push(kindOf(tail));
      for (let name = 0; name < size; name++) next.push(-1);
      continue;
    }
    accepting.push(automaton.accepting[state] !== 0 && length >= min ? 1 : 0);
    for (let name = 0; name < size; name++) {
      const target = automaton.next[state * size + name] as number;
      if (target < 0 || (max !== undefined && length === max)) {
        next.push(-1);
        continue;
      }
      const place = target * width + Math.min(length + 1, last);
      let number = numbers.get(place);
      if (number === undefined) {
        number = order.length;
        numbers.set(place, number);
        order.push(place);
      }
      next.push(number);
    }
  }
  return {
    automaton: minimise({
      alphabet: automaton.alphabet,
      stateCount: order.length,
      next: Int32Array.from(next),
      accepting: Uint16Array.from(accepting),
    }),
    tails,
  };

  /** What may still follow, where that is a plain run of one set; too short a run is no end at all. */
  function boundTail(tail: Tail | undefined, length: number): Tail | undefined {
    if (tail === undefined || tail.max === 0 || options.tails === false || isEmptyAutomaton(automaton))
      return undefined;
    const least = Math.max(tail.min, min - length);
    const most = Math.min(tail.max ?? Infinity, max === undefined ? Infinity : max - length);
    if (least > most) return undefined;
    return { ranges: tail.ranges, min: least, max: most === Infinity ? undefined : most };
  }

  function kindOf(tail: Tail): number {
    const key = `${tail.min},${tail.max}:${rangesKey(tail.ranges)}`;
    const known = tailKinds.get(key);
    if (known !== undefined) return known;
    tails.push(tail);
    tailKinds.set(key, tails.length + 1);
    return tails.length + 1;
  }
}
