// Facts about a grammar that matcher and printer rest on: what can match at all, what can be empty, who calls whom
// first. Works on expressions as they are and changes nothing.
import type { Expression, Grammar } from "./grammar.ts";
import { GrammarError } from "./grammar-error.ts";

/** Facts about expressions of one grammar. */
export interface GrammarFacts {
  /** Rules reachable from the root; callees come before callers except along recursion. */
  readonly order: readonly string[];
  /** Some text matches. */
  isProductive(expression: Expression): boolean;
  /** The empty text matches. */
  isNullable(expression: Expression): boolean;
  /** Some text other than the empty one matches. */
  canBeNonEmpty(expression: Expression): boolean;
  /** Tells of a rule added later, known to match some text and never the empty one. */
  addNonEmptyRule(name: string): void;
}

const productive = 1;
const nullable = 2;
const nonEmpty = 4;

/** Analyses the rules reachable from the root by least fixed point. Throws `GrammarError` for undefined rules. */
export function analyseGrammar(grammar: Grammar): GrammarFacts {
  const order = orderRules(grammar);
  const ofRule = new Map<string, number>();
  const memo = new Map<Expression, number>();
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const name of order) {
      const facts = factsOf(grammar.rules.get(name)!, ofRule, undefined);
      if (facts === (ofRule.get(name) ?? 0)) continue;
      ofRule.set(name, facts);
      isStable = false;
    }
  }
  const has = (expression: Expression, fact: number): boolean =>
    (factsOf(expression, ofRule, memo) & fact) !== 0;
  return {
    order,
    isProductive: (expression) => has(expression, productive),
    isNullable: (expression) => has(expression, nullable),
    canBeNonEmpty: (expression) => has(expression, nonEmpty),
    addNonEmptyRule: (name) => void ofRule.set(name, productive | nonEmpty),
  };
}

/** Names of the rules that a text of the expression can begin with, looking past what may be empty. */
export function firstRules(
  expression: Expression,
  facts: GrammarFacts,
  found: Set<string> = new Set(),
): Set<string> {
  if (!facts.isProductive(expression)) return found;
  switch (expression.type) {
    case "literal":
    case "characters":
    case "token":
      break;
    case "sequence":
      for (const item of expression.items) {
        firstRules(item, facts, found);
        if (!facts.isNullable(item)) break;
      }
      break;
    case "choice":
      for (const option of expression.options) firstRules(option, facts, found);
      break;
    case "repeat":
      if (expression.max !== 0) firstRules(expression.item, facts, found);
      break;
    case "rule":
      found.add(expression.name);
      break;
    default:
      expression satisfies never;
  }
  return found;
}

/** Every rule name an expression mentions. */
export function mentionedRules(expression: Expression, found: Set<string> = new Set()): Set<string> {
  if (expression.type === "rule") found.add(expression.name);
  else if (expression.type === "repeat") mentionedRules(expression.item, found);
  else if (expression.type === "sequence") for (const item of expression.items) mentionedRules(item, found);
  else if (expression.type === "choice") for (const one of expression.options) mentionedRules(one, found);
  return found;
}

function orderRules(grammar: Grammar): string[] {
  const order: string[] = [];
  const seen = new Set([grammar.root]);
  const open = [{ name: grammar.root, callees: calleesOf(grammar.root, grammar) }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const callee = top.callees.pop();
    if (callee === undefined) {
      order.push(top.name);
      open.pop();
    } else if (!seen.has(callee)) {
      seen.add(callee);
      open.push({ name: callee, callees: calleesOf(callee, grammar) });
    }
  }
  return order;
}

function calleesOf(name: string, grammar: Grammar): string[] {
  const expression = grammar.rules.get(name);
  if (expression === undefined) throw new GrammarError(`Rule ${JSON.stringify(name)} is not defined`);
  return [...mentionedRules(expression)];
}

function factsOf(
  expression: Expression,
  ofRule: ReadonlyMap<string, number>,
  memo: Map<Expression, number> | undefined,
): number {
  switch (expression.type) {
    case "literal":
      return expression.text === "" ? productive | nullable : productive | nonEmpty;
    case "characters":
      return expression.ranges.length > 0 ? productive | nonEmpty : 0;
    case "token":
      return productive | nonEmpty;
    case "rule":
      return ofRule.get(expression.name) ?? 0;
  }
  const known = memo?.get(expression);
  if (known !== undefined) return known;
  const facts = factsOfCompound(expression, ofRule, memo);
  memo?.set(expression, facts);
  return facts;
}

function factsOfCompound(
  expression: Extract<Expression, { type: "sequence" | "choice" | "repeat" }>,
  ofRule: ReadonlyMap<string, number>,
  memo: Map<Expression, number> | undefined,
): number {
  let facts = 0;
  if (expression.type === "choice") {
    for (const option of expression.options) facts |= factsOf(option, ofRule, memo);
    return facts;
  }
  if (expression.type === "repeat") {
    facts = expression.max === 0 ? 0 : factsOf(expression.item, ofRule, memo);
    return expression.min === 0 ? facts | productive | nullable : facts;
  }
  facts = productive | nullable;
  for (const item of expression.items) {
    const one = factsOf(item, ofRule, memo);
    if ((one & productive) === 0) return 0;
    facts = (facts & (one | ~nullable)) | (one & nonEmpty);
  }
  return facts;
}
