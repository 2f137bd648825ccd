// Decimal texts ("0", "17", "2.50") of the numbers in some stretches of the line from zero up, as an automaton:
// digit by digit it compares with every bound and keeps the remainder by every divisor.
import type { Automaton } from "./automaton.ts";
import { alphabetOf, classOf } from "./code-points.ts";
import { type Decimal, decimalDigits, decimalText } from "./decimal.ts";
import { minimise } from "./minimise.ts";
import { divisorsOf, largestFactor, type Steps } from "./steps.ts";

/** A stretch between two bounds (none: without end), each with whether the bound itself belongs to it. */
export interface Stretch {
  readonly low: { readonly value: Decimal; readonly included: boolean } | undefined;
  readonly high: { readonly value: Decimal; readonly included: boolean } | undefined;
  readonly steps: Steps;
}

export interface NumberAutomatonOptions {
  /** Most digits before the point where a stretch has no upper bound, and most after it. Bounds may need more. */
  readonly digits: number | undefined;
  /** States before minimising. */
  readonly states: number;
}

interface Bound {
  readonly whole: string;
  readonly fraction: string;
}

/** Numbers that are `step` times a whole number, `step` being `factor * 10 ** zeros` in units of the last digit. */
interface Divisor {
  readonly factor: number;
  readonly zeros: number;
  /** Digits after the point that count. */
  readonly scale: number;
}

/** What is known of a text so far. */
interface Place {
  readonly phase: "start" | "zero" | "whole" | "point" | "fraction";
  /** Digits read in this phase, up to where counting stops to matter. */
  readonly count: number;
  /** Per bound: the digits so far against the bound's, -1, 0 or 1. In the whole part that decides only at equal length. */
  readonly orders: readonly number[];
  /** Per divisor: remainder of the number without its last zeros, and how many zeros; -1 where no multiple can come. */
  readonly remainders: readonly (readonly [remainder: number, zeros: number])[];
}

/** Undefined where the states do not suffice. The empty text, a leading zero and a point without digits are no number. */
export function numberAutomaton(
  stretches: readonly Stretch[],
  options: NumberAutomatonOptions,
): Automaton | undefined {
  const line = prepare(stretches, options);
  const alphabet = alphabetOf(
    [..."0123456789."].map((character) => [[character.charCodeAt(0), character.charCodeAt(0)]]),
  );
  const classes = [..."0123456789."].map((character) => classOf(alphabet, character.charCodeAt(0)));
  const start: Place = {
    phase: "start",
    count: 0,
    orders: line.bounds.map(() => 0),
    remainders: line.divisors.map((divisor) => [0, divisor.zeros]),
  };
  const numbers = new Map<string, number>([[placeKey(start), 0]]);
  const order = [start];
  const next: number[] = [];
  const accepting: number[] = [];
  for (let at = 0; at < order.length; at++) {
    if (order.length > options.states) return undefined;
    const place = order[at] as Place;
    accepting.push(line.ends(place) ? 1 : 0);
    const row = new Array<number>(alphabet.size).fill(-1);
    for (let symbol = 0; symbol <= 10; symbol++) {
      const following = symbol === 10 ? line.point(place) : line.digit(place, symbol);
      if (following === undefined) continue;
      const key = placeKey(following);
      let number = numbers.get(key);
      if (number === undefined) {
        number = order.length;
        numbers.set(key, number);
        order.push(following);
      }
      row[classes[symbol] as number] = number;
    }
    next.push(...row);
  }
  return minimise({
    alphabet,
    stateCount: order.length,
    next: Int32Array.from(next),
    accepting: Uint16Array.from(accepting),
  });
}

function placeKey(place: Place): string {
  let key = `${place.phase}${place.count}`;
  for (const order of place.orders) key += `;${order}`;
  for (const [remainder, zeros] of place.remainders) key += `;${remainder},${zeros}`;
  return key;
}

interface Line {
  readonly bounds: readonly Bound[];
  readonly divisors: readonly Divisor[];
  ends(place: Place): boolean;
  digit(place: Place, digit: number): Place | undefined;
  point(place: Place): Place | undefined;
}

function prepare(stretches: readonly Stretch[], options: NumberAutomatonOptions): Line {
  const values = new Map<string, Decimal>();
  for (const { low, high } of stretches) {
    for (const bound of [low, high]) if (bound) values.set(decimalText(bound.value), bound.value);
  }
  const steps = divisorsOf(stretches.flatMap((stretch) => stretch.steps));
  const bounds = [...values.values()].map(decimalDigits);
  const boundNumbers = new Map([...values.keys()].map((key, i) => [key, i]));
  const divisors = steps.map(toDivisor);
  const divisorNumbers = new Map(steps.map((divisor, i) => [decimalText(divisor), i]));
  const numberOf = (value: Decimal): number => boundNumbers.get(decimalText(value)) as number;
  const divisorOf = (value: Decimal): number => divisorNumbers.get(decimalText(value)) as number;

  const longestWhole = Math.max(0, ...bounds.map(({ whole }) => whole.length));
  const longestFraction = Math.max(0, ...bounds.map(({ fraction }) => fraction.length));
  const longestScale = Math.max(0, ...divisors.map(({ scale }) => scale));
  const wholeCap = options.digits === undefined ? undefined : Math.max(options.digits, longestWhole);
  const fractionCap =
    options.digits === undefined ? undefined : Math.max(options.digits, longestFraction, longestScale);
  // Past these counts nothing changes any more, so counting stops.
  const wholeLimit = wholeCap ?? longestWhole + 1;
  const fractionLimit = fractionCap ?? Math.max(longestFraction, longestScale) + 1;
  // Where every number is a multiple of something, more digits than its scale are never written.
  const allSteps = stretches.flatMap((stretch) => stretch.steps);
  const fractionDigits = allSteps.reduce(
    (most, { multiple }) => Math.max(most, multiple === undefined ? Infinity : toDivisor(multiple).scale),
    0,
  );

  return { bounds, divisors, ends, digit, point };

  function ends(place: Place): boolean {
    if (place.phase === "start" || place.phase === "point") return false;
    const orders =
      place.phase === "fraction" ? place.orders.map(fractionOrder(place)) : wholeOrders(place, true);
    return stretches.some((stretch) => {
      const low = stretch.low && (orders[numberOf(stretch.low.value)] as number);
      const high = stretch.high && (orders[numberOf(stretch.high.value)] as number);
      if (low !== undefined && (low < 0 || (low === 0 && !stretch.low?.included))) return false;
      if (high !== undefined && (high > 0 || (high === 0 && !stretch.high?.included))) return false;
      return stretch.steps.some(
        ({ multiple, except }) =>
          (multiple === undefined || isWrittenMultiple(place, divisorOf(multiple))) &&
          except.every((divisor) => !isMultiple(place, divisorOf(divisor))),
      );
    });
  }

  function digit(place: Place, digit: number): Place | undefined {
    switch (place.phase) {
      case "zero":
        return undefined;
      case "start":
      case "whole": {
        if (place.phase === "whole" && place.count === wholeCap) return undefined;
        const orders = place.orders.map((order, i) => {
          const expected = bounds[i]?.whole[place.count];
          if (expected === undefined) return 1;
          return order === 0 ? Math.sign(digit - Number(expected)) : order;
        });
        const phase = place.phase === "start" && digit === 0 ? "zero" : "whole";
        const count = Math.min(place.count + 1, wholeLimit);
        const following: Place = { phase, count, orders, remainders: readDigit(place, digit, () => true) };
        return canEnd(following) ? following : undefined;
      }
      case "point":
      case "fraction": {
        if (place.count >= Math.min(fractionCap ?? Infinity, fractionDigits)) return undefined;
        const orders = place.orders.map((order, i) => {
          if (order !== 0) return order;
          return Math.sign(digit - Number(bounds[i]?.fraction[place.count] ?? "0"));
        });
        const remainders = readDigit(place, digit, (divisor) => place.count < divisor.scale);
        return { phase: "fraction", count: Math.min(place.count + 1, fractionLimit), orders, remainders };
      }
      default:
        return place.phase satisfies never;
    }
  }

  function point(place: Place): Place | undefined {
    if ((place.phase !== "zero" && place.phase !== "whole") || fractionDigits === 0) return undefined;
    return { phase: "point", count: 0, orders: wholeOrders(place, false), remainders: place.remainders };
  }

  /** The whole part against each bound's, now that its length is known; at the very end the bound's fraction counts too. */
  function wholeOrders(place: Place, isEnd: boolean): number[] {
    return bounds.map(({ whole, fraction }, i) => {
      if (place.count !== whole.length) return Math.sign(place.count - whole.length);
      const order = place.orders[i] as number;
      return order === 0 && isEnd && fraction !== "" ? -1 : order;
    });
  }

  function fractionOrder(place: Place): (order: number, i: number) => number {
    return (order, i) => (order === 0 && (bounds[i]?.fraction.length ?? 0) > place.count ? -1 : order);
  }

  /** Whether some stretch may still be met once the whole part has this many digits. */
  function canEnd(place: Place): boolean {
    if (place.count <= longestWhole) return true;
    return stretches.some((stretch) => stretch.high === undefined);
  }

  function readDigit(
    place: Place,
    digit: number,
    counts: (divisor: Divisor) => boolean,
  ): Place["remainders"] {
    return place.remainders.map((state, i) => {
      const divisor = divisors[i] as Divisor;
      const [remainder, zeros] = state;
      if (remainder < 0) return state;
      if (!counts(divisor)) return digit === 0 ? state : [-1, 0];
      if (digit === 0 && zeros < divisor.zeros) return [remainder, zeros + 1];
      if (digit === 0) return [(remainder * 10) % divisor.factor, zeros];
      return [(shift(remainder, zeros, divisor) * 10 + digit) % divisor.factor, 0];
    });
  }

  function isMultiple(place: Place, i: number): boolean {
    const divisor = divisors[i] as Divisor;
    const [remainder, zeros] = place.remainders[i] as readonly [number, number];
    if (remainder < 0 || zeros < divisor.zeros) return false;
    const read = place.phase === "fraction" ? Math.min(place.count, divisor.scale) : 0;
    return shift(remainder, divisor.scale - read, divisor) === 0;
  }

  function isWrittenMultiple(place: Place, i: number): boolean {
    const { scale } = divisors[i] as Divisor;
    return isMultiple(place, i) && (place.phase !== "fraction" || place.count <= scale);
  }
}

function shift(remainder: number, digits: number, { factor }: Divisor): number {
  let shifted = remainder;
  for (let i = 0; i < digits; i++) shifted = (shifted * 10) % factor;
  return shifted;
}

/** Zeros at the end of a divisor are counted, not divided by, so that ten thousand takes four states and not as many. */
function toDivisor({ digits, exponent }: Decimal): Divisor {
  const factor = Number(digits);
  if (!Number.isSafeInteger(factor) || factor > largestFactor) {
    throw new RangeError(`a remainder by ${digits} takes too many states`);
  }
  return { factor, zeros: Math.max(0, exponent), scale: Math.max(0, -exponent) };
}
