import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/vocabulary/index.ts";
import { type Matcher, matchesExpected } from "../with-model/prompts/match-expected.ts";

interface Case {
  readonly says: string;
  readonly keys: Readonly<Record<string, Matcher>>;
  readonly input: JsonObject;
  readonly reason: string;
}

const optionalUnit: Matcher = { values: ["m"], optional: true };
const twoLabels: Matcher = { items: [["bug"], ["urgent"]], anyOrder: true };

const cases: readonly Case[] = [
  { says: "takes no arguments where none are wanted", keys: {}, input: {}, reason: "" },
  {
    says: "refuses an argument that is not declared",
    keys: {},
    input: { a: 1 },
    reason: "/a is not wanted, came 1",
  },
  { says: "refuses a missing argument", keys: { a: [1] }, input: {}, reason: "/a is missing" },
  { says: "takes any listed value", keys: { a: [1, "one"] }, input: { a: "one" }, reason: "" },
  {
    says: "refuses a number for a text",
    keys: { a: ["1"] },
    input: { a: 1 },
    reason: '/a is 1 instead of "1"',
  },
  {
    says: "refuses a text for a number",
    keys: { a: [1] },
    input: { a: "1" },
    reason: '/a is "1" instead of 1',
  },
  { says: "trims texts", keys: { a: ["x y"] }, input: { a: " x y\n" }, reason: "" },
  {
    says: "keeps spaces inside texts",
    keys: { a: ["xy"] },
    input: { a: "x y" },
    reason: '/a is "x y" instead of "xy"',
  },
  {
    says: "minds case by default",
    keys: { a: ["Oslo"] },
    input: { a: "oslo" },
    reason: '/a is "oslo" instead of "Oslo"',
  },
  {
    says: "ignores case on request",
    keys: { a: { values: ["Oslo"], ignoreCase: true } },
    input: { a: "OSLO" },
    reason: "",
  },
  { says: "lets an optional argument be absent", keys: { unit: optionalUnit }, input: {}, reason: "" },
  {
    says: "refuses a wrong value of an optional argument",
    keys: { unit: optionalUnit },
    input: { unit: "ft" },
    reason: '/unit is "ft" instead of "m"',
  },
  {
    says: "refuses null for an absent argument",
    keys: { unit: optionalUnit },
    input: { unit: null },
    reason: '/unit is null instead of "m"',
  },
  { says: "goes into objects", keys: { a: { keys: { b: [2] } } }, input: { a: { b: 2 } }, reason: "" },
  {
    says: "refuses an undeclared key inside an object",
    keys: { a: { keys: { b: [2] } } },
    input: { a: { b: 2, c: 3 } },
    reason: "/a/c is not wanted, came 3",
  },
  {
    says: "refuses an array where an object is wanted",
    keys: { a: { keys: {} } },
    input: { a: [] },
    reason: "/a is no object, came []",
  },
  {
    says: "refuses a text where an array is wanted",
    keys: { a: { items: [["x"]] } },
    input: { a: "x" },
    reason: '/a is no array, came "x"',
  },
  {
    says: "compares items in order",
    keys: { a: { items: [[1], [2]] } },
    input: { a: [2, 1] },
    reason: "/a/0 is 2 instead of 1",
  },
  {
    says: "compares items in any order on request",
    keys: { a: twoLabels },
    input: { a: ["urgent", "bug"] },
    reason: "",
  },
  {
    says: "does not count one item for two",
    keys: { a: twoLabels },
    input: { a: ["bug", "bug"] },
    reason: '/a does not hold the wanted items, came ["bug","bug"]',
  },
  {
    says: "tries every assignment in any order",
    keys: { a: { items: [["x", "y"], ["x"]], anyOrder: true } },
    input: { a: ["x", "y"] },
    reason: "",
  },
  {
    says: "counts items",
    keys: { a: twoLabels },
    input: { a: ["bug", "urgent", "bug"] },
    reason: "/a has 3 items instead of 2",
  },
  {
    says: "compares listed objects and arrays by value",
    keys: { a: [{ b: [1] }] },
    input: { a: { b: [1] } },
    reason: "",
  },
  {
    says: "is not fooled by inherited names",
    keys: {},
    input: { constructor: 1 },
    reason: "/constructor is not wanted, came 1",
  },
];

describe("matchesExpected", () => {
  it.each(cases)("$says", ({ keys, input, reason }) => {
    const verdict = matchesExpected({ name: "f", input }, { name: "f", arguments: keys });
    expect(verdict).toEqual({ ok: reason === "", reason });
  });

  it("refuses another tool whatever its arguments", () => {
    const verdict = matchesExpected({ name: "g", input: {} }, { name: "f", arguments: {} });
    expect(verdict).toEqual({ ok: false, reason: "tool g instead of f" });
  });
});
