import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMatcher } from "../../src/gbnf-builder/matcher.ts";
import { doesCapDigits, emitNumber } from "../../src/schema-grammar/emit-numbers.ts";
import {
  andNumbers,
  anyNumber,
  containsNumber,
  finiteNumbers,
  integers,
  isAnyNumber,
  isNoNumber,
  multiplesOf,
  type NumberSet,
  noNumber,
  notNumbers,
  numbersFrom,
  numbersOf,
  numbersTo,
  orNumbers,
} from "../../src/schema-grammar/number-set.ts";
import { createValidator } from "../../src/schema-grammar/validator.ts";
import { grammarOf, repeatableRandom, sampleTexts } from "./sample-texts.ts";

const and = (...sets: NumberSet[]): NumberSet => sets.reduce((a, b) => andNumbers(a, b).numbers, anyNumber);
const or = (a: NumberSet, b: NumberSet): NumberSet => orNumbers(a, b).numbers;
const not = (a: NumberSet): NumberSet => notNumbers(a).numbers;
const grammar = (set: NumberSet, digits?: number) =>
  grammarOf((context) => emitNumber(set, context, { digits }));

describe("number sets", () => {
  it("knows nothing and everything however they come about", () => {
    expect(isNoNumber(noNumber)).toBe(true);
    expect(isAnyNumber(not(noNumber))).toBe(true);
    expect(isNoNumber(and(numbersFrom(2), numbersTo(1)))).toBe(true);
    expect(isNoNumber(and(numbersFrom(1, true), numbersTo(1)))).toBe(true);
    expect(isNoNumber(and(integers, numbersFrom(1.2), numbersTo(1.8)))).toBe(true);
    expect(isNoNumber(and(multiplesOf(7), numbersFrom(1), numbersTo(6)))).toBe(true);
    expect(isNoNumber(and(multiplesOf(4), not(multiplesOf(2))))).toBe(true);
    expect(isNoNumber(and(multiplesOf(2), not(multiplesOf(4)), numbersFrom(4), numbersTo(5)))).toBe(true);
    expect(isAnyNumber(or(numbersTo(3), numbersFrom(2)))).toBe(true);
    expect(isAnyNumber(or(numbersTo(3, true), numbersFrom(3)))).toBe(true);
    expect(isAnyNumber(or(numbersTo(3, true), numbersFrom(3, true)))).toBe(false);
    expect(isAnyNumber(or(integers, not(integers)))).toBe(true);
    expect(isAnyNumber(or(or(multiplesOf(2), not(multiplesOf(2))), numbersOf([1])))).toBe(true);
  });

  it("gives equal sets of simple form equal keys", () => {
    expect(and(integers, numbersFrom(0, true)).key).toBe(and(integers, numbersFrom(1)).key);
    expect(and(integers, numbersFrom(0.5), numbersTo(3.2)).key).toBe(
      and(numbersTo(3), integers, numbersFrom(1)).key,
    );
    expect(and(multiplesOf(4), multiplesOf(6)).key).toBe(multiplesOf(12).key);
    expect(and(multiplesOf(0.5), multiplesOf(0.2)).key).toBe(multiplesOf(1).key);
    expect(and(integers, multiplesOf(0.1)).key).toBe(integers.key);
    expect(numbersOf([2, 1, 2]).key).toBe(or(numbersOf([1]), numbersOf([2])).key);
    expect(and(numbersFrom(5), numbersTo(5)).key).toBe(numbersOf([5]).key);
    expect(not(not(numbersOf([1, 2.5]))).key).toBe(numbersOf([1, 2.5]).key);
    expect(numbersFrom(1).key).not.toBe(numbersFrom(1, true).key);
    expect(integers.key).not.toBe(anyNumber.key);
  });

  it("is exact about decimals and about numbers of any size", () => {
    expect(containsNumber(multiplesOf(0.1), 0.3)).toBe(true);
    expect(containsNumber(multiplesOf(0.01), 4.35)).toBe(true);
    expect(containsNumber(multiplesOf(0.01), 4.355)).toBe(false);
    expect(containsNumber(multiplesOf(1e-7), 3e-7)).toBe(true);
    expect(containsNumber(integers, 1e308)).toBe(true);
    expect(containsNumber(integers, 1.0)).toBe(true);
    expect(containsNumber(multiplesOf(3), 1e300)).toBe(false);
    expect(containsNumber(numbersTo(1e-300), 2e-300)).toBe(false);
    expect(containsNumber(numbersFrom(-0), 0)).toBe(true);
    expect(containsNumber(anyNumber, Number.NaN)).toBe(false);
  });

  it("lists what is finite and small", () => {
    expect(finiteNumbers(and(integers, numbersFrom(-2), numbersTo(2)), 5)).toEqual([-2, -1, 0, 1, 2]);
    expect(finiteNumbers(and(integers, numbersFrom(-2), numbersTo(2)), 4)).toBeUndefined();
    expect(finiteNumbers(numbersOf([3, -1.5]), 2)).toEqual([-1.5, 3]);
    expect(finiteNumbers(and(multiplesOf(2), not(multiplesOf(3)), numbersFrom(0), numbersTo(10)), 9)).toEqual(
      [2, 4, 8, 10],
    );
    expect(finiteNumbers(and(numbersFrom(0), numbersTo(1)), 100)).toBeUndefined();
    expect(finiteNumbers(integers, 1000)).toBeUndefined();
    expect(finiteNumbers(noNumber, 0)).toEqual([]);
  });

  it("loosens a divisor that needs too many states, and says so", () => {
    const odd = andNumbers(multiplesOf(0.123456789), anyNumber);
    expect(odd.exact).toBe(false);
    expect(containsNumber(odd.numbers, 0.123456789)).toBe(true);
    expect(containsNumber(odd.numbers, 0.1234567891)).toBe(false);
    expect(andNumbers(multiplesOf(1997), integers).exact).toBe(true);
    expect(andNumbers(multiplesOf(1e9), integers).exact).toBe(true);
    expect(andNumbers(multiplesOf(1997), integers, 100).exact).toBe(false);
    expect(andNumbers(multiplesOf(2.125), anyNumber).exact).toBe(true);
    const powers = andNumbers(notNumbers(multiplesOf(4096)).numbers, multiplesOf(3125));
    expect(powers.exact).toBe(false);
    expect(containsNumber(powers.numbers, 3125)).toBe(true);
    const far = andNumbers(multiplesOf(1999), and(numbersFrom(-1e300), numbersTo(1e300)));
    expect(far.exact).toBe(false);
    expect(createMatcher(grammar(far.numbers)).accepts("1999")).toBe(true);
    expect(notNumbers(multiplesOf(2003)).exact).toBe(false);
    expect(containsNumber(notNumbers(multiplesOf(2003)).numbers, 5)).toBe(true);
  });
});

describe("numbers as JSON text", () => {
  const table: [name: string, set: NumberSet, accepted: string[], refused: string[]][] = [
    [
      "any number",
      anyNumber,
      ["0", "-1", "12.50", "1e5", "1.5E+10", "-2.5e-3", "1e+21", "1.7976931348623157e+307", "5e-323"],
      ["-0", "01", "1.", ".5", "+1", "1e999", "NaN", "", "-", "0x1", "1e"],
    ],
    ["integers", integers, ["0", "-7", "12345678901234567890"], ["1.0", "1e3", "-0", "007", "1.5"]],
    [
      "an integer range",
      and(integers, numbersFrom(-5), numbersTo(12)),
      ["-5", "0", "9", "12"],
      ["-6", "13", "1.5"],
    ],
    [
      "a unit interval",
      and(numbersFrom(0), numbersTo(1)),
      ["0", "0.5", "1", "1.0", "1e-7"],
      ["1.01", "-0.1", "2"],
    ],
    ["above zero", numbersFrom(0, true), ["0.001", "1", "1e21"], ["0", "0.0", "-1"]],
    ["below zero", numbersTo(0, true), ["-0.5", "-1e30"], ["0", "-0", "-0.0", "1"]],
    [
      "decimal bounds",
      and(numbersFrom(-1.25), numbersTo(3.5, true)),
      ["-1.25", "3.49999", "0"],
      ["-1.251", "3.5", "3.50"],
    ],
    [
      "cents",
      and(multiplesOf(0.01), numbersFrom(0)),
      ["0", "0.5", "12.34", "0.10"],
      ["0.001", "0.100", "-1"],
    ],
    [
      "multiples of 250",
      and(multiplesOf(250), numbersFrom(1)),
      ["250", "1000", "10750"],
      ["0", "100", "260"],
    ],
    ["all but some", not(numbersOf([0, 2.5])), ["1", "2.4", "2.51", "-2.5"], ["0", "0.0", "2.5", "2.50"]],
    [
      "listed",
      numbersOf([10, -1.5, 1e21, 1e-7]),
      ["10", "-1.5", "1000000000000000000000", "0.0000001"],
      ["1", "1.5"],
    ],
    [
      "huge bounds",
      and(integers, numbersFrom(1e20), numbersTo(12e22)),
      ["100000000000000000000", "120000000000000000000000"],
      ["99999999999999999999", "120000000000000000000001"],
    ],
  ];

  it.each(table)("%s", (_, set, accepted, refused) => {
    const matcher = createMatcher(grammar(set));
    for (const text of accepted) expect([text, matcher.accepts(text)]).toEqual([text, true]);
    for (const text of refused) expect([text, matcher.accepts(text)]).toEqual([text, false]);
  });

  it.each(table)("%s: every text is a member", (_, set) => {
    const texts = sampleTexts(grammar(set, 6), { count: 200, length: 40, random: repeatableRandom(3) });
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts)
      expect([text, containsNumber(set, JSON.parse(text) as number)]).toEqual([text, true]);
  });

  it("caps digits only where a bound does not need more", () => {
    const capped = createMatcher(grammar(integers, 5));
    expect(capped.accepts("12345")).toBe(true);
    expect(capped.accepts("123456")).toBe(false);
    const bounded = createMatcher(grammar(and(integers, numbersFrom(1_000_000), numbersTo(9_999_999)), 3));
    expect(bounded.accepts("1234567")).toBe(true);
    const fraction = createMatcher(grammar(and(numbersFrom(0), numbersTo(1)), 3));
    expect(fraction.accepts("0.125")).toBe(true);
    expect(fraction.accepts("0.1251")).toBe(false);
    expect(doesCapDigits(integers, 5)).toBe(true);
    expect(doesCapDigits(and(integers, numbersFrom(0), numbersTo(9)), 1)).toBe(false);
    expect(doesCapDigits(and(numbersFrom(0), numbersTo(1)), 16)).toBe(true);
    expect(doesCapDigits(numbersOf([0.123456]), 2)).toBe(false);
  });

  it("agrees with the validator on random bounds and divisors, and with logic on their combinations", () => {
    const values = [
      0, 1, -1, 2, 3, 5, 9, 10, 12, 99, 100, 101, 0.5, -0.5, 1.25, -3.75, 0.1, 0.01, 20, -100, 1000, 7.5,
    ];
    const value = fc.constantFrom(...values);
    type Model = { set: NumberSet; schema: Record<string, unknown> };
    const leaf: fc.Arbitrary<Model> = fc.oneof(
      value.map((v) => ({ set: numbersFrom(v), schema: { minimum: v } })),
      value.map((v) => ({ set: numbersFrom(v, true), schema: { exclusiveMinimum: v } })),
      value.map((v) => ({ set: numbersTo(v), schema: { maximum: v } })),
      value.map((v) => ({ set: numbersTo(v, true), schema: { exclusiveMaximum: v } })),
      fc
        .constantFrom(1, 2, 3, 7, 0.5, 0.25, 0.1, 1.5, 10, 25)
        .map((v) => ({ set: multiplesOf(v), schema: { multipleOf: v } })),
      fc.constant({ set: integers, schema: { type: "integer" } }),
      fc
        .subarray(values, { minLength: 1, maxLength: 3 })
        .map((list) => ({ set: numbersOf(list), schema: { enum: list } })),
    );
    const { model } = fc.letrec<{ model: Model }>((tie) => ({
      model: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        leaf,
        fc.tuple(tie("model"), tie("model")).map(([a, b]) => ({
          set: and(a.set, b.set),
          schema: { allOf: [a.schema, b.schema] },
        })),
        fc.tuple(tie("model"), tie("model")).map(([a, b]) => ({
          set: or(a.set, b.set),
          schema: { anyOf: [a.schema, b.schema] },
        })),
        tie("model").map((a) => ({ set: not(a.set), schema: { not: a.schema } })),
      ),
    }));
    const probes = [
      ...values,
      ...values.map((v) => -v),
      4,
      6,
      8,
      11,
      14,
      21,
      50,
      75,
      98,
      350,
      0.75,
      2.5,
      3.3,
      9.99,
      1.75,
    ];
    fc.assert(
      fc.property(model, ({ set, schema }) => {
        const validate = createValidator(schema);
        const matcher = createMatcher(grammar(set));
        for (const probe of probes) {
          const valid = validate(probe).length === 0;
          const text = JSON.stringify(probe);
          expect([probe, containsNumber(set, probe), matcher.accepts(text)]).toEqual([probe, valid, valid]);
        }
        if (isNoNumber(set)) expect(matcher.canContinue(matcher.start)).toBe(false);
      }),
      { numRuns: 120 },
    );
  });
});
