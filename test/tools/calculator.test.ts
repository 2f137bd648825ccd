import { describe, expect, test } from "vitest";
import { calculator, ToolFailure } from "../../src/tools/index.ts";
import { toolContext } from "./tool-context.ts";

async function compute(expression: string): Promise<string | undefined> {
  return (await calculator.execute?.({ expression }, toolContext()))?.text;
}

describe("the calculator computes", () => {
  test.each([
    ["1 + 2 * 3", "7"],
    ["(1 + 2) * 3", "9"],
    ["10 - 4 - 3", "3"],
    ["100 / 10 / 5", "2"],
    ["2 ^ 3 ^ 2", "512"],
    ["2 ** 10", "1024"],
    ["-2 ^ 2", "-4"],
    ["2 ^ -1", "0.5"],
    ["--3", "3"],
    ["17 % 5", "2"],
    ["0.1 + 0.2", "0.3"],
    ["7 * 12.75", "89.25"],
    [".5 * 4", "2"],
    ["1e3 + 1", "1001"],
    ["6 × 7", "42"],
    ["84 ÷ 2", "42"],
    ["5 − 7", "-2"],
    ["sqrt(16)", "4"],
    ["SQRT(2.25)", "1.5"],
    ["round(2.5)", "3"],
    ["round(-2.5)", "-3"],
    ["round(1.005, 2)", "1.01"],
    ["round(19.999, 2)", "20"],
    ["min(3, 1, 2)", "1"],
    ["max(3, 1, 2)", "3"],
    ["sum(1, 2, 3.5)", "6.5"],
    ["avg(2, 4)", "3"],
    ["abs(-3) + floor(2.7) + ceil(2.1)", "8"],
    ["0 * -1", "0"],
  ])("%s = %s", async (expression, value) => {
    expect(await compute(expression)).toBe(`${expression} = ${value}`);
  });

  test("and says where a number is no longer exact", async () => {
    expect(await compute("9007199254740993 * 10")).toContain("(rounded to 15 digits)");
  });
});

describe("the calculator says what is wrong with", () => {
  test.each([
    ["1 / 0", "Division by zero at character 3."],
    ["5 % (2 - 2)", "Division by zero at character 3."],
    ["1 +", "Expected a number, found the end."],
    ["(1 + 2", 'Expected ")", found the end.'],
    ["1 2", "Expected an operator or the end at character 3, found 2."],
    ["1,200 * 2", "Write 1200, not 1,200."],
    ["12 euros", "Expected an operator or the end at character 4, found euros."],
    ["price * 2", '"price" is unknown'],
    ["$5 * 2", '"$" at character 1 is not arithmetic.'],
    ["sqrt(-1)", "not a real number"],
    ["sqrt()", "Expected a number"],
    ["sqrt(1, 2)", "sqrt takes 1 number, not 2."],
    ["round(1, 2, 3)", "round takes 1 or 2 numbers, not 3."],
    ["sqrt 4", 'Expected "(" after sqrt'],
    ["10 ^ 400", "too large"],
    ["9".repeat(1_001), "longer than 1000 characters"],
    [`${"(".repeat(200)}1${")".repeat(200)}`, "Nested more than"],
    [`${"-".repeat(900)}1`, "Nested more than"],
    ["constructor", '"constructor" is unknown'],
  ])("%.40s", async (expression, reason) => {
    await expect(compute(expression)).rejects.toThrow(ToolFailure);
    await expect(compute(expression)).rejects.toThrow(reason);
  });
});
