// The automaton of texts whose every character is in one set, the most common there is.
import type { Automaton } from "./automaton.ts";
import { alphabetOf, classesOf, type Ranges } from "./code-points.ts";
import { minimise } from "./minimise.ts";

const known = new Map<string, Automaton>();
const rememberedLoops = 200;

/** Any number of characters out of `ranges`. Equal sets give the same object while it is remembered. */
export function loopAutomaton(ranges: Ranges): Automaton {
  const key = ranges.join();
  let loop = known.get(key);
  if (loop === undefined) {
    const alphabet = alphabetOf([ranges]);
    const next = new Int32Array(alphabet.size).fill(-1);
    for (const name of classesOf(alphabet, ranges)) next[name] = 0;
    loop = minimise({ alphabet, stateCount: 1, next, accepting: Uint16Array.of(1) });
    if (known.size >= rememberedLoops) known.delete(known.keys().next().value as string);
    known.set(key, loop);
  }
  return loop;
}
