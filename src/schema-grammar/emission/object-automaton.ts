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
import { type ObjectShape, type OpenKeys, objectShape, valueOfKey } from "../algebra/object-shape.ts";
import { noneTerm, saysNothing, type Term, unstatedTerm } from "../algebra/term.ts";
import type { Compilation } from "../normal-form/compilation.ts";
import {
  andStrings,
  anyString,
  containsString,
  isAnyString,
  isNoString,
  type StringLanguage,
} from "../string-language.ts";
import { decideValue } from "./decide-value.ts";
import { OverBudget } from "./over-budget.ts";

export interface ObjectAutomaton {
  /** State 0 is the start. */
  readonly states: readonly ObjectState[];
  /** How many open keys there may be, where that is not told by states; all names are required then. */
  readonly openBounds: { readonly min: number; readonly max: number | undefined } | undefined;
  /** Why texts that say a key twice may be let through wrongly; undefined where they are not. */
  readonly repeatedKeys: string | undefined;
  /** Whether undeclared keys are forbidden although the schema allows them. */
  readonly isClosed: boolean;
}

export interface ObjectState {
  /** Whether the object may end here. */
  readonly isFinal: boolean;
  /** Where leaving out this state's key leads. */
  readonly skip: number | undefined;
  readonly edges: readonly ObjectEdge[];
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
  readonly numbers: Map<string, number>;
  readonly positions: Position[];
}

/** From which name on, and after which floating names, a shape says nothing more. */
interface ShapeEnd {
  readonly at: number;
  readonly floating: number;
}

/** Open keys that all shapes treat alike. */
interface Cell {
  readonly keys: StringLanguage;
  readonly except: readonly string[];
  readonly parts: ReadonlyMap<ObjectShape, Term>;
}

const cellLimit = 200;
/** The state of what nothing satisfies. */
const deadState: ObjectState = { isFinal: false, skip: undefined, edges: [] };
/** States that floating names may multiply an object to; beyond, they follow the others in a fixed order. */
const floatingLimit = 512;
/** Names that may come in any order where that is asked for. */
export const freeNameLimit = 5;

/** Throws `OverBudget` where there are too many states or parts. */
export function objectAutomaton(compilation: Compilation, disjunct: Disjunct<ObjectShape>): ObjectAutomaton {
  const { formulas } = compilation.algebra.objects;
  const openBounds = boundsOfOpenKeys(compilation, disjunct);
  const shape =
    openBounds === undefined
      ? disjunct.shape
      : (objectShape(compilation.algebra, { ...disjunct.shape, min: 0, max: undefined }) ?? disjunct.shape);
  const formula = andFormulas<ObjectShape>(formulas, [shapeFormula(formulas, shape), disjunct.where]);
  const shapes = occurrencesIn(formula).map((occurrence) => occurrence.shape);
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
    numbers: new Map(),
    positions: [],
  };
  const start = numberOf(builder, { at: 0, seen: 0, formula, count: 0 });
  const states: ObjectState[] = start === undefined ? [deadState] : [];
  for (let at = 0; at < builder.positions.length; at++) {
    if (at > compilation.budget.states)
      throw new OverBudget("an object needs more states than the budget allows");
    states.push(stateAt(builder, builder.positions[at] as Position));
  }
  return {
    states,
    openBounds,
    repeatedKeys: repeatedKeys(builder, [disjunct.shape, ...shapes.slice(1)]) ?? split.reason,
    isClosed: closes && shape.open.some((part) => part.value === unstatedTerm),
  };
}

/** Where all names are required, a bound on the number of keys is one on the open keys. */
function boundsOfOpenKeys(
  compilation: Compilation,
  { shape, where }: Disjunct<ObjectShape>,
): ObjectAutomaton["openBounds"] {
  const { min, max, names } = shape;
  if (where.type !== "true" || (min === 0 && max === undefined) || compilation.keyOrder === "any")
    return undefined;
  const possible = [...names.values()].filter((key) => key.value !== noneTerm);
  if (possible.some((key) => !key.isRequired || !key.isDeclared)) return undefined;
  return {
    min: Math.max(0, min - possible.length),
    max: max === undefined ? undefined : max - possible.length,
  };
}

/**
 * Which names have a place in the order and which may come anywhere. Declared ones have a place; those that only
 * conditions speak of float, where that does not multiply the states too far.
 */
function orderOfNames(
  compilation: Compilation,
  shape: ObjectShape,
  shapes: readonly ObjectShape[],
): { readonly placed: readonly string[]; readonly floating: readonly string[] } {
  const all = [...new Set(shapes.flatMap((each) => [...each.names.keys()]))];
  const isFree = compilation.keyOrder === "any" && shape.names.size <= freeNameLimit;
  const own = isFree ? [] : all.filter((name) => shape.names.get(name)?.isDeclared);
  const declared = all.filter((name) => shapes.some((each) => each.names.get(name)?.isDeclared));
  for (const placed of [own, declared]) {
    const floating = all.filter((name) => !placed.includes(name));
    if ((placed.length + 1) * 2 ** floating.length <= floatingLimit) return { placed, floating };
  }
  return { placed: [...new Set([...declared, ...all])], floating: [] };
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
    return { isFinal: false, skip, edges: [...edges, ...floating] };
  }
  const open = builder.cells.flatMap((cell) => {
    const key = { keys: cell.keys, except: cell.except };
    return edgesWith(builder, position, { key, next: position, termFor: (shape) => cellValue(shape, cell) });
  });
  return { isFinal: mayEnd(builder, position), skip: undefined, edges: [...floating, ...open] };
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
    readonly next: { readonly at: number; readonly seen: number };
    readonly termFor: (shape: ObjectShape) => Term;
  },
): readonly ObjectEdge[] {
  const { compilation, shape } = builder;
  const { formulas } = compilation.algebra.objects;
  const { key, next, termFor } = options;
  const isNamed = typeof key === "string";
  const count = position.count + 1;
  const counted = substitute(formulas, position.formula, (each) =>
    each.max !== undefined && count > each.max ? alwaysFalse : undefined,
  );
  const isCalledFor =
    isNamed && occurrencesIn(counted).some((occurrence) => occurrence.shape.names.get(key)?.isRequired);
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
  for (const { shape } of occurrencesIn(formula)) {
    most = Math.max(most, shape.min, shape.max === undefined ? 0 : shape.max + 1);
  }
  const settled = { ...position, formula, count: Math.min(position.count, most) };
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

function cellValue(shape: ObjectShape, cell: Cell): Term {
  return cell.parts.get(shape) ?? shape.open[0]?.value ?? noneTerm;
}

/** All keys but the names, split so that each shape has one value for each part. */
function splitOpenKeys(
  compilation: Compilation,
  shapes: readonly ObjectShape[],
  names: readonly string[],
): { readonly cells: readonly Cell[]; readonly reason: string | undefined } {
  const { states } = compilation.algebra;
  const isOpen = shapes[0]?.open.some((part) => part.value !== noneTerm) ?? true;
  if (!isOpen) return { cells: [], reason: undefined };
  let cells: Cell[] = [{ keys: anyString, except: [], parts: new Map() }];
  let isExact = true;
  for (const shape of shapes) {
    if (shape.open.length < 2) continue;
    const next: Cell[] = [];
    for (const cell of cells) {
      for (const part of shape.open) {
        const both = isAnyString(cell.keys)
          ? { language: part.keys, exact: true }
          : andStrings(cell.keys, part.keys, states);
        if (!both.exact) isExact = false;
        if (!isNoString(both.language))
          next.push({ keys: both.language, except: [], parts: partsWith(cell, shape, part) });
      }
    }
    cells = next;
    if (cells.length > cellLimit)
      throw new OverBudget("open keys fall into more parts than the budget allows");
  }
  return {
    cells: cells.map((cell) => ({
      ...cell,
      except: names.filter((name) => containsString(cell.keys, name)),
    })),
    reason: isExact ? undefined : "telling open keys apart needs more states than the budget allows",
  };
}

function partsWith(cell: Cell, shape: ObjectShape, part: OpenKeys): ReadonlyMap<ObjectShape, Term> {
  return new Map([...cell.parts, [shape, part.value]]);
}

/** Open keys may be written twice, and the last one counts: that can undo what rests on a count or on some key's value. */
function repeatedKeys(builder: Builder, shapes: readonly ObjectShape[]): string | undefined {
  if (builder.cells.length === 0) return undefined;
  const [first, ...others] = shapes;
  const required = first === undefined ? 0 : [...first.names.values()].filter((key) => key.isRequired).length;
  if (first !== undefined && first.min > required + 1)
    return "an undeclared key that is written twice counts twice";
  const rests = others.some(
    (shape) =>
      shape.min > 0 ||
      shape.max !== undefined ||
      shape.open.some((part) => !saysNothing(part.value) && part.value !== noneTerm),
  );
  return rests
    ? "an undeclared key that is written twice may count although its last value does not"
    : undefined;
}
