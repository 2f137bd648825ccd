// Numbers whose rules are few and do not lead back to themselves, as one expression made once per process:
// most schemas ask for the same few sets again and again.
import { choice, repeat, sequence } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import { emitNumber } from "../emit-numbers.ts";
import { createRuleCollector } from "../languages/emit-context.ts";
import type { NumberSet } from "../number-set.ts";

const known = new Map<string, Expression | undefined>();
const rememberedSets = 500;
/** Rules that are written out in one expression; sets with more keep their rules. */
const ruleLimit = 8;

/** The numbers' texts as one expression without rules; undefined where they need rules. */
export function smallNumberExpression(set: NumberSet, digits: number | undefined): Expression | undefined {
  const key = `${set.key} ${digits ?? ""}`;
  if (known.has(key)) return known.get(key);
  const collector = createRuleCollector();
  const start = emitNumber(set, collector, { digits });
  const rules = collector.finish();
  const expression = rules.size > ruleLimit ? undefined : writtenOut(start, rules, new Set());
  if (known.size < rememberedSets) known.set(key, expression);
  return expression;
}

function writtenOut(
  expression: Expression,
  rules: ReadonlyMap<string, Expression>,
  open: ReadonlySet<string>,
): Expression | undefined {
  switch (expression.type) {
    case "literal":
    case "characters":
    case "token":
      return expression;
    case "rule": {
      const inner = rules.get(expression.name);
      if (inner === undefined || open.has(expression.name)) return undefined;
      return writtenOut(inner, rules, new Set([...open, expression.name]));
    }
    case "repeat": {
      const item = writtenOut(expression.item, rules, open);
      return item && repeat(item, expression.min, expression.max);
    }
    case "sequence":
    case "choice": {
      const parts = expression.type === "sequence" ? expression.items : expression.options;
      const written: Expression[] = [];
      for (const part of parts) {
        const whole = writtenOut(part, rules, open);
        if (whole === undefined) return undefined;
        written.push(whole);
      }
      return expression.type === "sequence" ? sequence(...written) : choice(...written);
    }
  }
}
