import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTemplate, templateNames, vocabularyPath } from "./llama-cpp-files.ts";

test("the chat templates of llama.cpp are at hand", () => {
  expect(templateNames()).toHaveLength(68);
  expect(readTemplate("Qwen-Qwen3-0.6B")).toContain("<tool_call>");
});

test("a vocabulary of llama.cpp is a GGUF file", () => {
  expect(readFileSync(vocabularyPath("gpt-2")).subarray(0, 4).toString()).toBe("GGUF");
});
