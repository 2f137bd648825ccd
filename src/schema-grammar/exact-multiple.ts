// Whether one number is a multiple of another, by decimal arithmetic: 0.3 is a multiple of 0.1.

/** Compares the numbers as their shortest decimal texts say, not as their binary fractions divide. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [a, aScale] = toDecimal(value);
  const [b, bScale] = toDecimal(divisor);
  const scale = Math.max(aScale, bScale);
  return (a * 10n ** BigInt(scale - aScale)) % (b * 10n ** BigInt(scale - bScale)) === 0n;
}

/** The number as an integer and how many of its digits are a fraction. */
function toDecimal(value: number): readonly [digits: bigint, scale: number] {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? [digits, scale] : [digits * 10n ** BigInt(-scale), 0];
}
