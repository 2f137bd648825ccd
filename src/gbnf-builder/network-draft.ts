// A body's network in the making: an expression laid out as nodes and ways between them, some of which read nothing.
// Knows one body; what it calls are numbers to it.
import type { GrammarFacts } from "./analyse-grammar.ts";
import type { Expression, Grammar } from "./grammar.ts";
import { isInlined, isUnrolled } from "./network-size.ts";
import { specialTokenBytes } from "./special-token.ts";
import { utf8Sequences } from "./utf8-ranges.ts";

/** What a draft needs to know of the grammar around one body. */
export interface DraftContext {
  readonly grammar: Grammar;
  readonly facts: GrammarFacts;
  ruleId(name: string): number;
  repeatId(body: Expression, min: number, max: number): number;
}

export interface Draft {
  node(): number;
  /** Adds the ways from one node to another. Nothing is ever added into `from` or out of `to`. */
  build(expression: Expression, from: number, to: number): void;
  /** The nodes reached from one without reading, itself included. */
  passed(node: number): readonly number[];
  /** The node that stands for one from which all ways lead on from a single other. */
  settled(node: number): number;
  /** Byte edges of a node, flat: from, to, target. */
  edges(node: number): readonly number[];
  /** Calls of a node, flat: callable, node to go on from. */
  calls(node: number): readonly number[];
}

const encoder = new TextEncoder();
const none: readonly number[] = [];

/** An empty draft. */
export function createDraft({ grammar, facts, ruleId, repeatId }: DraftContext): Draft {
  // Most nodes have ways of one kind only, so lists are made when first written to.
  const empty: (number[] | undefined)[] = [];
  const edges: (number[] | undefined)[] = [];
  const calls: (number[] | undefined)[] = [];

  function node(): number {
    return edges.push(undefined) - 1;
  }

  function addEmpty(from: number, to: number): void {
    const known = empty[from];
    if (known === undefined) empty[from] = [to];
    else known.push(to);
  }

  function addEdge(from: number, low: number, high: number, to: number): void {
    const known = edges[from];
    if (known === undefined) edges[from] = [low, high, to];
    else known.push(low, high, to);
  }

  function addCall(from: number, callable: number, to: number): void {
    const known = calls[from];
    if (known === undefined) calls[from] = [callable, to];
    else known.push(callable, to);
  }

  function build(expression: Expression, from: number, to: number): void {
    if (!facts.isProductive(expression)) return;
    switch (expression.type) {
      case "literal":
        buildBytes(encoder.encode(expression.text), from, to);
        break;
      case "token":
        buildBytes(specialTokenBytes(expression.text), from, to);
        break;
      case "characters":
        buildCharacters(expression, from, to);
        break;
      case "sequence":
        buildSequence(expression.items, from, to);
        break;
      case "choice":
        buildChoice(expression.options, from, to);
        break;
      case "repeat":
        buildRepeat(expression, from, to);
        break;
      case "rule":
        buildRule(expression, from, to);
        break;
      default:
        expression satisfies never;
    }
  }

  function buildBytes(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    for (const [i, byte] of bytes.entries()) {
      const next = i === bytes.length - 1 ? to : node();
      addEdge(at, byte, byte, next);
      at = next;
    }
    if (bytes.length === 0) addEmpty(from, to);
  }

  function buildCharacters(
    { ranges }: Extract<Expression, { type: "characters" }>,
    from: number,
    to: number,
  ): void {
    const shared = new Map<string, number>();
    for (const bytes of utf8Sequences(ranges)) {
      let target = to;
      let key = "";
      for (let i = bytes.length - 1; i > 0; i--) {
        const [low, high] = bytes[i]!;
        key = `${low}-${high} ${key}`;
        const before = shared.get(key) ?? node();
        if (!shared.has(key)) addEdge(before, low, high, target);
        shared.set(key, before);
        target = before;
      }
      addEdge(from, bytes[0]![0], bytes[0]![1], target);
    }
  }

  function buildSequence(items: readonly Expression[], from: number, to: number): void {
    let at = from;
    for (const [i, item] of items.entries()) {
      const next = i === items.length - 1 ? to : node();
      build(item, at, next);
      at = next;
    }
    if (items.length === 0) addEmpty(from, to);
  }

  // Options that begin with text share their common beginnings, so that long lists of words stay narrow.
  function buildChoice(options: readonly Expression[], from: number, to: number): void {
    const children = new Map<number, number>();
    for (const option of options) {
      const first = option.type === "sequence" ? option.items[0] : option;
      if (first?.type !== "literal" || first.text === "") build(option, from, to);
      else if (facts.isProductive(option)) {
        const end = followBytes(children, encoder.encode(first.text), from);
        if (option.type === "sequence") buildSequence(option.items.slice(1), end, to);
        else addEmpty(end, to);
      }
    }
  }

  function followBytes(children: Map<number, number>, bytes: Uint8Array, from: number): number {
    let at = from;
    for (const byte of bytes) {
      const key = at * 256 + byte;
      let next = children.get(key);
      if (next === undefined) {
        next = node();
        children.set(key, next);
        addEdge(at, byte, byte, next);
      }
      at = next;
    }
    return at;
  }

  function buildRepeat(expression: Extract<Expression, { type: "repeat" }>, from: number, to: number): void {
    const { item, min, max } = expression;
    if (min === 0 || facts.isNullable(item)) addEmpty(from, to);
    if (max === 0 || !facts.canBeNonEmpty(item)) return;
    const least = facts.isNullable(item) ? 0 : min;
    if (isUnrolled(item, max ?? least, grammar)) buildUnrolled(item, least, max, from, to);
    else if (max !== undefined) addCall(from, repeatId(item, least, max), to);
    else {
      const loop = node();
      addCall(from, repeatId(item, least, least), loop);
      buildLoop(item, loop, to);
    }
  }

  function buildUnrolled(
    item: Expression,
    min: number,
    max: number | undefined,
    from: number,
    to: number,
  ): void {
    let at = from;
    for (let i = 0; i < (max ?? min); i++) {
      const next = node();
      build(item, at, next);
      at = next;
      if (i + 1 >= min && max !== undefined) addEmpty(at, to);
    }
    if (max === undefined) buildLoop(item, at, to);
  }

  function buildLoop(item: Expression, from: number, to: number): void {
    const loop = node();
    const after = node();
    addEmpty(from, loop);
    build(item, loop, after);
    addEmpty(after, loop);
    addEmpty(loop, to);
  }

  function buildRule(expression: Extract<Expression, { type: "rule" }>, from: number, to: number): void {
    const body = grammar.rules.get(expression.name)!;
    if (isInlined(expression, grammar)) build(body, from, to);
    else {
      if (facts.isNullable(expression)) addEmpty(from, to);
      if (facts.canBeNonEmpty(expression)) addCall(from, ruleId(expression.name), to);
    }
  }

  function passed(start: number): readonly number[] {
    const reached = [start];
    if (empty[start] === undefined) return reached;
    const seen = new Set(reached);
    for (const at of reached) {
      for (const next of empty[at] ?? none) {
        if (seen.has(next)) continue;
        seen.add(next);
        reached.push(next);
      }
    }
    return reached;
  }

  function settled(start: number): number {
    let at = start;
    for (let next = onlyNext(at); next !== undefined; next = onlyNext(at)) at = next;
    return at;
  }

  // A loop always has a second way, so that following only ways ends.
  function onlyNext(at: number): number | undefined {
    const ways = empty[at];
    const isAlone = ways?.length === 1 && edges[at] === undefined && calls[at] === undefined;
    return isAlone ? ways[0] : undefined;
  }

  return {
    node,
    build,
    passed,
    settled,
    edges: (at) => edges[at] ?? none,
    calls: (at) => calls[at] ?? none,
  };
}
