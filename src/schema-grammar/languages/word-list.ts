// Listed texts: as an automaton, and as a trie of expressions.
import { characters, choice, literal, sequence } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import type { Automaton } from "./automaton.ts";
import { alphabetOf, classesOf, codePointsOf, type Ranges } from "./code-points.ts";
import type { EmitContext } from "./emit-context.ts";
import { emptyAutomaton, minimise } from "./minimise.ts";
import type { Spelling } from "./spelling.ts";
import { textKey } from "./text-key.ts";

/** Deeper branching than this goes on in a rule of its own. */
const deepest = 16;

/** The automaton of the words; undefined where its table would have more than `cells` cells. */
export function wordAutomaton(words: readonly string[], cells: number): Automaton | undefined {
  if (words.length === 0) return emptyAutomaton;
  const points = words.map(codePointsOf);
  const single = new Map<number, Ranges>();
  for (const word of points) for (const point of word) single.set(point, [[point, point]]);
  const alphabet = alphabetOf(single.values());
  const classes = new Map(
    [...single].map(([point, ranges]) => [point, classesOf(alphabet, ranges)[0] as number]),
  );
  const { size } = alphabet;
  const next: number[] = new Array<number>(size).fill(-1);
  const accepting = [0];
  for (const word of points) {
    let state = 0;
    for (const point of word) {
      const at = state * size + (classes.get(point) as number);
      if (next[at] === -1) {
        if (next.length + size > cells) return undefined;
        next[at] = accepting.length;
        accepting.push(0);
        for (let i = 0; i < size; i++) next.push(-1);
      }
      state = next[at] as number;
    }
    accepting[state] = 1;
  }
  return minimise({
    alphabet,
    stateCount: accepting.length,
    next: Int32Array.from(next),
    accepting: Uint16Array.from(accepting),
  });
}

/** The words, which must be sorted and distinct, with common beginnings written once, and what closes each. */
export function emitWords(words: readonly string[], context: EmitContext, spelling: Spelling): Expression {
  const written = [...new Set(words.map(spelling.text))].sort();
  let listKey: string | undefined;
  return branch(0, written.length, 0, 0);

  /** The texts `from` to `to`, of which the first `skip` units are written already. */
  function branch(from: number, to: number, skip: number, depth: number): Expression {
    const first = written[from] as string;
    const last = written[to - 1] as string;
    let end = skip;
    while (end < first.length && first[end] === last[end]) end++;
    // A pair of surrogates is one character and must not be cut in two.
    if (end > skip && isHighHalf(first, end - 1)) end--;
    const shared = literal(first.slice(skip, end));
    if (to - from === 1) return sequence(shared, spelling.close);
    if (depth > deepest) {
      listKey ??= textKey(JSON.stringify(written));
      const key = `${spelling.name}-words:${listKey}:${from}-${to}:${end}`;
      return sequence(
        shared,
        context.rule(key, () => branch(from, to, end, 0)),
      );
    }
    const options: Expression[] = [];
    const lastCharacters: string[] = [];
    let start = from;
    if (first.length === end) {
      options.push(spelling.close);
      start++;
    }
    while (start < to) {
      const character = characterAt(written[start] as string, end);
      let stop = start + 1;
      while (stop < to && (written[stop] as string).startsWith(character, end)) stop++;
      if (stop === start + 1 && written[start]?.length === end + character.length)
        lastCharacters.push(character);
      else options.push(branch(start, stop, end, depth + 1));
      start = stop;
    }
    if (lastCharacters.length > 0) options.push(sequence(characters(...lastCharacters), spelling.close));
    return sequence(shared, choice(...options));
  }
}

function isHighHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) as number);
}
