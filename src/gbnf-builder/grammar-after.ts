// The grammar of what may follow a text that has been read already (Brzozowski's derivative, by code points), for engines
// that take a grammar only from its start. Knows nothing of the matcher, which follows states instead.
import { choice, emptyText, literal, nothing, repeat, sequence } from "./build.ts";
import type { Expression, Grammar } from "./grammar.ts";
import { GrammarError } from "./grammar-error.ts";
import { removeLeftRecursion } from "./remove-left-recursion.ts";

/** Different expressions that may be met on the way: a grammar of calls meets some hundreds. */
const mostExpressions = 100_000;

/**
 * The grammar of all texts that, put behind `text`, the given grammar allows. Undefined where it allows no text that
 * begins so. Special tokens are never part of `text`. Throws `GrammarError` for a grammar so ambiguous that the answer
 * would be beyond all measure.
 */
export function grammarAfter(source: Grammar, text: string): Grammar | undefined {
  const { grammar, facts } = removeLeftRecursion(source);
  const share = createSharing();
  let rest: Expression = grammar.rules.get(grammar.root) ?? nothing;
  if (text === "") return facts.isProductive(rest) ? source : undefined;
  let done = new Map<Expression, Expression>();
  for (const character of text) {
    done = new Map();
    rest = after(share(rest), character);
    if (!facts.isProductive(rest)) return undefined;
  }
  let root = `${grammar.root}-rest`;
  while (grammar.rules.has(root)) root += "-";
  return { root, rules: new Map([[root, rest], ...grammar.rules]) };

  function after(expression: Expression, character: string): Expression {
    const known = done.get(expression);
    if (known !== undefined) return known;
    // Rules that match no text keep their left recursion. Without it this ends: a rule is entered only where none of the
    // text has been read before it.
    const found = facts.isProductive(expression) ? share(afterAny(expression, character)) : nothing;
    done.set(expression, found);
    return found;
  }

  function afterAny(expression: Expression, character: string): Expression {
    switch (expression.type) {
      case "literal":
        return expression.text.startsWith(character)
          ? literal(expression.text.slice(character.length))
          : nothing;
      case "characters": {
        const code = character.codePointAt(0) ?? 0;
        return expression.ranges.some(([from, to]) => from <= code && code <= to) ? emptyText : nothing;
      }
      case "token":
        return nothing;
      case "sequence":
        return afterSequence(expression.items, character);
      case "choice":
        return choice(...expression.options.map((option) => after(option, character)));
      case "repeat": {
        const { item, min, max } = expression;
        const more = repeat(item, Math.max(0, min - 1), max === undefined ? undefined : max - 1);
        return sequence(after(item, character), more);
      }
      case "rule":
        return after(share(grammar.rules.get(expression.name) ?? nothing), character);
      default:
        return expression satisfies never;
    }
  }

  /** The text begins in the first item, or in the rest where that one may be empty. */
  function afterSequence([first, ...others]: readonly Expression[], character: string): Expression {
    if (first === undefined) return nothing;
    const rest = share(sequence(...others));
    const inFirst = sequence(after(first, character), rest);
    return facts.isNullable(first) && others.length > 0 ? choice(inFirst, after(rest, character)) : inFirst;
  }
}

/** Makes equal expressions one, so that what comes of each is asked once and a choice has none of them twice. */
function createSharing(): (expression: Expression) => Expression {
  const byKey = new Map<string, Expression>();
  const numbers = new Map<Expression, number>();

  function share(expression: Expression): Expression {
    if (numbers.has(expression)) return expression;
    const inner = withSharedParts(expression);
    const key = keyOf(inner);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    if (numbers.size >= mostExpressions) {
      throw new GrammarError("The grammar is too ambiguous to be cut behind a text");
    }
    byKey.set(key, inner);
    numbers.set(inner, numbers.size);
    return inner;
  }

  function withSharedParts(expression: Expression): Expression {
    switch (expression.type) {
      case "sequence":
        return { ...expression, items: expression.items.map(share) };
      case "choice": {
        const merged = choice(...new Set(expression.options.map(share)));
        return merged.type === "choice" ? { ...merged, options: merged.options.map(share) } : merged;
      }
      case "repeat":
        return { ...expression, item: share(expression.item) };
      default:
        return expression;
    }
  }

  function keyOf(expression: Expression): string {
    const ids = (parts: readonly Expression[]) => parts.map((part) => numbers.get(part)).join();
    switch (expression.type) {
      case "sequence":
        return `s${ids(expression.items)}`;
      case "choice":
        return `c${ids(expression.options)}`;
      case "repeat":
        return `r${ids([expression.item])};${expression.min};${expression.max ?? ""}`;
      default:
        return JSON.stringify(expression);
    }
  }

  return share;
}
