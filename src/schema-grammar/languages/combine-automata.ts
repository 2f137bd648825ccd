// And, or, not and length bounds on automata. Every result is minimal; a result beyond the budget is undefined.
import type { Automaton } from "./automaton.ts";
import { type Alphabet, compactAlphabet } from "./code-points.ts";
import { minimise } from "./minimise.ts";

/** Texts of both languages (`and`) or of at least one (`or`). */
export function combineAutomata(
  a: Automaton,
  b: Automaton,
  options: { readonly operation: "and" | "or"; readonly states: number },
): Automaton | undefined {
  const both = options.operation === "and";
  const { alphabet, pairs } = mergeAlphabets(a.alphabet, b.alphabet);
  const width = b.stateCount + 1;
  // Each pair as `(left + 1) * width + right + 1`, where -1 is the state of no text.
  const start = width + 1;
  const numbers = new Map<number, number>([[start, 0]]);
  const order = [start];
  const next: number[] = [];
  const accepting: number[] = [];
  for (let at = 0; at < order.length; at++) {
    if (order.length > options.states) return undefined;
    const right = ((order[at] as number) % width) - 1;
    const left = Math.floor((order[at] as number) / width) - 1;
    const inLeft = left >= 0 && a.accepting[left] !== 0;
    const inRight = right >= 0 && b.accepting[right] !== 0;
    accepting.push((both ? inLeft && inRight : inLeft || inRight) ? 1 : 0);
    for (const [leftClass, rightClass] of pairs) {
      const toLeft = left < 0 ? -1 : (a.next[left * a.alphabet.size + leftClass] as number);
      const toRight = right < 0 ? -1 : (b.next[right * b.alphabet.size + rightClass] as number);
      if (both ? toLeft < 0 || toRight < 0 : toLeft < 0 && toRight < 0) {
        next.push(-1);
        continue;
      }
      const pair = (toLeft + 1) * width + toRight + 1;
      let number = numbers.get(pair);
      if (number === undefined) {
        number = order.length;
        numbers.set(pair, number);
        order.push(pair);
      }
      next.push(number);
    }
  }
  return minimise({
    alphabet,
    stateCount: order.length,
    next: Int32Array.from(next),
    accepting: Uint16Array.from(accepting),
  });
}

/** Every text that is not in the language. */
export function complementAutomaton(automaton: Automaton): Automaton {
  const { stateCount, alphabet } = automaton;
  const next = new Int32Array((stateCount + 1) * alphabet.size).fill(stateCount);
  automaton.next.forEach((target, at) => {
    if (target >= 0) next[at] = target;
  });
  const accepting = new Uint16Array(stateCount + 1).fill(1);
  automaton.accepting.forEach((kind, state) => {
    accepting[state] = kind === 0 ? 1 : 0;
  });
  return minimise({ alphabet, stateCount: stateCount + 1, next, accepting });
}

function mergeAlphabets(a: Alphabet, b: Alphabet): { alphabet: Alphabet; pairs: [number, number][] } {
  const starts: number[] = [];
  const classes: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.starts.length || j < b.starts.length) {
    const nextA = a.starts[i] ?? Infinity;
    const nextB = b.starts[j] ?? Infinity;
    starts.push(Math.min(nextA, nextB));
    if (nextA <= nextB) i++;
    if (nextB <= nextA) j++;
    const left = a.classes[i - 1] as number;
    const right = b.classes[j - 1] as number;
    classes.push(left < 0 ? -1 : left * b.size + right);
  }
  const pairs = [...new Set(classes)].filter((pair) => pair >= 0);
  return {
    alphabet: compactAlphabet(starts, classes),
    pairs: pairs.map((pair) => [Math.floor(pair / b.size), pair % b.size]),
  };
}
