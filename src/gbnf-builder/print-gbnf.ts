// Prints a grammar as GBNF that llama.cpp loads and reads just as it is meant. What its parser refuses, hangs on or
// misreads is rewritten first: left recursion, repeats of what may be empty, long counts, rules that match nothing.
import { mentionedRules } from "./analyse-grammar.ts";
import { createRepeatBounds } from "./bound-repeats.ts";
import { isEmptyText, rule } from "./build.ts";
import type { Expression, Grammar } from "./grammar.ts";
import { GrammarError } from "./grammar-error.ts";
import { createNonEmptyRules, withoutEmptyItems } from "./non-empty.ts";
import { printCharacters, printText } from "./print-characters.ts";
import { removeLeftRecursion } from "./remove-left-recursion.ts";

export interface PrintOptions {
  /** Numbers of special tokens by their text. llama.cpp needs them wherever a grammar is loaded without its vocabulary. */
  readonly tokenIds?: ReadonlyMap<string, number>;
}

const lineWidth = 100;

/**
 * The grammar as GBNF text; its root rule is called `root`, other names are kept as far as GBNF allows.
 * Throws `GrammarError` for a grammar that matches nothing, and for special tokens that GBNF cannot name.
 */
export function printGbnf(grammar: Grammar, options: PrintOptions = {}): string {
  const rules = prepareRules(grammar);
  const names = chooseNames(grammar.root, rules.keys());
  const lines: string[] = [];
  for (const [name, expression] of rules) lines.push(`${names.get(name)!} ::= ${printBody(expression)}\n`);
  return lines.join("");

  function printBody(expression: Expression): string {
    if (expression.type !== "choice") return print(expression);
    const printed = expression.options.map(print);
    const line = printed.join(" | ");
    return line.length <= lineWidth ? line : printed.join(" |\n  ");
  }

  function print(expression: Expression): string {
    switch (expression.type) {
      case "literal":
        return printText(expression.text);
      case "characters":
        return printCharacters(expression.ranges);
      case "token":
        return printToken(expression.text, options.tokenIds);
      case "sequence":
        return isEmptyText(expression) ? '""' : expression.items.map(printItem).join(" ");
      case "choice":
        return expression.options.map(print).join(" | ");
      case "repeat": {
        const isNested = expression.item.type === "sequence" || expression.item.type === "repeat";
        const item = isNested ? `(${print(expression.item)})` : printItem(expression.item);
        return item + printCount(expression.min, expression.max);
      }
      case "rule":
        return names.get(expression.name)!;
      default:
        return expression satisfies never;
    }
  }

  function printItem(expression: Expression): string {
    return expression.type === "choice" ? `(${print(expression)})` : print(expression);
  }
}

/** Rules ready to print, from the root on in the order they are first mentioned. */
function prepareRules(source: Grammar): Map<string, Expression> {
  const { grammar, facts } = removeLeftRecursion(source);
  if (!facts.isProductive(rule(grammar.root))) throw new GrammarError("The grammar matches no text at all");
  const prepared = new Map<string, Expression>();
  const isTaken = (name: string): boolean => grammar.rules.has(name) || prepared.has(name);
  const twins = createNonEmptyRules(facts, isTaken);
  const added = new Set<string>();
  const bound = createRepeatBounds((expression, purpose) => {
    let name = purpose;
    for (let i = 2; isTaken(name) || added.has(name); i++) name = `${purpose}-${i}`;
    added.add(name);
    prepared.set(name, expression);
    return rule(name);
  });
  const prepare = (expression: Expression): Expression =>
    bound(withoutEmptyItems(expression, facts, twins.nonEmpty));
  for (const name of [...facts.order].reverse()) {
    const expression = grammar.rules.get(name)!;
    if (facts.isProductive(rule(name))) prepared.set(name, prepare(expression));
  }
  for (let asked = twins.takeRequested(); asked.length > 0; asked = twins.takeRequested())
    for (const [name, twin] of asked) prepared.set(twin, prepare(twins.nonEmpty(grammar.rules.get(name)!)));
  return inReadingOrder(grammar.root, prepared);
}

function inReadingOrder(root: string, rules: ReadonlyMap<string, Expression>): Map<string, Expression> {
  const ordered = new Map<string, Expression>();
  const open = [root];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (ordered.has(name)) continue;
    const expression = rules.get(name)!;
    ordered.set(name, expression);
    open.push(...[...mentionedRules(expression)].reverse());
  }
  return ordered;
}

function chooseNames(root: string, names: Iterable<string>): Map<string, string> {
  const chosen = new Map([[root, "root"]]);
  const taken = new Set(["root"]);
  for (const name of names) {
    if (name === root) continue;
    const plain = name.replaceAll(/[^a-zA-Z0-9]+/g, "-").replaceAll(/^-|-$/g, "") || "rule";
    let unique = plain;
    for (let i = 2; taken.has(unique); i++) unique = `${plain}-${i}`;
    taken.add(unique);
    chosen.set(name, unique);
  }
  return chosen;
}

function printCount(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === max) return `{${min}}`;
  return min === 0 && max === 1 ? "?" : `{${min},${max}}`;
}

function printToken(text: string, ids: ReadonlyMap<string, number> | undefined): string {
  const id = ids?.get(text);
  if (id !== undefined) return `<[${id}]>`;
  if (/^<[^<>]*>$/.test(text)) return text;
  throw new GrammarError(`GBNF cannot name the token ${JSON.stringify(text)}; give its number in tokenIds`);
}
