import { describe, expect, it } from "vitest";
import {
  compareDecimals,
  decimalOf,
  decimalText,
  floorQuotient,
  isDecimalMultiple,
  leastCommonMultiple,
} from "../../../src/schema-grammar/languages/decimal.ts";
import {
  andSteps,
  isEveryStep,
  loosenSteps,
  notSteps,
  orSteps,
  satisfiesSteps,
  stepsCost,
  stepsKey,
  stepsOf,
} from "../../../src/schema-grammar/languages/steps.ts";

const steps = (value: number) => stepsOf(decimalOf(value));

describe("decimals", () => {
  it("are what the shortest text of a number says, written without an exponent", () => {
    const table: [number, string][] = [
      [0, "0"],
      [-0, "0"],
      [0.1, "0.1"],
      [-2.5, "-2.5"],
      [1e21, "1000000000000000000000"],
      [1.5e-7, "0.00000015"],
      [-12e22, "-120000000000000000000000"],
      [100, "100"],
    ];
    for (const [value, text] of table) expect(decimalText(decimalOf(value))).toBe(text);
  });

  it("compare and divide exactly at any size", () => {
    expect(compareDecimals(decimalOf(0.3), decimalOf(0.30000000000000004))).toBe(-1);
    expect(compareDecimals(decimalOf(1e300), decimalOf(-1e300))).toBe(1);
    expect(compareDecimals(decimalOf(10), decimalOf(1e1))).toBe(0);
    expect(isDecimalMultiple(decimalOf(0.3), decimalOf(0.1))).toBe(true);
    expect(isDecimalMultiple(decimalOf(1e300), decimalOf(0.7))).toBe(false);
    expect(floorQuotient(decimalOf(-7), decimalOf(2))).toBe(-4n);
    expect(floorQuotient(decimalOf(-6), decimalOf(2))).toBe(-3n);
    expect(floorQuotient(decimalOf(0.7), decimalOf(0.2))).toBe(3n);
    expect(decimalText(leastCommonMultiple(decimalOf(0.4), decimalOf(0.6)))).toBe("1.2");
    expect(decimalText(leastCommonMultiple(decimalOf(100), decimalOf(0.25)))).toBe("100");
  });
});

describe("conditions on divisibility", () => {
  it("combine like the sets they stand for", () => {
    expect(stepsKey(andSteps(steps(4), steps(6)))).toBe("12");
    expect(andSteps(steps(4), notSteps(steps(2)))).toEqual([]);
    expect(isEveryStep(orSteps(steps(3), notSteps(steps(3))))).toBe(true);
    expect(stepsKey(orSteps(steps(4), steps(2)))).toBe("2");
    expect(stepsKey(notSteps(notSteps(steps(5))))).toBe("5");
    // Whole numbers that are odd, or multiples of four, or two more than these.
    const odd = andSteps(steps(1), notSteps(steps(2)));
    expect(stepsKey(orSteps(odd, steps(2)))).toBe("1");
    const either = orSteps(odd, steps(4));
    const members = [0, 1, 2, 3, 4, 5, 6, 7, 8, 0.5].filter((value) =>
      satisfiesSteps(either, decimalOf(value)),
    );
    expect(members).toEqual([0, 1, 3, 4, 5, 7, 8]);
  });

  it("loosen to divisors of their divisors", () => {
    expect(stepsCost(steps(1000))).toBe(4);
    expect(stepsCost(steps(2.125))).toBe(17 * 4);
    expect(stepsCost(steps(7919))).toBe(7919);
    expect(stepsKey(loosenSteps(steps(1001), 100))).toBe("91");
    expect(stepsKey(loosenSteps(steps(1.001), 100))).toBe("0.091");
    expect(isEveryStep(loosenSteps(notSteps(steps(2003)), 100))).toBe(true);
    expect(stepsKey(loosenSteps(steps(50), 100))).toBe("50");
  });
});
