// A judge for the matcher's tests: reads a grammar straight from its meaning, over code points, by least fixed point.
// Slow and plain on purpose; shares nothing with the matcher.
import type { Expression, Grammar } from "../../src/gbnf-builder/index.ts";

/** Whether a text (without special tokens) is a text of the grammar. */
export function recognises(grammar: Grammar, text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0)!);
  const ends = new Map<string, Set<number>[]>();
  for (const name of grammar.rules.keys())
    ends.set(
      name,
      Array.from({ length: points.length + 1 }, () => new Set<number>()),
    );
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const [name, expression] of grammar.rules) {
      for (const [at, known] of ends.get(name)!.entries()) {
        const before = known.size;
        for (const end of endsOf(expression, at, points, ends)) known.add(end);
        hasGrown ||= known.size > before;
      }
    }
  }
  return ends.get(grammar.root)![0]!.has(points.length);
}

type Ends = ReadonlyMap<string, readonly ReadonlySet<number>[]>;

function endsOf(expression: Expression, at: number, points: readonly number[], ends: Ends): Set<number> {
  switch (expression.type) {
    case "literal": {
      const wanted = [...expression.text].map((character) => character.codePointAt(0)!);
      const matches = wanted.every((point, i) => points[at + i] === point);
      return new Set(matches ? [at + wanted.length] : []);
    }
    case "characters": {
      const point = points[at];
      const matches =
        point !== undefined && expression.ranges.some(([from, to]) => from <= point && point <= to);
      return new Set(matches ? [at + 1] : []);
    }
    case "token":
      return new Set();
    case "sequence":
      return expression.items.reduce((from, item) => step(item, from, points, ends), new Set([at]));
    case "choice":
      return new Set(expression.options.flatMap((option) => [...endsOf(option, at, points, ends)]));
    case "repeat":
      return repeatEnds(expression, at, points, ends);
    case "rule":
      return new Set(ends.get(expression.name)![at]!);
  }
}

function repeatEnds(
  { item, min, max }: Extract<Expression, { type: "repeat" }>,
  at: number,
  points: readonly number[],
  ends: Ends,
): Set<number> {
  // Beyond min, a further round only helps where it moves on, so as many rounds as there are characters are enough.
  const rounds = Math.min(max ?? Number.POSITIVE_INFINITY, min + points.length + 1);
  const found = new Set<number>();
  let reached = new Set([at]);
  for (let round = 0; ; round++) {
    if (round >= min) for (const end of reached) found.add(end);
    if (round === rounds) return found;
    reached = step(item, reached, points, ends);
  }
}

function step(
  item: Expression,
  from: ReadonlySet<number>,
  points: readonly number[],
  ends: Ends,
): Set<number> {
  return new Set([...from].flatMap((at) => [...endsOf(item, at, points, ends)]));
}
