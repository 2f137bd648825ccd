// Conditions on divisibility under and, or, not: multiples of some numbers and not of others, in a small normal form.
import {
  compareDecimals,
  type Decimal,
  decimalText,
  isDecimalMultiple,
  leastCommonMultiple,
} from "./decimal.ts";

/** Numbers that are a multiple of `multiple` (any number where there is none) and of none of `except`. */
export interface Step {
  readonly multiple: Decimal | undefined;
  readonly except: readonly Decimal[];
}

/** Numbers of at least one of the steps. */
export type Steps = readonly Step[];

/** The largest remainder that is ever worked out; larger divisors must be loosened. */
export const largestFactor = 5000;

export const everyStep: Steps = [{ multiple: undefined, except: [] }];

export function stepsOf(multiple: Decimal): Steps {
  return [{ multiple, except: [] }];
}

export function andSteps(a: Steps, b: Steps): Steps {
  if (isEveryStep(a)) return b;
  if (isEveryStep(b)) return a;
  return normalise(a.flatMap((left) => b.map((right) => both(left, right))));
}

export function orSteps(a: Steps, b: Steps): Steps {
  return normalise([...a, ...b]);
}

export function notSteps(steps: Steps): Steps {
  return steps.reduce<Steps>((rest, step) => andSteps(rest, notStep(step)), everyStep);
}

export function isEveryStep(steps: Steps): boolean {
  return steps.some((step) => step.multiple === undefined && step.except.length === 0);
}

export function satisfiesSteps(steps: Steps, value: Decimal): boolean {
  return steps.some(
    ({ multiple, except }) =>
      (multiple === undefined || isDecimalMultiple(value, multiple)) &&
      except.every((divisor) => !isDecimalMultiple(value, divisor)),
  );
}

/** About how many states the remainders by all divisors together take. */
export function stepsCost(steps: Steps): number {
  return divisorsOf(steps).reduce((product, divisor) => product * divisorCost(divisor), 1);
}

/** Zeros at the end are counted one by one; of twos and fives, only as many last digits matter as there are of them. */
function divisorCost({ digits, exponent }: Decimal): number {
  const zeros = 1 + Math.max(0, exponent);
  if (digits > BigInt(largestFactor)) return Number(digits) * zeros;
  let rest = Number(digits);
  let matter = 1;
  for (const factor of [2, 5]) {
    for (; rest % factor === 0; rest /= factor) matter++;
  }
  return rest * matter * zeros;
}

/** How many remainders there are before states of equal meaning are joined. */
export function stepsRemainders(steps: Steps): number {
  return divisorsOf(steps).reduce(
    (product, { digits, exponent }) => product * Number(digits) * (1 + Math.max(0, exponent)),
    1,
  );
}

/** Every number that the steps divide by, once. */
export function divisorsOf(steps: Steps): readonly Decimal[] {
  const found = new Map<string, Decimal>();
  for (const { multiple, except } of steps) {
    for (const divisor of multiple === undefined ? except : [multiple, ...except]) {
      found.set(decimalText(divisor), divisor);
    }
  }
  return [...found.values()];
}

/** Steps that hold for more numbers and take at most about `budget` remainders: coarser divisors, and no exceptions. */
export function loosenSteps(steps: Steps, budget: number): Steps {
  const share = Math.max(1, Math.floor(budget ** (1 / steps.length)));
  return normalise(
    steps.map(({ multiple }) => ({ multiple: multiple && coarserDivisor(multiple, share), except: [] })),
  );
}

/** The largest number of which the divisor is a multiple and whose remainders take at most `most` states. */
function coarserDivisor(divisor: Decimal, most: number): Decimal {
  const { digits, exponent } = divisor;
  for (let factor = BigInt(most); factor > 1n; factor--) {
    if (digits % factor === 0n) return { digits: factor, exponent };
  }
  return { digits: 1n, exponent };
}

export function stepsKey(steps: Steps): string {
  return steps.map(stepKey).join("|");
}

function both(a: Step, b: Step): Step {
  const multiple =
    a.multiple === undefined || b.multiple === undefined
      ? (a.multiple ?? b.multiple)
      : leastCommonMultiple(a.multiple, b.multiple);
  return { multiple, except: [...a.except, ...b.except] };
}

function notStep(step: Step): Steps {
  const outside: Step[] = step.except.map((multiple) => ({ multiple, except: [] }));
  if (step.multiple !== undefined) outside.push({ multiple: undefined, except: [step.multiple] });
  return outside;
}

function normalise(steps: readonly Step[]): Steps {
  let list = steps.flatMap(tidyStep);
  for (let joined = joinPair(list); joined !== undefined; joined = joinPair(list)) list = joined;
  const byKey = new Map(list.map((step) => [stepKey(step), step]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, step]) => step);
}

/** Writes the exceptions as multiples of the step itself and drops those that others imply; nothing left: no step. */
function tidyStep({ multiple, except }: Step): Step[] {
  const inside = except.map((divisor) =>
    multiple === undefined ? divisor : leastCommonMultiple(multiple, divisor),
  );
  if (inside.some((divisor) => multiple !== undefined && compareDecimals(divisor, multiple) === 0)) return [];
  inside.sort(compareDecimals);
  const kept: Decimal[] = [];
  for (const divisor of inside) {
    if (!kept.some((smaller) => isDecimalMultiple(divisor, smaller))) kept.push(divisor);
  }
  return [{ multiple, except: kept }];
}

/** One step less, where one of them holds another or fills the gap of another. */
function joinPair(list: readonly Step[]): Step[] | undefined {
  for (const [i, wide] of list.entries()) {
    for (const [j, narrow] of list.entries()) {
      if (i === j) continue;
      if (holds(wide, narrow)) return list.filter((_, at) => at !== j);
      const gap = wide.except.find(
        (divisor) => narrow.multiple && compareDecimals(divisor, narrow.multiple) === 0,
      );
      if (gap === undefined) continue;
      const filled = { multiple: wide.multiple, except: wide.except.filter((divisor) => divisor !== gap) };
      const same = stepKey({ multiple: gap, except: [] });
      const wanted = tidyStep({ multiple: gap, except: filled.except });
      if ((wanted[0] === undefined ? same : stepKey(wanted[0])) === stepKey(narrow)) {
        return [...list.filter((_, at) => at !== i && at !== j), filled];
      }
    }
  }
  return undefined;
}

function holds(wide: Step, narrow: Step): boolean {
  if (wide.multiple !== undefined) {
    if (narrow.multiple === undefined || !isDecimalMultiple(narrow.multiple, wide.multiple)) return false;
  }
  return wide.except.every((divisor) => {
    const inside = narrow.multiple === undefined ? divisor : leastCommonMultiple(narrow.multiple, divisor);
    return narrow.except.some((other) => isDecimalMultiple(inside, other));
  });
}

function stepKey({ multiple, except }: Step): string {
  const own = multiple === undefined ? "" : decimalText(multiple);
  return except.length === 0 ? own : `${own}!${except.map(decimalText).join("!")}`;
}
