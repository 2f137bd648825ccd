// Java and JavaScript literals as BFCL reads them. The values are those of bfcl-eval 2026.3.23, whose own code
// `npm run verify:bfcl-checker` asks over whole answers.
import { describe, expect, it } from "vitest";
import { readJava } from "../../../src/bench/bfcl/java-literals.ts";
import { readJavascript } from "../../../src/bench/bfcl/javascript-literals.ts";
import { pythonFloat, pythonInt } from "../../../src/bench/bfcl/python-numbers.ts";
import { type PythonValue, parsePython, printPython } from "../../../src/bench/bfcl/python-value.ts";
import { toLiterals } from "../../../src/bench/bfcl/to-literals.ts";

type Row = readonly [text: string, type: string, itemType: string | undefined, json: string];

const shown = (value: PythonValue) => printPython(value);
const same = (json: string) => printPython(parsePython(json));

describe("Java", () => {
  const rows: readonly Row[] = [
    ["true", "boolean", undefined, "true"],
    ["True", "boolean", undefined, '"True"'],
    ["-123", "integer", undefined, "-123"],
    ["12.5", "integer", undefined, '"12.5"'],
    ["3.14f", "float", undefined, "3.14"],
    ["3.14", "float", undefined, '"3.14"'],
    ["3e3F", "float", undefined, "3000.0"],
    ["3.14", "double", undefined, "3.14"],
    ["3.14f", "double", undefined, '"3.14f"'],
    ["9223372036854775807L", "long", undefined, "9223372036854775807"],
    ["123", "long", undefined, '"123"'],
    ["123", "any", undefined, '"123"'],
    ['"abc"', "String", undefined, '"\\"abc\\""'],
    ["new int[]{1, 2, 3}", "Array", "integer", "[1, 2, 3]"],
    ["new int[] { }", "Array", "integer", "[]"],
    ["new long[]{1L, 2, 3L}", "Array", "long", '[1, "2", 3]'],
    // Strings of an array keep their quotes, those of a list lose them.
    ['new String[]{"a", "b"}', "Array", "String", '["\\"a\\"", "\\"b\\""]'],
    ['new ArrayList<>(Arrays.asList("a", "b"))', "ArrayList", "String", '["a", "b"]'],
    ['new ArrayList<>(Arrays.asList(1, "abc", true))', "ArrayList", undefined, '[1, "abc", true]'],
    ["new ArrayList<Float>() {{ add(1.0f); add(2.0f); }}", "ArrayList", "float", "[1.0, 2.0]"],
    ["new ArrayList<>()", "ArrayList", "integer", "[]"],
    ["numbers", "ArrayList", "integer", '"numbers"'],
    ["new HashMap<>()", "HashMap", undefined, "{}"],
    ["new HashMap<>() {{ }}", "HashMap", undefined, "{}"],
    [
      'new HashMap<String, Object>() {{ put("k1", 123); put("k2", true); put("k3", "v 1"); }}',
      "HashMap",
      undefined,
      '{"k1": 123, "k2": true, "k3": "v 1"}',
    ],
  ];
  it.each(rows)("%j as %s of %s is %s", (text, type, itemType, json) => {
    expect(shown(readJava(text, type, itemType))).toBe(same(json));
  });
});

describe("JavaScript", () => {
  const rows: readonly Row[] = [
    ["true", "Boolean", undefined, "true"],
    ["123", "integer", undefined, "123"],
    ["123.45", "integer", undefined, '"123.45"'],
    ["3", "float", undefined, "3.0"],
    ["123n", "Bigint", undefined, "123"],
    ["abc", "String", undefined, '"abc"'],
    ["'abc'", "String", undefined, '"abc"'],
    ["[1, 2, 3]", "array", "integer", "[1, 2, 3]"],
    ["new Array(4.4, 5.5)", "array", "float", "[4.4, 5.5]"],
    ["[1, 'two', true]", "array", undefined, '[1, "two", true]'],
    ['["hello", "!"]', "array", "String", '["hello", "!"]'],
    [" [ [ 1, 2 ], [ 3,   4], [5, 6]]", "array", "array", "[[1, 2], [3, 4], [5, 6]]"],
    ["new Array([1, 2], [3, 4])", "array", "array", "[[1, 2], [3, 4]]"],
    ["[]", "array", "integer", "[]"],
    ["items", "array", "integer", '"items"'],
    ["{}", "dict", undefined, "{}"],
    [
      "{'key1': 123, 'key2': 'value', key3: false}",
      "dict",
      undefined,
      '{"key1": 123, "key2": "value", "key3": false}',
    ],
    [
      '{"state": stateObject, "wares": ["a", "b"]}',
      "dict",
      undefined,
      '{"state": "stateObject", "wares": ["a", "b"]}',
    ],
  ];
  it.each(rows)("%j as %s of %s is %s", (text, type, itemType, json) => {
    expect(shown(readJavascript(text, type, itemType))).toBe(same(json));
  });
});

describe("Python's numbers", () => {
  it.each([
    ["5", 5n],
    [" +5 ", 5n],
    ["1_000", 1000n],
    ["5.0", undefined],
    ["1__0", undefined],
    ["", undefined],
  ])("int(%j)", (text, value) => {
    expect(pythonInt(text)).toBe(value);
  });
  it.each([
    ["5.", 5],
    [".5", 0.5],
    ["-1e3", -1000],
    ["-inf", Number.NEGATIVE_INFINITY],
    ["NaN", Number.NaN],
    ["1e", undefined],
    [".", undefined],
  ])("float(%j)", (text, value) => {
    expect(pythonFloat(text)).toBe(value);
  });
});

it("tells models that literals are wanted, as BFCL does", () => {
  const parameters = {
    type: "dict",
    properties: {
      ids: { type: "ArrayList", items: { type: "long" }, description: "Ids." },
      any: { type: "any", description: "Anything." },
    },
    required: ["ids"],
  };
  expect(toLiterals(parameters, "java")).toEqual({
    type: "dict",
    properties: {
      ids: {
        type: "string",
        description:
          "Ids. This is Java ArrayList type parameter in string representation. The list elements are of type long; they are not in string representation.",
      },
      any: {
        type: "string",
        description: "Anything. This parameter can be of any type of Java object in string representation.",
      },
    },
    required: ["ids"],
  });
});
