import { describe, expect, test } from "vitest";
import { joinPointer, pointerSteps } from "../../src/vocabulary/index.ts";

/** The examples of RFC 6901, section 5, and keys that are easily escaped in the wrong order. */
const cases: readonly (readonly [pointer: string, steps: readonly string[]])[] = [
  ["", []],
  ["/foo", ["foo"]],
  ["/foo/0", ["foo", "0"]],
  ["/", [""]],
  ["/a~1b", ["a/b"]],
  ["/c%d", ["c%d"]],
  ["/ ", [" "]],
  ["/m~0n", ["m~n"]],
  ["/~01", ["~1"]],
  ["/~10", ["/0"]],
  ["/~0~1//x", ["~/", "", "x"]],
];

describe("a JSON pointer", () => {
  test.each(cases)("%j names the steps %j", (pointer, steps) => {
    expect(pointerSteps(pointer)).toEqual(steps);
  });

  test.each(cases)("%j is what joining the steps %j gives", (pointer, steps) => {
    expect(steps.reduce(joinPointer, "")).toBe(pointer);
  });

  test("takes an index for a step", () => {
    expect(joinPointer("/list", 3)).toBe("/list/3");
  });
});
