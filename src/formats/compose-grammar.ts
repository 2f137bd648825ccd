// Puts a format's hand-written grammar and the offered tools' compiled schemas together into one grammar.
// Knows how rules are named apart, but no format's text.
import { readFileSync } from "node:fs";
import type { Expression, Grammar } from "../gbnf-builder/grammar.ts";
import { parseGbnf } from "../gbnf-builder/index.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import type { OfferedTool } from "./format.ts";
import { type EnvelopeText, escapeName } from "./write-json.ts";

const loaded = new Map<string, Grammar>();

/** The hand-written grammar `grammars/<name>.gbnf` with the JSON pieces that it refers to, read once. */
export function loadPieces(name: string): Grammar {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const rules = new Map(parseGbnf(readGrammar("json")).rules);
  rules.delete("root");
  const pieces = parseGbnf(readGrammar(name), { rules });
  loaded.set(name, pieces);
  return pieces;
}

function readGrammar(name: string): string {
  return readFileSync(new URL(`../../grammars/${name}.gbnf`, import.meta.url), "utf8");
}

export interface Composition {
  readonly pieces: Grammar;
  /** The rule of `pieces` to start from. */
  readonly root: string;
  /** Rules that take the place of those in `pieces`. */
  readonly rules: ReadonlyMap<string, Expression>;
  readonly specialTokens?: readonly string[];
}

/** The grammar from `root`, with rules replaced, marks that are special tokens made such, and only what is reached. */
export function composeGrammar({ pieces, root, rules, specialTokens = [] }: Composition): Grammar {
  const specials = specialTokens.filter((text) => text !== "");
  const composed = new Map<string, Expression>();
  const waiting = [root];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (composed.has(name)) continue;
    const own = pieces.rules.get(name);
    const expression = rules.get(name) ?? (own === undefined ? undefined : markTokens(own, specials));
    if (expression === undefined)
      throw new Error(`the grammar of a format names the rule "${name}" and has none`);
    composed.set(name, expression);
    waiting.push(...ruleNames(expression));
  }
  return { root, rules: composed };
}

/** Rules for the offered tools' calls: a choice under `rule`, and each tool's own rules under names of their own. */
export function callRules(
  tools: readonly OfferedTool[],
  layouts: Readonly<Record<string, EnvelopeText>>,
): ReadonlyMap<string, Expression> {
  const rules = toolRules(tools);
  for (const [rule, { before, between, after }] of Object.entries(layouts)) {
    const choice = choiceOfTools(tools, (name) => [{ type: "literal", text: escapeName(name) + between }]);
    rules.set(rule, {
      type: "sequence",
      items: [{ type: "literal", text: before }, choice, { type: "literal", text: after }],
    });
  }
  return rules;
}

/** The same for names that stand as they are. `betweens` names, by rule, the rule that stands between name and arguments. */
export function plainCallRules(
  tools: readonly OfferedTool[],
  betweens: Readonly<Record<string, string>>,
): ReadonlyMap<string, Expression> {
  const rules = toolRules(tools);
  for (const [rule, between] of Object.entries(betweens)) {
    const choice = choiceOfTools(tools, (name) => [
      { type: "literal", text: name },
      { type: "rule", name: between },
    ]);
    rules.set(rule, choice);
  }
  return rules;
}

function toolRules(tools: readonly OfferedTool[]): Map<string, Expression> {
  if (tools.length === 0) {
    throw new CallwrightError(
      "tool-invalid",
      "A call cannot be constrained without tools; offer at least one.",
    );
  }
  const rules = new Map<string, Expression>();
  tools.forEach(({ compiled }, index) => {
    for (const [name, expression] of compiled.grammar.rules) {
      rules.set(
        toolRule(index, name),
        renameRules(expression, (inner) => toolRule(index, inner)),
      );
    }
  });
  return rules;
}

/** One of the tools: what `opening` says of its name, then its arguments. */
function choiceOfTools(
  tools: readonly OfferedTool[],
  opening: (name: string) => readonly Expression[],
): Expression {
  const options = tools.map(({ name, compiled }, index): Expression => {
    const input: Expression = { type: "rule", name: toolRule(index, compiled.grammar.root) };
    return { type: "sequence", items: [...opening(name), input] };
  });
  return options.length === 1 ? options[0]! : { type: "choice", options };
}

function toolRule(index: number, name: string): string {
  return `tool${index + 1}-${name}`;
}

/** A literal in which marks that the vocabulary holds as special tokens are those tokens. */
function markTokens(expression: Expression, specials: readonly string[]): Expression {
  if (specials.length === 0) return expression;
  return mapExpression(expression, (inner) => {
    if (inner.type !== "literal") return inner;
    const items: Expression[] = [];
    let rest = inner.text;
    while (rest !== "") {
      const next = firstSpecial(rest, specials);
      const plain = next === undefined ? rest : rest.slice(0, next.index);
      if (plain !== "") items.push({ type: "literal", text: plain });
      if (next === undefined) break;
      items.push({ type: "token", text: next.text });
      rest = rest.slice(next.index + next.text.length);
    }
    return items.length === 1 ? items[0]! : { type: "sequence", items };
  });
}

function firstSpecial(
  text: string,
  specials: readonly string[],
): { text: string; index: number } | undefined {
  let best: { text: string; index: number } | undefined;
  for (const special of specials) {
    const index = text.indexOf(special);
    if (index === -1) continue;
    if (
      best === undefined ||
      index < best.index ||
      (index === best.index && special.length > best.text.length)
    ) {
      best = { text: special, index };
    }
  }
  return best;
}

function renameRules(expression: Expression, rename: (name: string) => string): Expression {
  return mapExpression(expression, (inner) =>
    inner.type === "rule" ? { type: "rule", name: rename(inner.name) } : inner,
  );
}

/** The expression with `change` applied to every part that has no parts of its own. */
function mapExpression(expression: Expression, change: (leaf: Expression) => Expression): Expression {
  switch (expression.type) {
    case "sequence":
      return { type: "sequence", items: expression.items.map((item) => mapExpression(item, change)) };
    case "choice":
      return { type: "choice", options: expression.options.map((option) => mapExpression(option, change)) };
    case "repeat":
      return { ...expression, item: mapExpression(expression.item, change) };
    case "literal":
    case "characters":
    case "token":
    case "rule":
      return change(expression);
    default:
      return expression satisfies never;
  }
}

function ruleNames(expression: Expression): readonly string[] {
  switch (expression.type) {
    case "sequence":
      return expression.items.flatMap(ruleNames);
    case "choice":
      return expression.options.flatMap(ruleNames);
    case "repeat":
      return ruleNames(expression.item);
    case "rule":
      return [expression.name];
    case "literal":
    case "characters":
    case "token":
      return [];
    default:
      return expression satisfies never;
  }
}
