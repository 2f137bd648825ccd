import { describe, expect, it } from "vitest";
import { isEqual, parsePython, printPython, typeOf } from "../../../src/bench/bfcl/python-value.ts";

describe("parsePython", () => {
  it.each([
    ["5", "int"],
    ["5.0", "float"],
    ["5e0", "float"],
    ["-0", "int"],
    ["true", "bool"],
    ["null", "NoneType"],
    ['"5"', "str"],
    ["[]", "list"],
    ["{}", "dict"],
  ])("%s is a %s", (text, type) => {
    expect(typeOf(parsePython(text))).toBe(type);
  });

  it("keeps integers of any size, numbers inside strings, and odd keys", () => {
    const text = String.raw`{"a 1": 9007199254740993, "\"2": "3 \\", "__proto__": [1.5, -7]}`;
    const value = parsePython(text);
    expect([...(value as ReadonlyMap<string, unknown>)]).toEqual([
      ["a 1", 9007199254740993n],
      ['"2', "3 \\"],
      ["__proto__", [1.5, -7n]],
    ]);
    expect(printPython(value)).toBe(text);
  });

  it.each(["{1: 2}", "[1,]", "", "01"])("refuses %s", (text) => {
    expect(() => parsePython(text)).toThrow(SyntaxError);
  });
});

it.each([
  ["1", "1.0", true],
  ["1", "true", true],
  ["0.0", "false", true],
  ["9007199254740993", "9007199254740992.0", false],
  ['"1"', "1", false],
  ["null", "false", false],
  ['{"a": 1, "b": [2]}', '{"b": [2.0], "a": 1}', true],
  ["[1, 2]", "[2, 1]", false],
])("%s == %s: %s", (a, b, equal) => {
  expect(isEqual(parsePython(a), parsePython(b))).toBe(equal);
});
