// One alternative of an object as an automaton over its keys in writing order: which key may come next, with what
// value, and where it leads. Grammars are emitted from it and instances are written along it.
import type { Disjunct } from "../algebra/disjunct.ts";
import {
  alwaysFalse,
  alwaysTrue,
  andFormulas,
  type Formula,
  mayHold,
  occurrencesIn,
  shapeFormula,
  substitute,
} from "../algebra/formula.ts";
import { type ObjectShape, valueOfKey } from "../algebra/object-shape.ts";
import { saysNothing, type Term, unstatedTerm } from "../algebra/term.ts";
import type { Compilation } from "../normal-form/compilation.ts";
import { OverBudget } from "../normal-form/over-budget.ts";
import { containsString, type StringLanguage } from "../string-language.ts";
import { decideValue } from "./decide-value.ts";
import { type Cell, cellValue, repeatedKeys, splitOpenKeys } from "./open-keys.ts";
import { orderOfNames } from "./order-names.ts";
import { isPlain, plainAutomaton } from "./plain-object.ts";

export interface ObjectAutomaton {
  /** State 0 is the start. */
  readonly states: readonly ObjectState[];
  /** Why texts that say a key twice may be let through wrongly; undefined where they are not. */
  readonly repeatedKeys: string | undefined;
  /** Whether undeclared keys are forbidden although the schema allows them. */
  readonly isClosed: boolean;
}

export interface ObjectState {
  /** Whether the object may end here. */
  readonly isFinal: boolean;
  /** The key that has its place here, and comes nowhere else. */
  readonly name: string | undefined;
  /** Where leaving that key out leads. */
  readonly skip: number | undefined;
  readonly edges: readonly ObjectEdge[];
  /** How many keys may still come where each edge leads back here; undefined where states tell. */
  readonly bounds: { readonly min: number; readonly max: number | undefined } | undefined;
}

export interface ObjectEdge {
  readonly key: string | OpenKey;
  readonly value: Term;
  readonly target: number;
}

/** A key of the language that is none of the names. */
export interface OpenKey {
  readonly keys: StringLanguage;
  readonly except: readonly string[];
}

/** Whether the key is one that the edge stands for. */
export function isKeyOf(edge: ObjectEdge, key: string): boolean {
  const expected = edge.key;
  if (typeof expected === "string") return expected === key;
  return containsString(expected.keys, key) && !expected.except.includes(key);
}

interface Position {
  /** Index of the next name; past the last one come open keys. */
  readonly at: number;
  /** Which of the floating names were written: bit by index. */
  readonly seen: number;
  readonly formula: Formula<ObjectShape>;
  /** Keys so far, as far as they matter. */
  readonly count: number;
}

interface Builder {
  readonly compilation: Compilation;
  readonly shape: ObjectShape;
  /** Names that have a fixed place in the order. */
  readonly names: readonly string[];
  /** Names that no `properties` at this place declares: they may come anywhere, each once. */
  readonly floating: readonly string[];
  readonly cells: readonly Cell[];
  /** What a shape still says at which point. */
  readonly ends: Map<ObjectShape, ShapeEnd>;
  readonly closes: boolean;
  /** Whether the number of open keys is told by bounds: where no condition rests on them. */
  readonly hasBounds: boolean;
  readonly numbers: Map<string, number>;
  readonly positions: Position[];
}

/** From which name on, and after which floating names, a shape says nothing more. */
interface ShapeEnd {
  readonly at: number;
  readonly floating: number;
}

/** The state of what nothing satisfies. */
const deadState: ObjectState = {
  isFinal: false,
  name: undefined,
  skip: undefined,
  edges: [],
  bounds: undefined,
};

/** Throws `OverBudget` where there are too many states or parts. */
export function objectAutomaton(compilation: Compilation, disjunct: Disjunct<ObjectShape>): ObjectAutomaton {
  const { formulas } = compilation.algebra.objects;
  const { shape } = disjunct;
  if (isPlain(compilation, disjunct)) return plainAutomaton(compilation, shape);
  const formula = andFormulas<ObjectShape>(formulas, [shapeFormula(formulas, shape), disjunct.where]);
  const shapes = occurrencesIn(formulas, formula).map((occurrence) => occurrence.shape);
  const order = orderOfNames(compilation, shape, shapes);
  const closes = compilation.isClosed && shapes.some((each) => each.isClosable);
  const split = splitOpenKeys(compilation, shapes, [...order.placed, ...order.floating]);
  const builder: Builder = {
    compilation,
    shape,
    names: order.placed,
    floating: order.floating,
    cells: split.cells,
    ends: new Map(),
    closes,
    hasBounds: disjunct.where.type === "true" && (shape.min > 0 || shape.max !== undefined),
    numbers: new Map(),
    positions: [],
  };
  const start = numberOf(builder, { at: 0, seen: 0, formula, count: 0 });
  const states: ObjectState[] = start === undefined ? [deadState] : [];
  for (let at = 0; at < builder.positions.length; at++) {
    // A plain chain has a state for each name, however many there are; only conditions and counts multiply them.
    if (at > compilation.budget.states + order.placed.length)
      throw new OverBudget("an object needs more states than the budget allows");
    states.push(stateAt(builder, builder.positions[at] as Position));
  }
  return {
    states,
    repeatedKeys: repeatedKeys(shapes, split.cells) ?? split.reason,
    isClosed: closes && shape.open.some((part) => part.value === unstatedTerm),
  };
}

function stateAt(builder: Builder, position: Position): ObjectState {
  const floating = builder.floating.flatMap((name, index) => {
    const bit = 1 << index;
    if ((position.seen & bit) !== 0) return [];
    const next = { at: position.at, seen: position.seen | bit };
    return edgesWith(builder, position, { key: name, next, termFor: (shape) => valueOfKey(shape, name) });
  });
  const name = builder.names[position.at];
  if (name !== undefined) {
    const next = { at: position.at + 1, seen: position.seen };
    const skip = numberOf(builder, {
      ...position,
      ...next,
      formula: without(builder, position.formula, name),
    });
    const edges = edgesWith(builder, position, {
      key: name,
      next,
      termFor: (shape) => valueOfKey(shape, name),
    });
    return { isFinal: false, name, skip, edges: [...edges, ...floating], bounds: undefined };
  }
  const isBounded = builder.hasBounds && floating.length === 0;
  const open = builder.cells.flatMap((cell) => {
    const key = { keys: cell.keys, except: cell.except };
    const next = { at: position.at, seen: position.seen, staysCounted: isBounded };
    return edgesWith(builder, position, { key, next, termFor: (shape) => cellValue(shape, cell) });
  });
  const end = { name: undefined, skip: undefined, edges: [...floating, ...open] };
  if (!isBounded) return { ...end, isFinal: mayEnd(builder, position), bounds: undefined };
  const { min, max } = builder.shape;
  const bounds = {
    min: Math.max(0, min - position.count),
    max: max === undefined ? undefined : max - position.count,
  };
  return { ...end, isFinal: mayEnd(builder, { ...position, count: Infinity }), bounds };
}

/** What is left of a condition when the key is not there. */
function without(builder: Builder, formula: Formula<ObjectShape>, name: string): Formula<ObjectShape> {
  return substitute(builder.compilation.algebra.objects.formulas, formula, (shape) =>
    shape.names.get(name)?.isRequired ? alwaysFalse : undefined,
  );
}

function edgesWith(
  builder: Builder,
  position: Position,
  options: {
    readonly key: string | OpenKey;
    readonly next: { readonly at: number; readonly seen: number; readonly staysCounted?: boolean };
    readonly termFor: (shape: ObjectShape) => Term;
  },
): readonly ObjectEdge[] {
  const { compilation, shape } = builder;
  const { formulas } = compilation.algebra.objects;
  const { key, next, termFor } = options;
  const isNamed = typeof key === "string";
  const count = position.count + (next.staysCounted ? 0 : 1);
  const counted = substitute(formulas, position.formula, (each) =>
    each.max !== undefined && count > each.max ? alwaysFalse : undefined,
  );
  const isCalledFor =
    isNamed &&
    occurrencesIn(formulas, counted).some((occurrence) => occurrence.shape.names.get(key)?.isRequired);
  const edges: ObjectEdge[] = [];
  for (const { value, formula } of decideValue(compilation, formulas, {
    formula: counted,
    base: termFor(shape),
    termFor,
  })) {
    if (builder.closes && value === unstatedTerm && !isCalledFor) continue;
    const target = numberOf(builder, { at: next.at, seen: next.seen, formula, count });
    if (target !== undefined) edges.push({ key, value, target });
  }
  return edges;
}

/** The number of a position's state; undefined where nothing can follow. */
function numberOf(builder: Builder, position: Position): number | undefined {
  const { formulas } = builder.compilation.algebra.objects;
  const formula = substitute(formulas, position.formula, (shape) =>
    isSettled(position, endOf(builder, shape)) ? alwaysTrue : undefined,
  );
  if (formula.type === "false") return undefined;
  let most = 0;
  for (const { shape } of occurrencesIn(formulas, formula)) {
    most = Math.max(most, shape.min, shape.max === undefined ? 0 : shape.max + 1);
  }
  // Bounds on open keys need to know how many there were before them.
  const limit = builder.hasBounds && position.at <= builder.names.length ? Infinity : most;
  const settled = { ...position, formula, count: Math.min(position.count, limit) };
  const key = `${settled.at};${settled.seen};${formula.id};${settled.count}`;
  const known = builder.numbers.get(key);
  if (known !== undefined) return known;
  const number = builder.positions.length;
  builder.numbers.set(key, number);
  builder.positions.push(settled);
  return number;
}

function isSettled(position: Position, end: ShapeEnd): boolean {
  return position.at >= end.at && (end.floating & ~position.seen) === 0;
}

function endOf(builder: Builder, shape: ObjectShape): ShapeEnd {
  const known = builder.ends.get(shape);
  if (known !== undefined) return known;
  const isEndless =
    shape.isLoose ||
    shape.min > 0 ||
    shape.max !== undefined ||
    shape.open.some((part) => !saysNothing(part.value));
  const says = (name: string) => shape.names.get(name)?.isRequired || !saysNothing(valueOfKey(shape, name));
  const last = builder.names.findLastIndex(says);
  const floating = builder.floating.reduce(
    (bits, name, index) => (says(name) ? bits | (1 << index) : bits),
    0,
  );
  const end = { at: isEndless ? Infinity : last + 1, floating };
  builder.ends.set(shape, end);
  return end;
}

function mayEnd(builder: Builder, position: Position): boolean {
  const unseen = builder.floating.filter((_, index) => (position.seen & (1 << index)) === 0);
  const formula = unseen.reduce((left, name) => without(builder, left, name), position.formula);
  return mayHold(formula, (shape) => {
    if (position.count < shape.min) return false;
    return shape.isLoose ? undefined : true;
  });
}
