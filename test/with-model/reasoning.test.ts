// Reasoning on real weights: the default model, which does not reason by itself, with a profile that opens it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultModel, openBenchModel } from "../../bench/verify/open-bench-model.ts";
import { decodeTurn, foldTurn } from "../../src/decode/decode-turn.ts";
import type { DecodeContext } from "../../src/decode/turn-request.ts";

const budget = 64;
const weather = {
  name: "get_weather",
  description: "Current weather of a city.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, unit: { enum: ["celsius", "fahrenheit"] } },
    required: ["city", "unit"],
    additionalProperties: false,
  },
};

let context: DecodeContext;

beforeAll(async () => {
  context = await openBenchModel(defaultModel, {
    reasoning: { marks: { start: "<think>\n", end: "\n</think>\n\n" }, mode: "on", budget },
  });
});
afterAll(() => context?.model.close());

describe("a budget of 64 tokens", () => {
  it.each([
    ["in English", "What is the weather in Oslo, in celsius? Think it over for long, step by step, first."],
    // Of several bytes and tokens each, so that the budget may end inside one.
    ["in Chinese", "北京现在的天气怎么样？请先用中文和表情符号🌦️🌡️详细思考，写很多句子。"],
  ])("ends the reasoning %s between characters, and a valid call follows", async (_language, content) => {
    const result = await foldTurn(
      decodeTurn(context, {
        messages: [{ role: "user", content }],
        tools: [weather],
        toolChoice: "required",
        parallel: false,
      }),
    );
    expect(result.reasoning.length).toBeGreaterThan(0);
    expect(result.reasoning).not.toMatch(/[\ufffd\p{Surrogate}]/u);
    expect(result.usage.tokens.reasoning).toBeLessThanOrEqual(budget + 8);
    expect(result.finish).toBe("calls");
    expect(result.calls).toMatchObject([{ name: "get_weather", input: { city: expect.any(String) } }]);
    expect(["celsius", "fahrenheit"]).toContain(result.calls[0]?.input.unit);
  });
});
