// From a pattern to its automaton, look-around and boundaries included. The pattern is searched for anywhere in the text.
import type { Automaton } from "./automaton.ts";
import { alphabetOf } from "./code-points.ts";
import { minimise } from "./minimise.ts";
import type { Pattern } from "./pattern.ts";
import { featuresOf } from "./pattern-features.ts";
import { BeyondLimits, type PatternLimits } from "./pattern-limits.ts";
import { createPatternMachine, failed } from "./pattern-machine.ts";

/** The texts in which the pattern is found; undefined where the limits do not suffice. */
export function patternAutomaton(pattern: Pattern, limits: PatternLimits): Automaton | undefined {
  try {
    return minimise(explore(pattern, limits));
  } catch (error) {
    if (error instanceof BeyondLimits) return undefined;
    throw error;
  }
}

function explore(pattern: Pattern, limits: PatternLimits): Automaton {
  const features = featuresOf(pattern);
  const alphabet = alphabetOf(features.sets);
  const machine = createPatternMachine(alphabet, features, limits);
  const start = machine.start(pattern);
  const numbers = new Map<number, number>([[start, 0]]);
  const order = [start];
  const next: number[] = [];
  const accepting: number[] = [];
  for (let at = 0; at < order.length; at++) {
    if (order.length > limits.states) throw new BeyondLimits();
    const state = order[at] as number;
    accepting.push(machine.accepts(state) ? 1 : 0);
    for (const target of machine.follow(state)) {
      if (target === failed) {
        next.push(-1);
        continue;
      }
      let number = numbers.get(target);
      if (number === undefined) {
        number = order.length;
        numbers.set(target, number);
        order.push(target);
      }
      next.push(number);
    }
  }
  return {
    alphabet,
    stateCount: order.length,
    next: Int32Array.from(next),
    accepting: Uint16Array.from(accepting),
  };
}
