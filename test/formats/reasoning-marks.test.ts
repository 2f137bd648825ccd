import { describe, expect, it } from "vitest";
import { reasoningAtEnd } from "../../src/formats/index.ts";

describe("reasoningAtEnd", () => {
  const marks = { start: "<think>\n", end: "\n</think>\n\n" };

  it.each([
    ["<|im_start|>assistant\n<think>\n", "open"],
    ["<|im_start|>assistant\n<think>", "open"],
    ["<|im_start|>assistant\n<think>\n\n</think>\n\n", "closed"],
    ["<|im_start|>assistant\n<think></think>", "closed"],
    ["<|im_start|>assistant\n", "none"],
    ["<think> is a mark<|im_end|>\n<|im_start|>assistant\n", "none"],
  ])("tells how %j ends", (text, state) => {
    expect(reasoningAtEnd([{ text, special: true }], marks)).toBe(state);
  });
});
