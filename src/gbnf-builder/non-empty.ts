// The part of an expression's language without the empty text, as an expression again. Rules that may be empty get a
// second rule for it, named after the first with a plus sign.
import type { GrammarFacts } from "./analyse-grammar.ts";
import { choice, emptyText, nothing, repeat, rule, sequence } from "./build.ts";
import type { Expression } from "./grammar.ts";

export interface NonEmptyRules {
  /** The non-empty texts of an expression. */
  nonEmpty(expression: Expression): Expression;
  /** The name of the non-empty twin of a rule; the rule's own name when it is never empty. */
  nameOf(name: string): string;
  /** Twins asked for and not handed out yet, as `[name of the rule, name of its twin]`. */
  takeRequested(): [name: string, twin: string][];
}

/** Follows the facts of one grammar; the caller defines the rules that `takeRequested` names. */
export function createNonEmptyRules(facts: GrammarFacts, isTaken: (name: string) => boolean): NonEmptyRules {
  const twins = new Map<string, string>();
  let requested: [string, string][] = [];

  function nameOf(name: string): string {
    if (!facts.isNullable(rule(name))) return name;
    const known = twins.get(name);
    if (known !== undefined) return known;
    let twin = `${name}+`;
    while (isTaken(twin)) twin += "+";
    twins.set(name, twin);
    facts.addNonEmptyRule(twin);
    requested.push([name, twin]);
    return twin;
  }

  function nonEmpty(expression: Expression): Expression {
    if (!facts.canBeNonEmpty(expression)) return nothing;
    if (!facts.isNullable(expression)) return expression;
    switch (expression.type) {
      case "literal":
      case "characters":
      case "token":
        return expression;
      case "sequence":
        return choice(...expression.items.map((item, i) => startingAt(item, expression.items.slice(i + 1))));
      case "choice":
        return choice(...expression.options.map(nonEmpty));
      case "repeat":
        return repeat(nonEmpty(expression.item), Math.max(1, minimum(expression)), expression.max);
      case "rule":
        return rule(nameOf(expression.name));
      default:
        return expression satisfies never;
    }
  }

  function startingAt(item: Expression, rest: readonly Expression[]): Expression {
    const head = nonEmpty(item);
    return head === nothing ? nothing : sequence(head, ...rest);
  }

  function minimum({ item, min }: Extract<Expression, { type: "repeat" }>): number {
    return facts.isNullable(item) ? 1 : min;
  }

  return {
    nonEmpty,
    nameOf,
    takeRequested() {
      const taken = requested;
      requested = [];
      return taken;
    },
  };
}

/** The same language without parts that match nothing and without repeats over something that may be empty. */
export function withoutEmptyItems(
  expression: Expression,
  facts: GrammarFacts,
  nonEmpty: (expression: Expression) => Expression,
): Expression {
  if (!facts.isProductive(expression)) return nothing;
  if (!facts.canBeNonEmpty(expression)) return emptyText;
  switch (expression.type) {
    case "literal":
    case "characters":
    case "token":
    case "rule":
      return expression;
    case "sequence":
      return sequence(...expression.items.map((item) => withoutEmptyItems(item, facts, nonEmpty)));
    case "choice":
      return choice(...expression.options.map((option) => withoutEmptyItems(option, facts, nonEmpty)));
    case "repeat": {
      const isNullable = facts.isNullable(expression.item);
      const item = isNullable ? nonEmpty(expression.item) : expression.item;
      const inner = withoutEmptyItems(item, facts, nonEmpty);
      return repeat(inner, isNullable ? 0 : expression.min, expression.max);
    }
    default:
      return expression satisfies never;
  }
}
