// Rewrites rules that can begin with themselves (at once, through others, or behind something empty) so that none
// does, by the left-corner transform. Other rules stay as they are. Matcher and printer both start from the result.
import { analyseGrammar, firstRules, type GrammarFacts } from "./analyse-grammar.ts";
import { choice, emptyText, isEmptyText, nothing, repeat, rule, sequence } from "./build.ts";
import type { Expression, Grammar } from "./grammar.ts";
import { createNonEmptyRules, type NonEmptyRules } from "./non-empty.ts";

/** A grammar and what is known about it. */
export interface AnalysedGrammar {
  readonly grammar: Grammar;
  readonly facts: GrammarFacts;
}

/** The same language without left recursion; the grammar itself when it has none. */
export function removeLeftRecursion(grammar: Grammar): AnalysedGrammar {
  const facts = analyseGrammar(grammar);
  const cycles = findCycles(grammar, facts);
  if (cycles.length === 0) return { grammar, facts };
  const rules = new Map<string, Expression>();
  for (const name of facts.order) rules.set(name, grammar.rules.get(name)!);
  const twins = createNonEmptyRules(facts, (name) => rules.has(name));
  const changed = new Map<string, Expression>();
  for (const cycle of cycles) transformCycle({ cycle, rules, facts, twins, changed });
  for (let asked = twins.takeRequested(); asked.length > 0; asked = twins.takeRequested()) {
    for (const [name, twin] of asked)
      if (!changed.has(twin)) changed.set(twin, twins.nonEmpty(rules.get(name)!));
  }
  for (const [name, expression] of changed) rules.set(name, expression);
  const changedGrammar = { root: grammar.root, rules };
  return { grammar: changedGrammar, facts: analyseGrammar(changedGrammar) };
}

interface CycleWork {
  readonly cycle: ReadonlySet<string>;
  readonly rules: Map<string, Expression>;
  readonly facts: GrammarFacts;
  readonly twins: NonEmptyRules;
  readonly changed: Map<string, Expression>;
}

/** A way a text can begin: with a rule of the cycle (`call`) or with something outside it (`head`), then `rest`. */
type Beginning =
  | { readonly call: string; readonly rest: Expression }
  | { readonly head: Expression; readonly rest: Expression };

// For a wanted rule W: W = every outside head of a rule X of the cycle, its rest, then tail(X, W); and
// tail(X, W) = for every rule Y that begins with X: the rest after X, then tail(Y, W); and nothing more when X is W.
// Rests that may be empty are followed at once, so that every tail begins with text.
function transformCycle(work: CycleWork): void {
  const { cycle, rules, facts, twins, changed } = work;
  const members = [...cycle];
  const beginnings = new Map(members.map((name) => [name, beginningsOf(rules.get(name)!, work)]));
  const above = risesWithoutText(members, beginnings, facts);
  const tailName = (from: string, wanted: string): string => freshName(`${from}^${wanted}`, rules);
  const tail = (from: string, wanted: string): Expression => rule(tailName(from, wanted));
  for (const wanted of members) {
    const starts: Expression[] = [];
    for (const from of members) {
      for (const one of beginnings.get(from)!)
        if ("head" in one) starts.push(sequence(one.head, one.rest, tail(from, wanted)));
      const reached = above.get(from)!;
      const goingOn: Expression[] = reached.has(wanted) ? [emptyText] : [];
      for (const to of members) {
        for (const one of beginnings.get(to)!) {
          if (!("call" in one) || !reached.has(one.call)) continue;
          const rest = twins.nonEmpty(one.rest);
          if (rest !== nothing) goingOn.push(sequence(rest, tail(to, wanted)));
        }
      }
      changed.set(tailName(from, wanted), choice(...goingOn));
    }
    const own = twins.nameOf(wanted);
    changed.set(own, choice(...starts));
    if (own !== wanted) changed.set(wanted, choice(emptyText, rule(own)));
  }
}

function beginningsOf(expression: Expression, work: CycleWork): Beginning[] {
  const { cycle, facts, twins } = work;
  if (!facts.canBeNonEmpty(expression)) return [];
  const isOutside = [...firstRules(expression, facts)].every((name) => !cycle.has(name));
  if (isOutside) return [{ head: twins.nonEmpty(expression), rest: emptyText }];
  switch (expression.type) {
    case "sequence": {
      const found: Beginning[] = [];
      for (const [i, item] of expression.items.entries()) {
        const after = sequence(...expression.items.slice(i + 1));
        for (const one of beginningsOf(item, work)) found.push({ ...one, rest: sequence(one.rest, after) });
        if (!facts.isNullable(item)) break;
      }
      return found;
    }
    case "choice":
      return expression.options.flatMap((option) => beginningsOf(option, work));
    case "repeat": {
      const { item, min, max } = expression;
      const least = facts.isNullable(item) ? 0 : Math.max(0, min - 1);
      const again = repeat(item, least, max === undefined ? undefined : max - 1);
      return beginningsOf(item, work).map((one) => ({ ...one, rest: sequence(one.rest, again) }));
    }
    case "rule":
      return [{ call: expression.name, rest: emptyText }];
    default:
      return [];
  }
}

/** For each rule, itself and the rules that a text of it already is a text of, because all after it may be empty. */
function risesWithoutText(
  members: readonly string[],
  beginnings: ReadonlyMap<string, readonly Beginning[]>,
  facts: GrammarFacts,
): Map<string, Set<string>> {
  const above = new Map(members.map((name) => [name, new Set([name])]));
  for (const reached of above.values()) {
    for (const from of reached) {
      for (const to of members) {
        const rises = beginnings
          .get(to)!
          .some(
            (one) =>
              "call" in one && one.call === from && (isEmptyText(one.rest) || facts.isNullable(one.rest)),
          );
        if (rises) reached.add(to);
      }
    }
  }
  return above;
}

function freshName(wanted: string, rules: ReadonlyMap<string, Expression>): string {
  let name = wanted;
  while (rules.has(name)) name += "^";
  return name;
}

/** Groups of rules that can begin with one another: strongly connected parts of the first-call graph, by Tarjan. */
function findCycles(grammar: Grammar, facts: GrammarFacts): Set<string>[] {
  const cycles: Set<string>[] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const calls = (name: string): string[] => [...firstRules(grammar.rules.get(name)!, facts)];
  for (const start of facts.order) {
    if (index.has(start)) continue;
    const open: { name: string; calls: string[]; isDirect: boolean }[] = [];
    const enter = (name: string): void => {
      index.set(name, index.size);
      low.set(name, index.get(name)!);
      stack.push(name);
      onStack.add(name);
      const callees = calls(name);
      open.push({ name, calls: callees, isDirect: callees.includes(name) });
    };
    enter(start);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const callee = top.calls.pop();
      if (callee !== undefined) {
        if (!index.has(callee)) enter(callee);
        else if (onStack.has(callee)) low.set(top.name, Math.min(low.get(top.name)!, index.get(callee)!));
        continue;
      }
      open.pop();
      const parent = open.at(-1);
      if (parent !== undefined) low.set(parent.name, Math.min(low.get(parent.name)!, low.get(top.name)!));
      if (low.get(top.name) !== index.get(top.name)) continue;
      const members = new Set<string>();
      for (let popped = ""; popped !== top.name; ) {
        popped = stack.pop()!;
        onStack.delete(popped);
        members.add(popped);
      }
      if (members.size > 1 || top.isDirect) cycles.push(members);
    }
  }
  return cycles;
}
