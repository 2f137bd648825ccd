// Rules as small networks: nodes with edges over byte ranges and calls of other rules, free of empty edges. Every call
// reads at least one byte; what may be empty is passed by. Compiled when first needed. Knows nothing of stacks or states.
import type { GrammarFacts } from "./analyse-grammar.ts";
import { compileBody } from "./compile-body.ts";
import type { Expression, Grammar } from "./grammar.ts";
import { createDraft } from "./network-draft.ts";
import { createNodeStore, type NodeStore } from "./node-store.ts";

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
  readonly nodes: NodeStore;
}

/** Networks for a grammar without left recursion. */
export function createNetworks(grammar: Grammar, facts: GrammarFacts): Networks {
  const callables: Callable[] = [];
  const compiled: (CompiledCallable | undefined)[] = [];
  const entries = new Map<Expression, number>();
  const ruleIds = new Map<string, number>();
  const repeatIds = new Map<Expression, Map<string, number>>();
  const store = createNodeStore();

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
      const entry = entryOf(body);
      const callees = store.calls[entry]!.filter((_, i) => i % 2 === 0);
      const unknown = callees.filter((callee) => compiled[callee] === undefined);
      for (const callee of unknown) open.push(callee);
      if (unknown.length > 0) continue;
      const highest = callees.reduce((most, callee) => Math.max(most, compiled[callee]!.height), -1);
      compiled[id] = { entry, height: highest + 1 };
    }
    return compiled[callable]!;
  }

  function entryOf(body: Expression): number {
    const known = entries.get(body);
    if (known !== undefined) return known;
    const draft = createDraft({ grammar, facts, ruleId, repeatId });
    const start = draft.node();
    const end = draft.node();
    draft.build(body, start, end);
    const entry = compileBody(draft, start, end, store);
    entries.set(body, entry);
    return entry;
  }

  return { callables, root: ruleId(grammar.root), compile, nodes: store };
}
