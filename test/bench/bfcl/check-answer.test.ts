// BFCL's rules as a table. The verdicts are those of bfcl-eval 2026.3.23, whose own code `npm run verify:bfcl-checker` asks.
import { describe, expect, it } from "vitest";
import { checkAnswer, type JudgedItem } from "../../../src/bench/bfcl/check-answer.ts";
import { isDict, isList, type PythonList, parsePython } from "../../../src/bench/bfcl/python-value.ts";

const properties = new Map([
  ["city", { type: "string" }],
  ["days", { type: "integer" }],
  ["limit", { type: "float" }],
  ["exact", { type: "boolean" }],
  ["marks", { type: "array", itemType: "float" }],
  ["names", { type: "array", itemType: "string" }],
  ["pair", { type: "tuple", itemType: "integer" }],
  ["where", { type: "dict" }],
  ["stops", { type: "array", itemType: "dict" }],
  ["free", { type: "any" }],
]);

/** An item with one tool `f` that expects the calls given as BFCL writes them. */
function itemOf(expected: string, category = "simple_python", required: readonly string[] = []): JudgedItem {
  const calls = parsePython(expected);
  if (!isList(calls)) throw new Error("expected calls are a list");
  return {
    category,
    tools: [
      { name: "f", properties, required },
      { name: "g.h", properties, required: [] },
    ],
    expected: calls.map((call) => {
      const [entry] = isDict(call) ? call : [];
      const [name, accepted] = entry ?? [];
      if (name === undefined || accepted === undefined || !isDict(accepted)) throw new Error("a call");
      return { name, accepted: accepted as ReadonlyMap<string, PythonList> };
    }),
  };
}

describe("one argument", () => {
  const right = undefined;
  const rows: readonly [accepted: string, given: string, fault: string | undefined][] = [
    // Strings: spaces, some punctuation and case do not count; colons and accents do.
    [`"city": ["New York, NY"]`, `"city": "new-york ny"`, right],
    [`"city": ["it's"]`, `"city": "it\\"s"`, right],
    [`"city": ["10:30"]`, `"city": "1030"`, "value_error:string"],
    [`"city": ["Café"]`, `"city": "Cafe"`, "value_error:string"],
    [`"city": ["a", "b"]`, `"city": "B."`, right],
    // Types are exact, but that a declared float takes an int.
    [`"days": [5]`, `"days": 5`, right],
    [`"days": [5]`, `"days": 5.0`, "type_error:simple"],
    [`"days": [5]`, `"days": "5"`, "type_error:simple"],
    [`"days": [1]`, `"days": true`, "type_error:simple"],
    [`"limit": [5.0]`, `"limit": 5`, right],
    [`"limit": [0.3]`, `"limit": 0.30000000000000004`, "value_error:others"],
    [`"exact": [true]`, `"exact": 1`, "type_error:simple"],
    [`"city": ["x"]`, `"city": null`, "type_error:simple"],
    // A value of the accepted value's type passes and is compared plainly.
    [`"days": ["five"]`, `"days": "five"`, right],
    [`"days": ["five"]`, `"days": "Five"`, "value_error:others"],
    [`"free": [5]`, `"free": 5`, right],
    [`"free": [5]`, `"free": "5"`, "value_error:others"],
    // Arrays: order counts, items are typed one level deep without the float's relaxation.
    [`"marks": [[1.0, 2.0]]`, `"marks": [1.0, 2.0]`, right],
    [`"marks": [[1.0, 2.0]]`, `"marks": [1, 2]`, "type_error:nested"],
    [`"names": [["Ann", "Bo"]]`, `"names": ["ann", "bo "]`, right],
    [`"names": [["Ann", "Bo"]]`, `"names": ["Bo", "Ann"]`, "value_error:list/tuple"],
    [`"names": [["Ann"], ""]`, `"names": []`, right],
    [`"pair": [[1, 2]]`, `"pair": [1, 2]`, right],
    // Dicts: each key in the accepted dict, each value in that key's list.
    [`"where": [{"x": [1], "y": ["A b", ""]}]`, `"where": {"x": 1}`, right],
    [`"where": [{"x": [1], "y": ["A b", ""]}]`, `"where": {"x": true, "y": "ab"}`, right],
    [`"where": [{"x": [1]}]`, `"where": {"x": 2}`, "value_error:dict_value"],
    [`"where": [{"x": [1]}]`, `"where": {"x": 1, "z": 1}`, "value_error:dict_key"],
    [`"where": [{"x": [1]}]`, `"where": {}`, "value_error:dict_key"],
    [`"stops": [[{"x": [1]}, {"x": [2]}]]`, `"stops": [{"x": 1}, {"x": 2}]`, right],
    [`"stops": [[{"x": [1]}, {"x": [2]}]]`, `"stops": [{"x": 2}, {"x": 1}]`, "value_error:dict_value"],
    [`"stops": [[{"x": [1]}, {"x": [2]}]]`, `"stops": [{"x": 1}]`, "value_error:list_dict_count"],
    // Parameters that are not there, or should not be.
    [`"city": ["x", ""]`, ``, right],
    [`"city": ["x"]`, ``, "simple_function_checker:missing_optional"],
    [`"city": ["x"]`, `"city": "x", "days": 1`, "simple_function_checker:unexpected_param"],
    [
      `"city": ["x"], "other": [1, ""]`,
      `"city": "x", "other": 1`,
      "simple_function_checker:unexpected_param",
    ],
  ];
  it.each(rows)("%s against %s: %s", (accepted, given, fault) => {
    expect(checkAnswer(itemOf(`[{"f": {${accepted}}}]`), parsePython(`[{"f": {${given}}}]`))).toBe(fault);
  });
});

describe("calls", () => {
  const rows: readonly [
    category: string,
    expected: string,
    answer: string,
    fault: string | undefined,
    required?: readonly string[],
  ][] = [
    ["simple_python", `[{"f": {"days": [1]}}]`, `[]`, "simple_function_checker:wrong_count"],
    [
      "simple_python",
      `[{"f": {"days": [1]}}]`,
      `[{"g": {"days": 1}}]`,
      "simple_function_checker:wrong_func_name",
    ],
    [
      "simple_python",
      `[{"f": {"days": [1, ""]}}]`,
      `[{"f": {}}]`,
      "simple_function_checker:missing_required",
      ["days"],
    ],
    ["multiple", `[{"g.h": {"days": [1]}}]`, `[{"g.h": {"days": 1}}]`, undefined],
    [
      "multiple",
      `[{"g.h": {"days": [1]}}]`,
      `[{"g_h": {"days": 1}}]`,
      "simple_function_checker:wrong_func_name",
    ],
    ["multiple", `[{"g.h": {}}]`, `[{"g.h": {}}, {"g.h": {}}]`, "multiple_function_checker:wrong_count"],
    [
      "parallel",
      `[{"f": {"days": [1]}}, {"f": {"days": [2]}}]`,
      `[{"f": {"days": 2}}, {"f": {"days": 1}}]`,
      undefined,
    ],
    // The first expected call takes the first call that fits it, and there is no going back.
    [
      "parallel",
      `[{"f": {"days": [1, 2]}}, {"f": {"days": [1]}}]`,
      `[{"f": {"days": 1}}, {"f": {"days": 2}}]`,
      "parallel_function_checker_no_order:cannot_find_match",
    ],
    ["parallel", `[{"f": {}}]`, `[]`, "parallel_function_checker_no_order:wrong_count"],
    ["simple_python", `[{"f": {}}]`, `"no call"`, "ast_decoder:decoder_failed"],
    ["simple_python", `[{"f": {}}]`, `[{"f": {}, "g": {}}]`, "ast_decoder:decoder_wrong_output_format"],
    ["irrelevance", `[]`, `"no call"`, undefined],
    ["irrelevance", `[]`, `[]`, undefined],
    ["irrelevance", `[]`, `[{}]`, undefined],
    ["irrelevance", `[]`, `[{"f": {}}]`, "irrelevance_error:decoder_success"],
    ["live_relevance", `[]`, `[{"other": {}}]`, undefined],
    ["live_relevance", `[]`, `"no call"`, "relevance_error:decoder_failed"],
  ];
  it.each(rows)("%s: %s against %s: %s", (category, expected, answer, fault, required) => {
    expect(checkAnswer(itemOf(expected, category, required), parsePython(answer))).toBe(fault);
  });
});
