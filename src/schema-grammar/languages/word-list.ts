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
  const points = [...new Set(words)].sort().map(codePointsOf);
  const single = new Map<number, Ranges>();
  for (const word of points) for (const point of word) single.set(point, [[point, point]]);
  const alphabet = alphabetOf(single.values());
  const classes = new Map(
    [...single].map(([point, ranges]) => [point, classesOf(alphabet, ranges)[0] as number]),
  );
  const { size } = alphabet;
  const graph = shareEndings(points, Math.floor(cells / size));
  if (graph === undefined) return undefined;
  // The start was finished last and has to be state 0.
  const last = graph.length - 1;
  const next = new Int32Array(graph.length * size).fill(-1);
  for (const [i, { edges }] of graph.entries()) {
    for (const [point, target] of edges)
      next[(last - i) * size + (classes.get(point) as number)] = last - target;
  }
  const accepting = Uint16Array.from(graph, (_, i) => (graph[last - i]?.isEnd === true ? 1 : 0));
  return minimise({ alphabet, stateCount: graph.length, next, accepting });
}

interface WordNode {
  isEnd: boolean;
  readonly edges: [point: number, target: number][];
}

/**
 * The trie of sorted words with equal endings shared as soon as they are complete (Daciuk and others, "Incremental
 * construction of minimal acyclic finite-state automata", 2000). The start comes last; undefined beyond `most` nodes.
 */
function shareEndings(words: readonly (readonly number[])[], most: number): readonly WordNode[] | undefined {
  const nodes: WordNode[] = [];
  const known = new Map<string, number>();
  let path: WordNode[] = [{ isEnd: false, edges: [] }];
  let previous: readonly number[] = [];
  for (const word of words) {
    let shared = 0;
    while (shared < word.length && word[shared] === previous[shared]) shared++;
    finish(shared);
    for (let i = shared; i < word.length; i++) path.push({ isEnd: false, edges: [] });
    (path.at(-1) as WordNode).isEnd = true;
    previous = word;
    if (nodes.length + path.length > most) return undefined;
  }
  finish(0);
  nodes.push(path[0] as WordNode);
  return nodes;

  /** Completes the nodes of the path that are deeper than `depth`. */
  function finish(depth: number): void {
    for (let at = path.length - 1; at > depth; at--) {
      const node = path[at] as WordNode;
      const key = `${node.isEnd}${node.edges.join(";")}`;
      let number = known.get(key);
      if (number === undefined) {
        number = nodes.length;
        nodes.push(node);
        known.set(key, number);
      }
      path[at - 1]?.edges.push([previous[at - 1] as number, number]);
    }
    path = path.slice(0, depth + 1);
  }
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
