// A stretch of the number line with a condition on divisibility, in one normal form. Sets of them are made elsewhere.
import { compareDecimals, type Decimal, decimalText, floorQuotient, timesDecimal } from "./decimal.ts";
import {
  divisorsOf,
  everyStep,
  largestFactor,
  loosenSteps,
  type Steps,
  satisfiesSteps,
  stepsCost,
  stepsKey,
  stepsRemainders,
} from "./steps.ts";

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

/** States that the digits of a number may take before they are minimised. */
export const mostRawStates = 200_000;

// A piece of at most so many multiples with exceptions is listed number by number.
const fewNumbers = 32n;

/** The single number of a piece, where it is one. */
export function pointOf(piece: NumberPiece): Decimal | undefined {
  const { low, high } = piece;
  return low && high && compareDecimals(low.value, high.value) === 0 ? low.value : undefined;
}

/** Just one number. */
export function pointPiece(value: Decimal): NumberPiece {
  return { low: { value, after: false }, high: { value, after: true }, steps: everyStep };
}

/** A text that is equal for equal pieces. */
export function pieceKey(piece: NumberPiece): string {
  const point = pointOf(piece);
  if (point !== undefined) return decimalText(point);
  const { low, high, steps } = piece;
  const from = low === undefined ? "(" : `${low.after ? "(" : "["}${decimalText(low.value)}`;
  const to = high === undefined ? ")" : `${decimalText(high.value)}${high.after ? "]" : ")"}`;
  return `${from},${to}${stepsKey(steps)}`;
}

/** The piece with bounds drawn in to its own numbers; a short list of numbers where that is simpler. */
export function tidyPiece(piece: NumberPiece): NumberPiece[] {
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
export function listPiece(piece: NumberPiece, max: bigint): Decimal[] | undefined {
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

/** Whether a number lies between the cuts of a piece. */
export function isBetween(value: Decimal, { low, high }: NumberPiece): boolean {
  const above = low === undefined ? 1 : compareDecimals(value, low.value);
  const below = high === undefined ? -1 : compareDecimals(value, high.value);
  return (above > 0 || (above === 0 && !low?.after)) && (below < 0 || (below === 0 && high?.after === true));
}

/** Negative, zero or positive as `a` is before, at or after `b`. */
export function compareCuts(a: Cut, b: Cut): number {
  return compareDecimals(a.value, b.value) || Number(a.after) - Number(b.after);
}

/** Whether the divisors of a piece need no more than `budget` states, and the work to find these states is bounded. */
export function isAffordable(piece: NumberPiece, budget: number): boolean {
  return stepsCost(piece.steps) <= budget && stepsRemainders(piece.steps) <= mostRemainders(piece);
}

/** A larger piece that is affordable. */
export function loosenPiece(piece: NumberPiece, budget: number): NumberPiece {
  return { ...piece, steps: loosenSteps(piece.steps, Math.min(budget, mostRemainders(piece))) };
}

/** Remainders that may be told apart beside the digits, of which those of bounds have three states each. */
function mostRemainders({ low, high, steps }: NumberPiece): number {
  const whole = [low, high].map((cut) => (cut === undefined ? 0 : decimalText(cut.value).length));
  const scales = divisorsOf(steps).map(({ exponent }) => Math.max(0, -exponent));
  const digits = whole.reduce((sum, length) => sum + length, 2) + Math.max(0, ...scales);
  return Math.min(largestFactor, Math.floor(mostRawStates / (3 * digits)));
}
