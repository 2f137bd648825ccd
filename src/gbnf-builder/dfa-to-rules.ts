// A finite automaton over code points as right-linear rules: one rule per state that needs one. Rules so made end in a
// call or in nothing, so a matcher reads them without a stack.
import { characters, choice, emptyText, rule, sequence } from "./build.ts";
import type { Dfa } from "./dfa.ts";
import type { CharacterRange, Expression } from "./grammar.ts";
import { GrammarError } from "./grammar-error.ts";

export interface DfaRules {
  /** What the automaton accepts, from its start. */
  readonly expression: Expression;
  /** The rules that the expression refers to, all named `prefix` and a number. */
  readonly rules: ReadonlyMap<string, Expression>;
}

/**
 * The language of an automaton. States that only one edge leads to are written where that edge is, others become rules
 * and are shared. States from which nothing can be accepted are left out.
 */
export function dfaToRules(dfa: Dfa, prefix: string): DfaRules {
  const isUseful = findUseful(dfa);
  const entries = countEntries(dfa, isUseful);
  const rules = new Map<string, Expression>();
  const names = new Map<number, string>();
  const waiting: number[] = [];

  function expressionOf(state: number, depth: number): Expression {
    const { accepting, edges } = dfa.states[state]!;
    const options: Expression[] = accepting ? [emptyText] : [];
    for (const [target, ranges] of groupByTarget(edges, isUseful))
      options.push(sequence(characters(...ranges), targetExpression(target, depth)));
    return choice(...options);
  }

  function targetExpression(target: number, depth: number): Expression {
    const isLast = isFinished(dfa, target, isUseful);
    if (isLast) return emptyText;
    const isInlined = entries[target] === 1 && target !== 0 && depth < deepestNesting;
    return isInlined ? expressionOf(target, depth + 1) : rule(nameOf(target));
  }

  function nameOf(state: number): string {
    const known = names.get(state);
    if (known !== undefined) return known;
    const name = `${prefix}${names.size + 1}`;
    names.set(state, name);
    waiting.push(state);
    return name;
  }

  if (dfa.states.length === 0) throw new GrammarError("An automaton needs a start state");
  const expression = expressionOf(0, 0);
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop())
    rules.set(nameOf(state), expressionOf(state, 0));
  return { expression, rules };
}

const deepestNesting = 40;

function groupByTarget(
  edges: Dfa["states"][number]["edges"],
  isUseful: readonly boolean[],
): Map<number, CharacterRange[]> {
  const groups = new Map<number, CharacterRange[]>();
  for (const { range, target } of edges) {
    if (!isUseful[target]) continue;
    const ranges = groups.get(target);
    if (ranges === undefined) groups.set(target, [range]);
    else ranges.push(range);
  }
  return groups;
}

/** Whether a state accepts and nothing can follow it. */
function isFinished(dfa: Dfa, state: number, isUseful: readonly boolean[]): boolean {
  const { accepting, edges } = dfa.states[state]!;
  return accepting && !edges.some(({ target }) => isUseful[target]);
}

/** States from which an accepting one can be reached. */
function findUseful(dfa: Dfa): boolean[] {
  const sources: number[][] = dfa.states.map(() => []);
  for (const [state, { edges }] of dfa.states.entries())
    for (const { target } of edges) sources[target]?.push(state);
  const isUseful = dfa.states.map(({ accepting }) => accepting);
  const waiting = dfa.states.flatMap(({ accepting }, state) => (accepting ? [state] : []));
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const source of sources[state]!) {
      if (isUseful[source]) continue;
      isUseful[source] = true;
      waiting.push(source);
    }
  }
  return isUseful;
}

/** From how many states an edge leads to each; the start counts as one more. */
function countEntries(dfa: Dfa, isUseful: readonly boolean[]): number[] {
  const entries = dfa.states.map((_, state) => (state === 0 ? 1 : 0));
  for (const { edges } of dfa.states)
    for (const target of groupByTarget(edges, isUseful).keys()) entries[target]! += 1;
  return entries;
}
