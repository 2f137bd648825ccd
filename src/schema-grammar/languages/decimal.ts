// Exact decimal numbers of any size: what a JSON number's shortest text says, not its binary fraction.

/** `digits` times ten to the power of `exponent`; digits do not end in zero, and zero has exponent 0. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

export const zero: Decimal = { digits: 0n, exponent: 0 };
export const one: Decimal = { digits: 1n, exponent: 0 };

/** The decimal that JavaScript prints for a finite number. */
export function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return normalise(BigInt(whole + fraction), Number(exponent) - fraction.length);
}

/** Negative, zero or positive as `a` is below, at or above `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function negateDecimal(value: Decimal): Decimal {
  return { digits: -value.digits, exponent: value.exponent };
}

/** Whether `value` is a whole number of times `divisor`, which is not zero. */
export function isDecimalMultiple(value: Decimal, divisor: Decimal): boolean {
  const [left, right] = align(value, divisor);
  return left % right === 0n;
}

/** The least number that is a multiple of both, which are positive. */
export function leastCommonMultiple(a: Decimal, b: Decimal): Decimal {
  const [left, right] = align(a, b);
  let x = left;
  let y = right;
  while (y > 0n) [x, y] = [y, x % y];
  return normalise((left / x) * right, Math.min(a.exponent, b.exponent));
}

/** How often the divisor goes into the value, rounded down. */
export function floorQuotient(value: Decimal, divisor: Decimal): bigint {
  const [left, right] = align(value, divisor);
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

export function timesDecimal(value: Decimal, factor: bigint): Decimal {
  return normalise(value.digits * factor, value.exponent);
}

/** Digits before and after the point of a number that is not negative, without needless zeros ("0" before 0.5). */
export function decimalDigits(value: Decimal): { whole: string; fraction: string } {
  const text = String(value.digits);
  if (value.exponent >= 0) return { whole: text + "0".repeat(value.exponent), fraction: "" };
  const padded = text.padStart(1 - value.exponent, "0");
  return { whole: padded.slice(0, value.exponent), fraction: padded.slice(value.exponent) };
}

/** The number in plain digits, without an exponent. */
export function decimalText(value: Decimal): string {
  const { whole, fraction } = decimalDigits(value.digits < 0n ? negateDecimal(value) : value);
  return `${value.digits < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

function normalise(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return zero;
  const trailing = /0*$/.exec(String(digits))?.[0].length ?? 0;
  return { digits: digits / 10n ** BigInt(trailing), exponent: exponent + trailing };
}

/** Both as whole numbers of one power of ten. */
function align(a: Decimal, b: Decimal): [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.digits * 10n ** BigInt(a.exponent - exponent), b.digits * 10n ** BigInt(b.exponent - exponent)];
}
