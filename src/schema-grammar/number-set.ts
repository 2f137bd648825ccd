// Sets of numbers under and, or, not: intervals with exact decimal bounds, each with a condition on divisibility.
// Immutable. Numbers are what their shortest decimal text says: 0.3 is a multiple of 0.1. Knows nothing of keywords.
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalText,
  floorQuotient,
  negateDecimal,
  one,
  timesDecimal,
} from "./languages/decimal.ts";
import {
  andSteps,
  divisorsOf,
  everyStep,
  largestFactor,
  loosenSteps,
  notSteps,
  orSteps,
  type Steps,
  satisfiesSteps,
  stepsCost,
  stepsKey,
  stepsOf,
  stepsRemainders,
} from "./languages/steps.ts";

/** A place on the number line just before or just after a number. */
export interface Cut {
  readonly value: Decimal;
  readonly after: boolean;
}

/** Numbers between two cuts (without end where there is none) that satisfy the steps. */
export interface NumberPiece {
  readonly low: Cut | undefined;
  readonly high: Cut | undefined;
  readonly steps: Steps;
}

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

/** States that the digits of a number may take before they are minimised. */
export const mostRawStates = 200_000;

// A piece of at most so many multiples with exceptions is listed number by number.
const fewNumbers = 32n;

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
  const isFit = (piece: NumberPiece): boolean =>
    stepsCost(piece.steps) <= budget && stepsRemainders(piece.steps) <= mostRemainders(piece);
  if (set.pieces.every(isFit)) return { numbers: set, exact: true };
  const loose = set.pieces.map((piece) =>
    isFit(piece)
      ? piece
      : { ...piece, steps: loosenSteps(piece.steps, Math.min(budget, mostRemainders(piece))) },
  );
  return { numbers: makeSet(loose), exact: false };
}

/** Remainders that may be told apart beside the digits, of which those of bounds have three states each. */
function mostRemainders({ low, high, steps }: NumberPiece): number {
  const whole = [low, high].map((cut) => (cut === undefined ? 0 : decimalText(cut.value).length));
  const scales = divisorsOf(steps).map(({ exponent }) => Math.max(0, -exponent));
  const digits = whole.reduce((sum, length) => sum + length, 2) + Math.max(0, ...scales);
  return Math.min(largestFactor, Math.floor(mostRawStates / (3 * digits)));
}

/** The set with every number's sign changed. */
export function negateNumbers(set: NumberSet): NumberSet {
  const turn = (cut: Cut | undefined): Cut | undefined =>
    cut && { value: negateDecimal(cut.value), after: !cut.after };
  return makeSet(
    [...set.pieces].reverse().map(({ low, high, steps }) => ({ low: turn(high), high: turn(low), steps })),
  );
}

/** The single number of a piece, where it is one. */
export function pointOf(piece: NumberPiece): Decimal | undefined {
  const { low, high } = piece;
  return low && high && compareDecimals(low.value, high.value) === 0 ? low.value : undefined;
}

function pointPiece(value: Decimal): NumberPiece {
  return { low: { value, after: false }, high: { value, after: true }, steps: everyStep };
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

function pieceKey(piece: NumberPiece): string {
  const point = pointOf(piece);
  if (point !== undefined) return decimalText(point);
  const { low, high, steps } = piece;
  const from = low === undefined ? "(" : `${low.after ? "(" : "["}${decimalText(low.value)}`;
  const to = high === undefined ? ")" : `${decimalText(high.value)}${high.after ? "]" : ")"}`;
  return `${from},${to}${stepsKey(steps)}`;
}

/** The piece with bounds drawn in to its own numbers; a short list of numbers where that is simpler. */
function tidyPiece(piece: NumberPiece): NumberPiece[] {
  const { low, high, steps } = piece;
  if (steps.length === 0 || (low && high && compareCuts(low, high) >= 0)) return [];
  const point = pointOf(piece);
  if (point !== undefined) return satisfiesSteps(steps, point) ? [pointPiece(point)] : [];
  const [step, another] = steps;
  if (another !== undefined || step?.multiple === undefined) return [piece];
  if (step.except.length > 0) {
    const listed = listPiece(piece, fewNumbers);
    if (listed !== undefined) return listed.map(pointPiece);
  }
  const { multiple } = step;
  const from = low && timesDecimal(multiple, firstFactor(low, multiple));
  const to = high && timesDecimal(multiple, lastFactor(high, multiple));
  if (from && to) {
    const order = compareDecimals(from, to);
    if (order > 0) return [];
    if (order === 0) return satisfiesSteps(steps, from) ? [pointPiece(from)] : [];
  }
  return [
    {
      low: from && { value: from, after: false },
      high: to && { value: to, after: true },
      steps,
    },
  ];
}

/** The numbers of a piece where they are at most `max`. */
function listPiece(piece: NumberPiece, max: bigint): Decimal[] | undefined {
  const { low, high, steps } = piece;
  const point = pointOf(piece);
  if (point !== undefined) return max < 1n ? undefined : [point];
  if (low === undefined || high === undefined) return undefined;
  const found = new Map<string, Decimal>();
  for (const { multiple } of steps) {
    if (multiple === undefined) return undefined;
    const first = firstFactor(low, multiple);
    const last = lastFactor(high, multiple);
    // Exceptions may take away most of the multiples, but looking at more than this is not worth it.
    if (last - first > 4n * max + fewNumbers) return undefined;
    for (let factor = first; factor <= last; factor++) {
      const value = timesDecimal(multiple, factor);
      if (satisfiesSteps(steps, value)) found.set(decimalText(value), value);
    }
  }
  return BigInt(found.size) > max ? undefined : [...found.values()].sort(compareDecimals);
}

function firstFactor(low: Cut, multiple: Decimal): bigint {
  const below = floorQuotient(low.value, multiple);
  const isExact = compareDecimals(timesDecimal(multiple, below), low.value) === 0;
  return isExact && !low.after ? below : below + 1n;
}

function lastFactor(high: Cut, multiple: Decimal): bigint {
  const below = floorQuotient(high.value, multiple);
  const isExact = compareDecimals(timesDecimal(multiple, below), high.value) === 0;
  return isExact && !high.after ? below - 1n : below;
}

function isBetween(value: Decimal, { low, high }: NumberPiece): boolean {
  const above = low === undefined ? 1 : compareDecimals(value, low.value);
  const below = high === undefined ? -1 : compareDecimals(value, high.value);
  return (above > 0 || (above === 0 && !low?.after)) && (below < 0 || (below === 0 && high?.after === true));
}

function compareCuts(a: Cut, b: Cut): number {
  return compareDecimals(a.value, b.value) || Number(a.after) - Number(b.after);
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
