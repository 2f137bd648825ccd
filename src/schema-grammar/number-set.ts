// Sets of numbers under and, or, not: intervals with exact decimal bounds, each with a condition on divisibility.
// Immutable. Numbers are what their shortest decimal text says: 0.3 is a multiple of 0.1. Knows nothing of keywords.
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  negateDecimal,
  one,
} from "./languages/decimal.ts";
import {
  type Cut,
  compareCuts,
  isAffordable,
  isBetween,
  listPiece,
  loosenPiece,
  type NumberPiece,
  pieceKey,
  pointPiece,
  tidyPiece,
} from "./languages/number-piece.ts";
import {
  andSteps,
  everyStep,
  notSteps,
  orSteps,
  type Steps,
  satisfiesSteps,
  stepsKey,
  stepsOf,
} from "./languages/steps.ts";

/** The union of its pieces, which are in order and apart. */
export interface NumberSet {
  /** Never equal for different sets; equal for equal ones that were made of bounds and divisors. */
  readonly key: string;
  readonly pieces: readonly NumberPiece[];
}

/** A result that is the whole truth (`exact`), or a larger set where the truth was over the budget. */
export interface NumberResult {
  readonly numbers: NumberSet;
  readonly exact: boolean;
}

/** States that remainders by divisors may take. */
export const defaultRemainderBudget = 2000;

export const noNumber: NumberSet = makeSet([]);
export const anyNumber: NumberSet = makeSet([{ low: undefined, high: undefined, steps: everyStep }]);
/** Whole numbers, however they are written: JSON Schema's 1.0 is an integer. */
export const integers: NumberSet = makeSet([{ low: undefined, high: undefined, steps: stepsOf(one) }]);

export function numbersOf(values: readonly number[]): NumberSet {
  const decimals = values.filter(Number.isFinite).map(decimalOf).sort(compareDecimals);
  const distinct = decimals.filter(
    (value, i) => i === 0 || compareDecimals(value, decimals[i - 1] as Decimal) > 0,
  );
  return makeSet(distinct.map(pointPiece));
}

/** Numbers from `min` on, or above it. */
export function numbersFrom(min: number, exclusive = false): NumberSet {
  return makeSet([{ low: { value: decimalOf(min), after: exclusive }, high: undefined, steps: everyStep }]);
}

/** Numbers up to `max`, or below it. */
export function numbersTo(max: number, exclusive = false): NumberSet {
  return makeSet([{ low: undefined, high: { value: decimalOf(max), after: !exclusive }, steps: everyStep }]);
}

/** Whole numbers of times the divisor, which must be above zero. */
export function multiplesOf(divisor: number): NumberSet {
  return makeSet([{ low: undefined, high: undefined, steps: stepsOf(decimalOf(divisor)) }]);
}

/** Numbers in both. Over the budget: at least these. */
export function andNumbers(a: NumberSet, b: NumberSet, budget = defaultRemainderBudget): NumberResult {
  if (isAnyNumber(a) || a.key === b.key) return affordable(b, budget);
  if (isAnyNumber(b)) return affordable(a, budget);
  return affordable(
    sweep(a, b, (left, right) => (left && right ? andSteps(left, right) : [])),
    budget,
  );
}

/** Numbers in at least one. Over the budget: at least these. */
export function orNumbers(a: NumberSet, b: NumberSet, budget = defaultRemainderBudget): NumberResult {
  return affordable(
    sweep(a, b, (left, right) => (left && right ? orSteps(left, right) : (left ?? right ?? []))),
    budget,
  );
}

/** Numbers that are not in it. Over the budget: at least these. */
export function notNumbers(a: NumberSet, budget = defaultRemainderBudget): NumberResult {
  return affordable(
    sweep(a, anyNumber, (left) => (left === undefined ? everyStep : notSteps(left))),
    budget,
  );
}

export function isNoNumber(set: NumberSet): boolean {
  return set.pieces.length === 0;
}

export function isAnyNumber(set: NumberSet): boolean {
  return set.key === anyNumber.key;
}

export function containsNumber(set: NumberSet, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const decimal = decimalOf(value);
  return set.pieces.some((piece) => isBetween(decimal, piece) && satisfiesSteps(piece.steps, decimal));
}

/** All numbers of the set in order where there are at most `max`; else undefined. */
export function finiteNumbers(set: NumberSet, max: number): number[] | undefined {
  const found: number[] = [];
  for (const piece of set.pieces) {
    const listed = listPiece(piece, BigInt(max - found.length));
    if (listed === undefined) return undefined;
    found.push(...listed.map((value) => Number(decimalText(value))));
  }
  return found.length > max ? undefined : found;
}

/** The set itself, or a larger one whose divisors need no more than `budget` states. */
function affordable(set: NumberSet, budget: number): NumberResult {
  if (set.pieces.every((piece) => isAffordable(piece, budget))) return { numbers: set, exact: true };
  const pieces = set.pieces.map((piece) =>
    isAffordable(piece, budget) ? piece : loosenPiece(piece, budget),
  );
  return { numbers: makeSet(pieces), exact: false };
}

/** The set with every number's sign changed. */
export function negateNumbers(set: NumberSet): NumberSet {
  const turn = (cut: Cut | undefined): Cut | undefined =>
    cut && { value: negateDecimal(cut.value), after: !cut.after };
  return makeSet(
    [...set.pieces].reverse().map(({ low, high, steps }) => ({ low: turn(high), high: turn(low), steps })),
  );
}

function makeSet(pieces: readonly NumberPiece[]): NumberSet {
  const kept: NumberPiece[] = [];
  for (const piece of pieces.flatMap(tidyPiece)) {
    const last = kept.at(-1);
    const joins = last?.high && piece.low && compareCuts(last.high, piece.low) === 0;
    if (last && joins && stepsKey(last.steps) === stepsKey(piece.steps)) {
      kept[kept.length - 1] = { ...last, high: piece.high };
    } else kept.push(piece);
  }
  return { key: kept.map(pieceKey).join(";"), pieces: kept };
}

/** Cuts the line at every bound of both sets and asks for the steps of each stretch, undefined where a set has none. */
function sweep(
  a: NumberSet,
  b: NumberSet,
  combine: (left: Steps | undefined, right: Steps | undefined) => Steps,
): NumberSet {
  const cuts = [...a.pieces, ...b.pieces].flatMap(({ low, high }) => [low, high]);
  const sorted = cuts.filter((cut) => cut !== undefined).sort(compareCuts);
  const distinct = sorted.filter((cut, i) => i === 0 || compareCuts(cut, sorted[i - 1] as Cut) > 0);
  const pieces: NumberPiece[] = [];
  let i = 0;
  let j = 0;
  for (const [at, low] of [undefined, ...distinct].entries()) {
    const high = distinct[at];
    i = skipEnded(a, i, low);
    j = skipEnded(b, j, low);
    pieces.push({ low, high, steps: combine(stepsAt(a.pieces[i], low), stepsAt(b.pieces[j], low)) });
  }
  return makeSet(pieces);
}

function skipEnded(set: NumberSet, from: number, cut: Cut | undefined): number {
  let at = from;
  for (let piece = set.pieces[at]; piece !== undefined; piece = set.pieces[++at]) {
    if (piece.high === undefined || cut === undefined || compareCuts(piece.high, cut) > 0) break;
  }
  return at;
}

function stepsAt(piece: NumberPiece | undefined, cut: Cut | undefined): Steps | undefined {
  if (piece === undefined) return undefined;
  if (piece.low === undefined) return piece.steps;
  return cut !== undefined && compareCuts(piece.low, cut) <= 0 ? piece.steps : undefined;
}
