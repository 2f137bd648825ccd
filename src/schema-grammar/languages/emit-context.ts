// Where the rules of a grammar are collected while its expressions are made.
import { rule } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";

export interface EmitContext {
  /**
   * A reference to the rule of this key, which `make` makes once. It is made after the current expression is finished,
   * so rules may name each other in circles and long chains of them do not nest calls.
   */
  rule(key: string, make: () => Expression): Expression;
}

/** A context that names rules by the part of their key before a colon, and numbers them where that is not enough. */
export interface RuleCollector extends EmitContext {
  /** Makes what is still to be made and gives the rules by name. */
  finish(): ReadonlyMap<string, Expression>;
}

export function createRuleCollector(): RuleCollector {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  const pending: { name: string; make: () => Expression }[] = [];
  const rules = new Map<string, Expression>();
  return {
    rule(key, make) {
      let name = names.get(key);
      if (name === undefined) {
        name = nameFor(key);
        names.set(key, name);
        pending.push({ name, make });
      }
      return rule(name);
    },
    finish() {
      for (let next = pending.pop(); next !== undefined; next = pending.pop())
        rules.set(next.name, next.make());
      return rules;
    },
  };

  function nameFor(key: string): string {
    const colon = key.indexOf(":");
    const stem = colon < 0 ? key : key.slice(0, colon);
    const count = taken.get(stem) ?? 0;
    taken.set(stem, count + 1);
    return count === 0 && stem === key ? stem : `${stem}-${count + 1}`;
  }
}
