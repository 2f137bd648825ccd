// Rules as small networks: nodes with edges over byte ranges and calls of other rules, free of empty edges. Every call
// reads at least one byte; what may be empty is passed by. Compiled when first needed. Knows nothing of stacks or states.
import type { GrammarFacts } from "./analyse-grammar.ts";
import type { Expression, Grammar } from "./grammar.ts";
import { createDraft } from "./network-draft.ts";

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
  const none: readonly number[] = [];
  const edges: (readonly number[])[] = [none];
  const calls: (readonly number[])[] = [none];
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
    const number = (target: number): number => {
      const drafted = draft.settled(target);
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
      const ways: number[] = [];
      const called: number[] = [];
      for (const one of reached) {
        const from = draft.edges(one);
        for (let i = 0; i < from.length; i += 3) ways.push(from[i]!, from[i + 1]!, number(from[i + 2]!));
        const calling = draft.calls(one);
        for (let i = 0; i < calling.length; i += 2) called.push(calling[i]!, number(calling[i + 1]!));
      }
      if (ways.length > 0) edges[node] = ways;
      if (called.length > 0) calls[node] = called;
      isFinal[node] = mayEnd && reached.includes(end);
      isEnd[node] = isFinal[node]! && ways.length === 0 && called.length === 0;
    }
  }

  function newNode(): number {
    calls.push(none);
    isFinal.push(false);
    isEnd.push(false);
    return edges.push(none) - 1;
  }

  return { callables, root: ruleId(grammar.root), compile, edges, calls, isFinal, isEnd };
}
