// Every JSON string but a few: the quoted texts that differ somewhere from each of the names, as one nested choice
// along the trie of the names. Far smaller work than complementing an automaton, and as exact.
import { complementRanges, literal, mergeRanges, repeat, sequence } from "../../gbnf-builder/build.ts";
import type { CharacterRange, Expression } from "../../gbnf-builder/grammar.ts";
import { allCodePoints } from "../languages/code-points.ts";
import { emitCharacters } from "../languages/emit-automaton.ts";
import type { EmitContext } from "../languages/emit-context.ts";
import { jsonSpelling } from "../languages/spelling.ts";

interface TrieNode {
  readonly next: Map<string, TrieNode>;
  isName: boolean;
}

interface Trie {
  readonly context: EmitContext;
  readonly rest: Expression;
  readonly key: string;
}

const quote = literal('"');
/** Characters other than some, by those; the same few sets come again and again. */
const otherCharacters = new Map<string, Expression>();
const rememberedSets = 2000;
/** Characters of a name that nest in one expression before a rule of its own goes on. */
const nestingLimit = 60;

/** JSON strings that are none of `names`; `limit` bounds the characters after the first that differs. */
export function emitOtherKeys(
  names: readonly string[],
  context: EmitContext,
  limit: number | undefined,
): Expression {
  const key = `other-key:${limit ?? ""}${JSON.stringify(names)}`;
  return context.rule(key, () => {
    const root: TrieNode = { next: new Map(), isName: false };
    for (const name of names) addName(root, name);
    const rest = context.rule(`any-rest:${limit ?? ""}`, () =>
      sequence(repeat(emitCharacters(allCodePoints, context, jsonSpelling), 0, limit), quote),
    );
    return sequence(quote, emitNode({ context, rest, key }, root, ""));
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
  const options: Expression[] = node.isName ? [] : [quote];
  for (const [character, next] of node.next) {
    const longer = path + character;
    const isDeep = longer.length % nestingLimit === 0;
    const tail = isDeep
      ? trie.context.rule(`${trie.key}#${longer}`, () => emitNode(trie, next, longer))
      : emitNode(trie, next, longer);
    options.push({ type: "sequence", items: [literal(jsonSpelling.text(character)), tail] });
  }
  const other =
    node.next.size === 0
      ? emitCharacters(allCodePoints, trie.context, jsonSpelling)
      : otherThan([...node.next.keys()]);
  options.push({ type: "sequence", items: [other, trie.rest] });
  return { type: "choice", options };
}

/** One character that is none of these, as JSON spells it. */
function otherThan(characters: readonly string[]): Expression {
  const key = characters.length < 2 ? (characters[0] ?? "") : [...characters].sort().join("");
  const known = otherCharacters.get(key);
  if (known !== undefined) return known;
  const points = characters.map(
    (text): CharacterRange => [text.codePointAt(0) ?? 0, text.codePointAt(0) ?? 0],
  );
  const expression = jsonSpelling.characters(complementRanges(mergeRanges(points)));
  if (otherCharacters.size < rememberedSets) otherCharacters.set(key, expression);
  return expression;
}
