// Rules as small networks: nodes with edges over byte ranges and calls of other rules, free of empty edges. Every call
// reads at least one byte; what may be empty is passed by. Compiled when first needed. Knows nothing of stacks or states.
import type { GrammarFacts } from "./analyse-grammar.ts";
import type { Expression, Grammar } from "./grammar.ts";
import { isInlined, isUnrolled } from "./network-size.ts";
import { specialTokenBytes } from "./special-token.ts";
import { utf8Sequences } from "./utf8-ranges.ts";

/** Something a node can call: the non-empty texts of a rule, or of a counted repeat (then with counts). */
export interface Callable {
  readonly body: Expression;
  /** Zero for a plain rule. */
  readonly min: number;
  /** How often the body may be read; zero for a plain rule. */
  readonly max: number;
}

/** A compiled body. */
export interface CompiledCallable {
  readonly entry: number;
  /** More than the height of whatever the entry calls, so that callers can be handled before whom they call. */
  readonly height: number;
}

export interface Networks {
  readonly callables: readonly Callable[];
  readonly root: number;
  compile(callable: number): CompiledCallable;
  /** Byte edges of a node, flat: from, to, target. */
  readonly edges: readonly (readonly number[])[];
  /** Calls of a node, flat: callable, node to go on from. */
  readonly calls: readonly (readonly number[])[];
  readonly isFinal: readonly boolean[];
  /** The node has no way on but to end its body. */
  readonly isEnd: readonly boolean[];
}

/** Networks for a grammar without left recursion. Node 0 is never used. */
export function createNetworks(grammar: Grammar, facts: GrammarFacts): Networks {
  const callables: Callable[] = [];
  const compiled: (CompiledCallable | undefined)[] = [];
  const entries = new Map<Expression, number>();
  const ruleIds = new Map<string, number>();
  const repeatIds = new Map<Expression, Map<string, number>>();
  const edges: number[][] = [[]];
  const calls: number[][] = [[]];
  const isFinal: boolean[] = [false];
  const isEnd: boolean[] = [false];

  function ruleId(name: string): number {
    return ruleIds.get(name) ?? remember(ruleIds, name, { body: grammar.rules.get(name)!, min: 0, max: 0 });
  }

  function repeatId(body: Expression, min: number, max: number): number {
    const ofBody = repeatIds.get(body) ?? new Map<string, number>();
    repeatIds.set(body, ofBody);
    const key = `${min},${max}`;
    return ofBody.get(key) ?? remember(ofBody, key, { body, min, max });
  }

  function remember<Key>(ids: Map<Key, number>, key: Key, callable: Callable): number {
    ids.set(key, callables.length);
    return callables.push(callable) - 1;
  }

  // Heights need those of the callees first; a stack of our own, because chains of rules can be long.
  function compile(callable: number): CompiledCallable {
    const open = [callable];
    for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
      if (compiled[id] !== undefined) {
        open.pop();
        continue;
      }
      const { body } = callables[id]!;
      const entry = entries.get(body) ?? compileBody(body);
      entries.set(body, entry);
      const callees = calls[entry]!.filter((_, i) => i % 2 === 0);
      const unknown = callees.filter((callee) => compiled[callee] === undefined);
      if (unknown.length > 0) open.push(...unknown);
      else compiled[id] = { entry, height: 1 + Math.max(-1, ...callees.map((one) => compiled[one]!.height)) };
    }
    return compiled[callable]!;
  }

  function compileBody(body: Expression): number {
    const draft = createDraft({ grammar, facts, ruleId, repeatId });
    const start = draft.node();
    const end = draft.node();
    draft.build(body, start, end);
    const numbers = new Map<number, number>();
    const waiting: number[] = [];
    const number = (drafted: number): number => {
      const known = numbers.get(drafted);
      if (known !== undefined) return known;
      const node = newNode();
      numbers.set(drafted, node);
      waiting.push(drafted);
      return node;
    };
    const entry = newNode();
    fillNode(entry, start, false);
    for (let drafted = waiting.pop(); drafted !== undefined; drafted = waiting.pop())
      fillNode(numbers.get(drafted)!, drafted, true);
    return entry;

    function fillNode(node: number, drafted: number, mayEnd: boolean): void {
      const reached = draft.passed(drafted);
      for (const one of reached) {
        const from = draft.edges[one]!;
        for (let i = 0; i < from.length; i += 3)
          edges[node]!.push(from[i]!, from[i + 1]!, number(from[i + 2]!));
        const called = draft.calls[one]!;
        for (let i = 0; i < called.length; i += 2) calls[node]!.push(called[i]!, number(called[i + 1]!));
      }
      isFinal[node] = mayEnd && reached.includes(end);
      isEnd[node] = isFinal[node]! && edges[node]!.length === 0 && calls[node]!.length === 0;
    }
  }

  function newNode(): number {
    calls.push([]);
    isFinal.push(false);
    isEnd.push(false);
    return edges.push([]) - 1;
  }

  return { callables, root: ruleId(grammar.root), compile, edges, calls, isFinal, isEnd };
}

interface DraftContext {
  readonly grammar: Grammar;
  readonly facts: GrammarFacts;
  ruleId(name: string): number;
  repeatId(body: Expression, min: number, max: number): number;
}

interface Draft {
  node(): number;
  /** Adds the ways from one node to another. Nothing is ever added into `from` or out of `to`. */
  build(expression: Expression, from: number, to: number): void;
  /** The nodes reached from one without reading, itself included. */
  passed(node: number): number[];
  readonly edges: number[][];
  readonly calls: number[][];
}

const encoder = new TextEncoder();

function createDraft({ grammar, facts, ruleId, repeatId }: DraftContext): Draft {
  const empty: number[][] = [];
  const edges: number[][] = [];
  const calls: number[][] = [];

  function node(): number {
    edges.push([]);
    calls.push([]);
    return empty.push([]) - 1;
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
      edges[at]!.push(byte, byte, next);
      at = next;
    }
    if (bytes.length === 0) empty[from]!.push(to);
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
        if (!shared.has(key)) edges[before]!.push(low, high, target);
        shared.set(key, before);
        target = before;
      }
      edges[from]!.push(bytes[0]![0], bytes[0]![1], target);
    }
  }

  function buildSequence(items: readonly Expression[], from: number, to: number): void {
    let at = from;
    for (const [i, item] of items.entries()) {
      const next = i === items.length - 1 ? to : node();
      build(item, at, next);
      at = next;
    }
    if (items.length === 0) empty[from]!.push(to);
  }

  // Options that begin with text share their common beginnings, so that long lists of words stay narrow.
  function buildChoice(options: readonly Expression[], from: number, to: number): void {
    const children = new Map<number, Map<number, number>>();
    for (const option of options) {
      const first = option.type === "sequence" ? option.items[0] : option;
      if (first?.type !== "literal" || first.text === "") build(option, from, to);
      else if (facts.isProductive(option)) {
        const end = followBytes(children, encoder.encode(first.text), from);
        if (option.type === "sequence") buildSequence(option.items.slice(1), end, to);
        else empty[end]!.push(to);
      }
    }
  }

  function followBytes(children: Map<number, Map<number, number>>, bytes: Uint8Array, from: number): number {
    let at = from;
    for (const byte of bytes) {
      const known = children.get(at) ?? new Map<number, number>();
      children.set(at, known);
      let next = known.get(byte);
      if (next === undefined) {
        next = node();
        known.set(byte, next);
        edges[at]!.push(byte, byte, next);
      }
      at = next;
    }
    return at;
  }

  function buildRepeat(expression: Extract<Expression, { type: "repeat" }>, from: number, to: number): void {
    const { item, min, max } = expression;
    if (min === 0 || facts.isNullable(item)) empty[from]!.push(to);
    if (max === 0 || !facts.canBeNonEmpty(item)) return;
    const least = facts.isNullable(item) ? 0 : min;
    if (isUnrolled(item, max ?? least, grammar)) buildUnrolled(item, least, max, from, to);
    else if (max !== undefined) calls[from]!.push(repeatId(item, least, max), to);
    else {
      const loop = node();
      calls[from]!.push(repeatId(item, least, least), loop);
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
      if (i + 1 >= min && max !== undefined) empty[at]!.push(to);
    }
    if (max === undefined) buildLoop(item, at, to);
  }

  function buildLoop(item: Expression, from: number, to: number): void {
    const loop = node();
    const after = node();
    empty[from]!.push(loop);
    build(item, loop, after);
    empty[after]!.push(loop);
    empty[loop]!.push(to);
  }

  function buildRule(expression: Extract<Expression, { type: "rule" }>, from: number, to: number): void {
    const body = grammar.rules.get(expression.name)!;
    if (isInlined(expression, grammar)) build(body, from, to);
    else {
      if (facts.isNullable(expression)) empty[from]!.push(to);
      if (facts.canBeNonEmpty(expression)) calls[from]!.push(ruleId(expression.name), to);
    }
  }

  function passed(start: number): number[] {
    const reached = [start];
    const seen = new Set(reached);
    for (const at of reached) {
      for (const next of empty[at]!) {
        if (seen.has(next)) continue;
        seen.add(next);
        reached.push(next);
      }
    }
    return reached;
  }

  return { node, build, passed, edges, calls };
}
