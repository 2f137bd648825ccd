// Rewrites counted repeats so that llama.cpp's parser reads every one exactly: it refuses or silently unbounds counts
// of 2,000 and more, also where nested counts multiply to that. Long counts become blocks, held by rules of their own.
import { choice, repeat, sequence } from "./build.ts";
import type { Expression } from "./grammar.ts";

type Repeat = Extract<Expression, { type: "repeat" }>;

const countLimit = 2_000;
const groupLimit = 100;
const smallestBlock = 100;
const longestChain = 1_000_000;

/** Adds a rule and gives a reference to it. */
export type DefineRule = (expression: Expression, purpose: string) => Expression;

/** Rewrites expressions of one grammar; equal blocks share their rules. */
export function createRepeatBounds(define: DefineRule): (expression: Expression) => Expression {
  const shared = new Map<string, Expression>();

  function bound(expression: Expression): Expression {
    switch (expression.type) {
      case "literal":
      case "characters":
      case "token":
      case "rule":
        return expression;
      case "sequence":
        return sequence(...expression.items.map(bound));
      case "choice":
        return choice(...expression.options.map(bound));
      case "repeat":
        return boundRepeat(expression);
      default:
        return expression satisfies never;
    }
  }

  function boundRepeat({ item: raw, min, max }: Repeat): Expression {
    const count = max ?? min;
    const inner = bound(raw);
    const item = count >= 2 && needsName(inner, count) ? share(inner, "item") : inner;
    if (count < countLimit) return repeat(item, min, max);
    const head = exactly(item, min);
    if (max === undefined) return sequence(head, repeat(item, 0));
    return sequence(head, upTo(item, max - min));
  }

  function exactly(item: Expression, count: number): Expression {
    if (count < countLimit) return repeat(item, count, count);
    const size = blockSize(count);
    const block = share(repeat(item, size, size), `x${size}`);
    const rest = count % size;
    return sequence(exactly(block, Math.floor(count / size)), repeat(item, rest, rest));
  }

  // upTo(n) is a block and then upTo(n - block), or less than a block: few alternatives are ever alive at once.
  function upTo(item: Expression, count: number): Expression {
    if (count < countLimit) return repeat(item, 0, count);
    if (count > longestChain) return upToVeryMany(item, count);
    const size = blockSize(count);
    const block = share(repeat(item, size, size), `x${size}`);
    const less = share(repeat(item, 0, size - 1), `upto${size - 1}`);
    let rest = repeat(item, 0, count % size);
    for (let left = (count % size) + size; left <= count; left += size)
      rest = share(choice(sequence(block, rest), less), `upto${left}`);
    return rest;
  }

  function upToVeryMany(item: Expression, count: number): Expression {
    const size = 1_000;
    const block = share(repeat(item, size, size), `x${size}`);
    const less = share(repeat(item, 0, size - 1), `upto${size - 1}`);
    const blocks = Math.floor(count / size);
    return choice(
      sequence(exactly(block, blocks), repeat(item, 0, count % size)),
      sequence(upTo(block, blocks - 1), less),
    );
  }

  function share(expression: Expression, purpose: string): Expression {
    if (expression.type === "rule") return expression;
    const key = JSON.stringify(expression);
    const known = shared.get(key) ?? define(expression, purpose);
    shared.set(key, known);
    return known;
  }

  return bound;
}

function blockSize(count: number): number {
  return Math.max(smallestBlock, Math.ceil(Math.sqrt(count)));
}

// The parser counts the rules that a group in brackets made for itself; a name keeps them out of the product.
function needsName(item: Expression, count: number): boolean {
  if (item.type === "sequence") return count >= groupLimit || item.items.some(isGroup);
  if (item.type === "choice") return count >= groupLimit || item.options.some(hasGroup);
  return item.type === "repeat";
}

function hasGroup(expression: Expression): boolean {
  return expression.type === "sequence" ? expression.items.some(isGroup) : isGroup(expression);
}

function isGroup({ type }: Expression): boolean {
  return type === "sequence" || type === "choice" || type === "repeat";
}
