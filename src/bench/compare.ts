// Two runs over the same items, item by item: what was gained, what was lost, and whether that is more than chance.
import type { ResultLine } from "./result-file.ts";
import { mcnemar, pairedDifference } from "./statistics.ts";

export interface Comparison {
  readonly category: string;
  readonly of: number;
  readonly first: number;
  readonly second: number;
  /** Second minus first, in shares of 1, with its 95 % interval. */
  readonly difference: number;
  readonly interval: readonly [low: number, high: number];
  /** McNemar's exact p. */
  readonly p: number;
  /** Ids of items that are right only in the second, and only in the first. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

export interface ComparedRuns {
  readonly all: Comparison;
  readonly byCategory: readonly Comparison[];
  /** Items that only one of the runs has. */
  readonly unpaired: number;
}

export function compareRuns(first: readonly ResultLine[], second: readonly ResultLine[]): ComparedRuns {
  const others = new Map(second.map((line) => [`${line.category} ${line.id}`, line]));
  const pairs = first.flatMap((line) => {
    const other = others.get(`${line.category} ${line.id}`);
    return other === undefined ? [] : [{ first: line, second: other }];
  });
  const categories = [...new Set(pairs.map((pair) => pair.first.category))];
  return {
    all: comparePairs("all", pairs),
    byCategory: categories.map((category) =>
      comparePairs(
        category,
        pairs.filter((pair) => pair.first.category === category),
      ),
    ),
    unpaired: first.length + second.length - 2 * pairs.length,
  };
}

interface Pair {
  readonly first: ResultLine;
  readonly second: ResultLine;
}

function comparePairs(category: string, pairs: readonly Pair[]): Comparison {
  const isRight = ({ verdict }: ResultLine) => verdict.isRight;
  const gained = pairs.filter((pair) => !isRight(pair.first) && isRight(pair.second));
  const lost = pairs.filter((pair) => isRight(pair.first) && !isRight(pair.second));
  const both = pairs.filter((pair) => isRight(pair.first) && isRight(pair.second)).length;
  const counts = {
    both,
    onlyFirst: lost.length,
    onlySecond: gained.length,
    neither: pairs.length - both - lost.length - gained.length,
  };
  return {
    category,
    of: pairs.length,
    first: both + lost.length,
    second: both + gained.length,
    ...pairedDifference(counts),
    p: mcnemar(gained.length, lost.length),
    gained: gained.map((pair) => pair.first.id),
    lost: lost.map((pair) => pair.first.id),
  };
}
