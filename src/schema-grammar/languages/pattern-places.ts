// Places in a pattern: a node that is awaited and what comes after it, interned so that equal places are one number.
import type { Pattern } from "./pattern.ts";
import { BeyondLimits } from "./pattern-limits.ts";

/** Place 0 is the end of the pattern. */
export interface Place {
  readonly node: Pattern;
  readonly rest: number;
}

export interface PlaceTable {
  /** The place of a node with `rest` after it; a sequence becomes a chain of places. */
  place(node: Pattern, rest: number): number;
  at(number: number): Place;
  /** `item` that many times: one object for equal counts. */
  repeat(item: Pattern, min: number, max: number): Pattern;
}

/** Numbers of places stay below `limit`. */
export function createPlaces(end: Pattern, limit: number): PlaceTable {
  const places: Place[] = [{ node: end, rest: 0 }];
  const numbers = new Map<Pattern, Map<number, number>>();
  const repeats = new Map<Pattern, Map<string, Pattern>>();

  function place(node: Pattern, rest: number): number {
    if (node.type === "sequence") return node.items.reduceRight((after, item) => place(item, after), rest);
    const byRest = entryOf(numbers, node);
    let number = byRest.get(rest);
    if (number === undefined) {
      number = places.length;
      if (number >= limit) throw new BeyondLimits();
      places.push({ node, rest });
      byRest.set(rest, number);
    }
    return number;
  }

  function repeat(item: Pattern, min: number, max: number): Pattern {
    const byCounts = entryOf(repeats, item);
    const key = `${min},${max}`;
    let node = byCounts.get(key);
    if (node === undefined) {
      node = { type: "repeat", item, min, max };
      byCounts.set(key, node);
    }
    return node;
  }

  return { place, repeat, at: (number) => places[number] as Place };
}

function entryOf<K, V>(map: Map<Pattern, Map<K, V>>, key: Pattern): Map<K, V> {
  let inner = map.get(key);
  if (inner === undefined) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}
