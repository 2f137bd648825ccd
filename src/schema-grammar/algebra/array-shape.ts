// What one set of keywords says of an array: items by position, how many there are, what they contain.
// Shapes are interned; two of them combine under `and` into one. Knows nothing of grammars.
import type { Algebra } from "./algebra.ts";
import { andTerms, anyTerm, noneTerm, saysNothing, type Term } from "./term.ts";

export interface ArrayShape {
  readonly id: number;
  readonly prefix: readonly Term[];
  /** Items after the prefix. */
  readonly rest: Term;
  readonly min: number;
  readonly max: number | undefined;
  readonly contains: readonly Contains[];
  readonly isUnique: boolean;
  /** Whether the shape allows more than the schema does, so that its negation cannot be told. */
  readonly isLoose: boolean;
}

/** How many items match a term. */
export interface Contains {
  readonly item: Term;
  readonly min: number;
  readonly max: number | undefined;
}

export type ArrayShapeParts = Partial<Omit<ArrayShape, "id">>;

/** A shape; what is left out says nothing. Undefined where no array can have it. */
export function arrayShape(algebra: Algebra, parts: ArrayShapeParts): ArrayShape | undefined {
  const shape = tidy(parts);
  if (shape === undefined) return undefined;
  const key = keyOf(shape);
  const known = algebra.arrays.shapes.get(key);
  if (known !== undefined) return known;
  const interned: ArrayShape = { id: algebra.arrays.shapes.size, ...shape };
  algebra.arrays.shapes.set(key, interned);
  return interned;
}

/** The shape of all arrays. */
export function anyArray(algebra: Algebra): ArrayShape {
  return arrayShape(algebra, {}) as ArrayShape;
}

/** Arrays of both shapes. Undefined where there are none. */
export function andArrayShapes(algebra: Algebra, a: ArrayShape, b: ArrayShape): ArrayShape | undefined {
  if (a === b) return a;
  const length = Math.max(a.prefix.length, b.prefix.length);
  const prefix = Array.from({ length }, (_, index) =>
    andTerms(algebra.terms, [itemAt(a, index), itemAt(b, index)]),
  );
  const contains = [...a.contains, ...b.contains];
  return arrayShape(algebra, {
    prefix,
    rest: andTerms(algebra.terms, [a.rest, b.rest]),
    min: Math.max(a.min, b.min),
    max: a.max === undefined ? b.max : b.max === undefined ? a.max : Math.min(a.max, b.max),
    contains: contains.filter(
      (entry, index) => index === contains.findIndex((other) => isSame(entry, other)),
    ),
    isUnique: a.isUnique || b.isUnique,
    isLoose: a.isLoose || b.isLoose,
  });
}

/** What the shape says of the item at an index. */
export function itemAt(shape: ArrayShape, index: number): Term {
  return shape.prefix[index] ?? shape.rest;
}

/** Whether the shape forbids nothing. */
export function isAnyArray(shape: ArrayShape): boolean {
  return (
    shape.min === 0 &&
    shape.max === undefined &&
    shape.prefix.length === 0 &&
    saysNothing(shape.rest) &&
    shape.contains.length === 0 &&
    !shape.isUnique
  );
}

/** The negation as a shape, where the shape only bounds the length on one side; undefined where it says more. */
export function negateSimpleArray(algebra: Algebra, shape: ArrayShape): ArrayShape | undefined {
  if (shape.prefix.length > 0 || !saysNothing(shape.rest) || shape.contains.length > 0) return undefined;
  if (shape.isUnique || shape.isLoose) return undefined;
  if (shape.max === undefined)
    return shape.min === 0 ? undefined : arrayShape(algebra, { max: shape.min - 1 });
  return shape.min === 0 ? arrayShape(algebra, { min: shape.max + 1 }) : undefined;
}

function tidy(parts: ArrayShapeParts): Omit<ArrayShape, "id"> | undefined {
  const { rest = anyTerm, min = 0, contains = [], isUnique = false, isLoose = false } = parts;
  let { prefix = [], max } = parts;
  const impossible = prefix.indexOf(noneTerm);
  const possible = impossible >= 0 ? impossible : rest === noneTerm ? prefix.length : undefined;
  if (possible !== undefined) max = Math.min(max ?? possible, possible);
  if (max !== undefined) {
    if (min > max) return undefined;
    prefix = prefix.slice(0, max);
  }
  while (prefix.length > 0 && prefix.at(-1) === rest) prefix = prefix.slice(0, -1);
  if (max !== undefined && prefix.length < max && rest === noneTerm) return undefined;
  const counted = contains.filter(({ min: least, max: most }) => least > 0 || most !== undefined);
  if (counted.some((entry) => entry.max !== undefined && entry.min > entry.max)) return undefined;
  if (counted.some((entry) => entry.item === noneTerm && entry.min > 0)) return undefined;
  return { prefix, rest, min, max, contains: counted, isUnique: isUnique && max !== 0 && max !== 1, isLoose };
}

function isSame(a: Contains, b: Contains): boolean {
  return a.item === b.item && a.min === b.min && a.max === b.max;
}

function keyOf(shape: Omit<ArrayShape, "id">): string {
  const contains = shape.contains.map(({ item, min, max }) => `${item.id}:${min}:${max ?? ""}`);
  const flags = `${shape.isUnique ? "u" : ""}${shape.isLoose ? "l" : ""}`;
  return `${shape.prefix.map((term) => term.id).join(",")};${shape.rest.id};${shape.min};${shape.max ?? ""};${contains.join(",")};${flags}`;
}
