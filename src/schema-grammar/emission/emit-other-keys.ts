// Every string but a few: the spelled texts that differ somewhere from each of the names, as one nested choice
// along the trie of the names. Far smaller work than complementing an automaton, and as exact.
import { complementRanges, literal, mergeRanges, repeat, sequence } from "../../gbnf-builder/build.ts";
import type { CharacterRange, Expression } from "../../gbnf-builder/grammar.ts";
import { allCodePoints } from "../languages/code-points.ts";
import { emitCharacters } from "../languages/emit-automaton.ts";
import type { EmitContext } from "../languages/emit-context.ts";
import type { Spelling } from "../languages/spelling.ts";

interface TrieNode {
  readonly next: Map<string, TrieNode>;
  isName: boolean;
}

interface Trie {
  readonly context: EmitContext;
  readonly spelling: Spelling;
  readonly rest: Expression;
  readonly key: string;
}

/** Characters other than some, by those; the same few sets come again and again. */
const otherCharacters = new Map<string, Expression>();
const rememberedSets = 2000;
/** Characters of a name that nest in one expression before a rule of its own goes on. */
const nestingLimit = 60;

/** Strings that are none of `names`, as they are spelled; `limit` bounds the characters after the first that differs. */
export function emitOtherKeys(
  names: readonly string[],
  context: EmitContext,
  { limit, spelling }: { readonly limit: number | undefined; readonly spelling: Spelling },
): Expression {
  const { open, close } = spelling;
  const key = `other-key:${spelling.name}${limit ?? ""}${JSON.stringify(names)}`;
  return context.rule(key, () => {
    const root: TrieNode = { next: new Map(), isName: false };
    for (const name of names) addName(root, name);
    const rest = context.rule(`any-rest:${spelling.name}${limit ?? ""}`, () =>
      sequence(repeat(emitCharacters(allCodePoints, context, spelling), 0, limit), close),
    );
    return sequence(open, emitNode({ context, spelling, rest, key }, root, ""));
  });
}

function addName(root: TrieNode, name: string): void {
  let node = root;
  for (const character of name) {
    let next = node.next.get(character);
    if (next === undefined) {
      next = { next: new Map(), isName: false };
      node.next.set(character, next);
    }
    node = next;
  }
  node.isName = true;
}

/** What may follow after the path. Made without the builder's normalising, which costs much here and finds nothing. */
function emitNode(trie: Trie, node: TrieNode, path: string): Expression {
  const { context, spelling } = trie;
  const options: Expression[] = node.isName ? [] : [spelling.close];
  for (const [character, next] of node.next) {
    const longer = path + character;
    const isDeep = longer.length % nestingLimit === 0;
    const tail = isDeep
      ? context.rule(`${trie.key}#${longer}`, () => emitNode(trie, next, longer))
      : emitNode(trie, next, longer);
    options.push({ type: "sequence", items: [literal(spelling.text(character)), tail] });
  }
  const other =
    node.next.size === 0
      ? emitCharacters(allCodePoints, context, spelling)
      : otherThan([...node.next.keys()], spelling);
  options.push({ type: "sequence", items: [other, trie.rest] });
  return { type: "choice", options };
}

/** One character that is none of these, as it is spelled. */
function otherThan(characters: readonly string[], spelling: Spelling): Expression {
  const key = `${spelling.name}:${characters.length < 2 ? (characters[0] ?? "") : [...characters].sort().join("")}`;
  const known = otherCharacters.get(key);
  if (known !== undefined) return known;
  const points = characters.map(
    (text): CharacterRange => [text.codePointAt(0) ?? 0, text.codePointAt(0) ?? 0],
  );
  const expression = spelling.characters(complementRanges(mergeRanges(points)));
  if (otherCharacters.size < rememberedSets) otherCharacters.set(key, expression);
  return expression;
}
