// Random grammars, and random texts that are or nearly are texts of one, for the tests that compare judges.
import fc from "fast-check";
import {
  characters,
  choice,
  createGrammar,
  type Expression,
  emptyText,
  type Grammar,
  literal,
  notCharacters,
  repeat,
  rule,
  sequence,
} from "../../src/gbnf-builder/index.ts";

const alphabet = ["a", "b", "c", '"', "\\", "é", "水", "😀", "-", "]", "^", "\n"];
const ruleNames = ["r0", "r1", "r2", "r3"];

const characterClass = fc.oneof(
  fc.subarray(["a", "b", "c"], { minLength: 1 }).map((some) => characters(...some)),
  fc.subarray(alphabet, { minLength: 1 }).map((some) => characters(...some)),
  fc.subarray(alphabet, { minLength: 1, maxLength: 3 }).map((some) => notCharacters(...some)),
  fc.constant(characters([0x61, 0x7a], [0xe0, 0xff], [0x6000, 0x7fff])),
);

const text = fc
  .array(fc.constantFrom(...alphabet.slice(0, 6)), { minLength: 1, maxLength: 3 })
  .map((some) => literal(some.join("")));

const counts = fc
  .tuple(fc.nat(3), fc.option(fc.nat(4), { nil: undefined }))
  .map(([min, more]) => ({ min, max: more === undefined ? undefined : min + more }));

/** Options of random grammars. */
export interface ArbitraryOptions {
  /** Whether rules may refer to any rule, or only to later ones. */
  readonly isRecursive: boolean;
}

/** Random grammars of up to four small rules over few characters. */
export function arbitraryGrammar(options: ArbitraryOptions): fc.Arbitrary<Grammar> {
  const bodies = ruleNames.map((_, i) =>
    arbitraryExpression(options.isRecursive ? ruleNames : ruleNames.slice(i + 1)),
  );
  return fc
    .tuple(...bodies)
    .map((rules) => createGrammar("r0", Object.fromEntries(ruleNames.map((name, i) => [name, rules[i]!]))));
}

function arbitraryExpression(names: readonly string[]): fc.Arbitrary<Expression> {
  const leaves = [text, characterClass, fc.constant(emptyText)];
  const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.oneof(...leaves, ...(names.length > 0 ? [fc.constantFrom(...names).map(rule)] : [])),
      fc.array(tie("expression"), { minLength: 2, maxLength: 3 }).map((items) => sequence(...items)),
      fc.array(tie("expression"), { minLength: 2, maxLength: 3 }).map((some) => choice(...some)),
      fc.tuple(tie("expression"), counts).map(([item, { min, max }]) => repeat(item, min, max)),
    ),
  }));
  return expression;
}

/** Decisions for sampling and mutating: numbers drawn in order, from 0 up to and without 1. */
export type Decisions = () => number;

/** Decisions out of a seed (mulberry32). */
export function decisionsFrom(seed: number): Decisions {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random text of the grammar; undefined where none was found within a small depth. */
export function sampleText(grammar: Grammar, decide: Decisions): string | undefined {
  let effort = 400;
  const sample = (expression: Expression, depth: number): string | undefined => {
    if (depth > 30 || --effort < 0) return undefined;
    switch (expression.type) {
      case "literal":
        return expression.text;
      case "characters": {
        const likely = alphabet.filter((one) =>
          expression.ranges.some(([from, to]) => from <= one.codePointAt(0)! && one.codePointAt(0)! <= to),
        );
        if (likely.length > 0) return pick(likely, decide);
        return String.fromCodePoint(pick(expression.ranges, decide)[0]);
      }
      case "token":
        return undefined;
      case "sequence": {
        let whole = "";
        for (const item of expression.items) {
          const part = sample(item, depth + 1);
          if (part === undefined) return undefined;
          whole += part;
        }
        return whole;
      }
      case "choice": {
        if (expression.options.length === 0) return undefined;
        const first = Math.floor(decide() * expression.options.length);
        for (let i = 0; i < expression.options.length; i++) {
          const one = sample(expression.options[(first + i) % expression.options.length]!, depth + 1);
          if (one !== undefined) return one;
        }
        return undefined;
      }
      case "repeat": {
        const { item, min, max } = expression;
        const times = min + Math.floor(decide() * (Math.min(max ?? min + 3, min + 3) - min + 1));
        return sample(sequence(...Array.from({ length: times }, () => item)), depth + 1);
      }
      case "rule":
        return sample(grammar.rules.get(expression.name)!, depth + 1);
    }
  };
  return sample(rule(grammar.root), 0);
}

/** The text with one to three small changes. */
export function mutateText(original: string, decide: Decisions): string {
  const points = [...original];
  const changes = 1 + Math.floor(decide() * 3);
  for (let i = 0; i < changes; i++) {
    const at = Math.floor(decide() * (points.length + 1));
    const kind = decide();
    if (kind < 0.35) points.splice(at, 1);
    else if (kind < 0.7) points.splice(at, 0, pick(alphabet, decide));
    else if (kind < 0.85) points.splice(at, 1, pick(alphabet, decide));
    else points.splice(at, points.length, ...points.slice(0, Math.floor(decide() * points.length)));
  }
  return points.join("");
}

function pick<T>(from: readonly T[], decide: Decisions): T {
  return from[Math.floor(decide() * from.length)]!;
}
