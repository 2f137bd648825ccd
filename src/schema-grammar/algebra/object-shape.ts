// What one set of keywords says of an object: named keys, open keys by language, and how many keys there are.
// Shapes are interned; two of them combine under `and` into one. Knows nothing of grammars.

import {
  anyString,
  containsString,
  isAnyString,
  isNoString,
  type StringLanguage,
} from "../string-language.ts";
import type { Algebra } from "./algebra.ts";
import { andStringsOnce } from "./string-memo.ts";
import { andTerms, noneTerm, notTerm, saysNothing, type Term, unstatedTerm } from "./term.ts";

export interface ObjectShape {
  readonly id: number;
  /** In the order in which the keys are written. */
  readonly names: ReadonlyMap<string, NamedKey>;
  /** Disjoint languages that cover every key; names that are also in `names` are not looked up here. */
  readonly open: readonly OpenKeys[];
  readonly min: number;
  readonly max: number | undefined;
  /** Whether some schema here declares properties, so that closing objects closes this one. */
  readonly isClosable: boolean;
  /** Whether the shape allows more than the schema does, so that its negation cannot be told. */
  readonly isLoose: boolean;
}

export interface NamedKey {
  readonly value: Term;
  readonly isRequired: boolean;
  /** Whether a `properties` declares it; names that are only required are written after those. */
  readonly isDeclared: boolean;
}

export interface OpenKeys {
  readonly keys: StringLanguage;
  readonly value: Term;
}

export type ObjectShapeParts = Partial<Omit<ObjectShape, "id">>;

const openToAll: readonly OpenKeys[] = [{ keys: anyString, value: unstatedTerm }];

/** A shape; what is left out says nothing. Undefined where no object can have it. */
export function objectShape(algebra: Algebra, parts: ObjectShapeParts): ObjectShape | undefined {
  const names = orderNames(parts.names ?? new Map());
  const open = parts.open ?? openToAll;
  const { min = 0, max, isClosable = false, isLoose = false } = parts;
  let required = 0;
  for (const key of names.values()) {
    if (!key.isRequired) continue;
    if (key.value === noneTerm) return undefined;
    required++;
  }
  if (max !== undefined && (min > max || required > max)) return undefined;
  const shape = { names, open, min: required >= min ? 0 : min, max, isClosable, isLoose };
  const key = keyOf(shape);
  const known = algebra.objects.shapes.get(key);
  if (known !== undefined) return known;
  const interned: ObjectShape = { id: algebra.objects.shapes.size, ...shape };
  algebra.objects.shapes.set(key, interned);
  return interned;
}

/** The shape of all objects. */
export function anyObject(algebra: Algebra): ObjectShape {
  return objectShape(algebra, {}) as ObjectShape;
}

/** Objects of both shapes. Keys keep the first shape's order, then the second's. Undefined where there are none. */
export function andObjectShapes(algebra: Algebra, a: ObjectShape, b: ObjectShape): ObjectShape | undefined {
  if (a === b) return a;
  const names = new Map<string, NamedKey>();
  for (const name of mergedOrder(a, b)) {
    const [left, right] = [a.names.get(name), b.names.get(name)];
    names.set(name, {
      value: andTerms(algebra.terms, [valueOfKey(a, name), valueOfKey(b, name)]),
      isRequired: (left?.isRequired ?? false) || (right?.isRequired ?? false),
      isDeclared: (left?.isDeclared ?? false) || (right?.isDeclared ?? false),
    });
  }
  const open = andOpenKeys(algebra, a.open, b.open);
  const max = a.max === undefined ? b.max : b.max === undefined ? a.max : Math.min(a.max, b.max);
  return objectShape(algebra, {
    names,
    open: open.keys,
    min: Math.max(a.min, b.min),
    max,
    isClosable: a.isClosable || b.isClosable,
    isLoose: a.isLoose || b.isLoose || open.isLoose,
  });
}

/** Names in the order of who declares them: the first shape's, then the second's, then those that none declares. */
function mergedOrder(a: ObjectShape, b: ObjectShape): ReadonlySet<string> {
  const order = new Set<string>();
  for (const { names } of [a, b]) for (const [name, key] of names) if (key.isDeclared) order.add(name);
  for (const { names } of [a, b]) for (const name of names.keys()) order.add(name);
  return order;
}

/** The shape with none of its names declared, so that they take no part in the order of keys. */
export function undeclareNames(algebra: Algebra, shape: ObjectShape): ObjectShape {
  const names = [...shape.names].map(([name, key]) => [name, { ...key, isDeclared: false }] as const);
  return objectShape(algebra, { ...shape, names: new Map(names) }) ?? shape;
}

/** What the shape says of a key's value. */
export function valueOfKey(shape: ObjectShape, name: string): Term {
  const named = shape.names.get(name);
  if (named !== undefined) return named.value;
  return shape.open.find(({ keys }) => containsString(keys, name))?.value ?? noneTerm;
}

/** Whether the shape forbids nothing. */
export function isAnyObject(shape: ObjectShape): boolean {
  return (
    shape.min === 0 &&
    shape.max === undefined &&
    [...shape.names.values()].every((key) => !key.isRequired && saysNothing(key.value)) &&
    shape.open.every((part) => saysNothing(part.value))
  );
}

/** Open keys that both allow, by the value they then have. `isLoose` where a budget widened a language. */
export function andOpenKeys(
  algebra: Algebra,
  a: readonly OpenKeys[],
  b: readonly OpenKeys[],
): { readonly keys: readonly OpenKeys[]; readonly isLoose: boolean } {
  const keys: OpenKeys[] = [];
  let isLoose = false;
  for (const left of a) {
    for (const right of b) {
      const value = andTerms(algebra.terms, [left.value, right.value]);
      if (isAnyString(left.keys) || isAnyString(right.keys)) {
        keys.push({ keys: isAnyString(left.keys) ? right.keys : left.keys, value });
        continue;
      }
      const both = andStringsOnce(algebra, left.keys, right.keys);
      if (!both.exact) isLoose = true;
      if (!isNoString(both.language)) keys.push({ keys: both.language, value });
    }
  }
  return { keys, isLoose };
}

/** The negation as a shape, where the shape says only one thing; undefined where it says more. */
export function negateSimpleObject(algebra: Algebra, shape: ObjectShape): ObjectShape | undefined {
  if (shape.isLoose || shape.open.some((part) => !saysNothing(part.value))) return undefined;
  const saying = [...shape.names].filter(([, key]) => key.isRequired || !saysNothing(key.value));
  const counts = (shape.min > 0 ? 1 : 0) + (shape.max === undefined ? 0 : 1);
  if (saying.length + counts !== 1) return undefined;
  const only = saying[0];
  if (only === undefined) {
    return shape.max === undefined
      ? objectShape(algebra, { max: shape.min - 1 })
      : objectShape(algebra, { min: shape.max + 1 });
  }
  const [name, key] = only;
  if (key.isRequired && !saysNothing(key.value)) return undefined;
  const value = key.isRequired ? noneTerm : notTerm(algebra.terms, key.value);
  const negated = { value, isRequired: !key.isRequired, isDeclared: key.isDeclared };
  return objectShape(algebra, { names: new Map([[name, negated]]) });
}

function orderNames(names: ReadonlyMap<string, NamedKey>): ReadonlyMap<string, NamedKey> {
  let sawUndeclared = false;
  let isOrdered = true;
  for (const key of names.values()) {
    if (!key.isDeclared) sawUndeclared = true;
    else if (sawUndeclared) isOrdered = false;
  }
  if (isOrdered) return names;
  const entries = [...names];
  return new Map([
    ...entries.filter(([, key]) => key.isDeclared),
    ...entries.filter(([, key]) => !key.isDeclared),
  ]);
}

function keyOf(shape: Omit<ObjectShape, "id">): string {
  const names = [...shape.names].map(
    ([name, key]) =>
      `${JSON.stringify(name)}:${key.value.id}${key.isRequired ? "!" : ""}${key.isDeclared ? "" : "?"}`,
  );
  const open = shape.open.map((part) => `${part.keys.key}:${part.value.id}`);
  const flags = `${shape.isClosable ? "c" : ""}${shape.isLoose ? "l" : ""}`;
  return `${names.join(",")};${open.join(",")};${shape.min};${shape.max ?? ""};${flags}`;
}
