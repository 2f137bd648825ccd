// Decides what is copied into the network that uses it and what becomes a call of its own: small rules without loops
// are copied, short repeats written out. A matter of speed only; the language is the same either way.
import type { Expression, Grammar } from "./grammar.ts";

const inlineLimit = 40;
const unrollLimit = 40;
const depthLimit = 30;

const sizes = new WeakMap<Grammar, Map<string, number>>();

/** Whether a rule is copied in place of a call of it. */
export function isInlined(call: Extract<Expression, { type: "rule" }>, grammar: Grammar): boolean {
  return sizeOf(call, grammar, 0) <= inlineLimit;
}

/** Whether up to `count` copies of an item are written out rather than counted. */
export function isUnrolled(item: Expression, count: number, grammar: Grammar): boolean {
  if (count <= 1) return true;
  return count <= unrollLimit && count * Math.min(flatSize(item, grammar), unrollLimit) <= unrollLimit;
}

// About how many nodes an expression takes when everything is copied; infinite with loops, counts or recursion.
function sizeOf(expression: Expression, grammar: Grammar, depth: number): number {
  switch (expression.type) {
    case "literal":
    case "token":
      return expression.text.length;
    case "characters":
      return (expression.ranges.at(-1)?.[1] ?? 0) < 0x80 ? 1 : 10;
    case "sequence":
      return sum(expression.items, grammar, depth);
    case "choice":
      return sum(expression.options, grammar, depth);
    case "repeat": {
      const { item, max } = expression;
      return max === undefined || max > inlineLimit
        ? Number.POSITIVE_INFINITY
        : max * sizeOf(item, grammar, depth);
    }
    case "rule":
      return sizeOfRule(expression.name, grammar, depth + 1);
    default:
      return expression satisfies never;
  }
}

function sum(expressions: readonly Expression[], grammar: Grammar, depth: number): number {
  let total = 0;
  for (const one of expressions) {
    total += sizeOf(one, grammar, depth);
    if (total > inlineLimit) return Number.POSITIVE_INFINITY;
  }
  return total;
}

function sizeOfRule(name: string, grammar: Grammar, depth: number): number {
  if (depth > depthLimit) return Number.POSITIVE_INFINITY;
  const known = sizes.get(grammar) ?? new Map<string, number>();
  sizes.set(grammar, known);
  const size = known.get(name);
  if (size !== undefined) return size;
  known.set(name, Number.POSITIVE_INFINITY);
  const found = sizeOf(grammar.rules.get(name)!, grammar, depth);
  known.set(name, found);
  return found;
}

// A call counts as one node here, because repeating it copies the call and not the rule.
function flatSize(expression: Expression, grammar: Grammar): number {
  switch (expression.type) {
    case "rule":
      return Math.max(1, isInlined(expression, grammar) ? sizeOf(expression, grammar, 0) : 1);
    case "sequence":
      return expression.items.reduce((total, one) => total + flatSize(one, grammar), 0);
    case "choice":
      return expression.options.reduce((total, one) => total + flatSize(one, grammar), 0);
    case "repeat":
      return flatSize(expression.item, grammar) * Math.max(1, expression.max ?? expression.min);
    default:
      return sizeOf(expression, grammar, 0);
  }
}
