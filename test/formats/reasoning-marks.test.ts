import { describe, expect, it } from "vitest";
import { bareMarks, findReasoningMarks, reasoningAtEnd } from "../../src/formats/index.ts";
import { readTemplate, templateNames } from "../llama-cpp-files.ts";

/** Reviewed by hand: the marks between which each template writes reasoning. Whoever is not named here writes none. */
const known: Readonly<Record<string, readonly string[]>> = {
  "<think> </think>": [
    "Bielik-11B-v3.0-Instruct",
    "GLM-4.6",
    "GLM-4.7-Flash",
    "HuggingFaceTB-SmolLM3-3B",
    "Kimi-K2-Thinking",
    "LFM2.5-8B-A1B",
    "MiniMax-M2",
    "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    "NVIDIA-Nemotron-Nano-v2",
    "Qwen-QwQ-32B",
    "Qwen-Qwen3-0.6B",
    "Qwen3.5-4B",
    "Reka-Edge",
    "StepFun3.5-Flash",
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B",
    "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
    "deepseek-ai-DeepSeek-V3.1",
    "deepseek-ai-DeepSeek-V3.2",
    "deepseek-ai-DeepSeek-V4",
    "deepseek-ai-DeepSeek-V4-Flash-0731",
    "ibm-granite-granite-3.3-2B-Instruct",
    "llama-cpp-deepseek-r1",
    "llama-cpp-rwkv-world",
    "openbmb-MiniCPM5-1B",
    "poolside-Laguna-S-2.1",
    "poolside-Laguna-XS-2.1",
    "poolside-Laguna-XS.2",
  ],
  "[THINK] [/THINK]": ["mistralai-Ministral-3-14B-Reasoning-2512"],
  "<seed:think> </seed:think>": ["ByteDance-Seed-OSS"],
  "<mm:think> </mm:think>": ["MiniMax-M3"],
  "<|START_THINKING|> <|END_THINKING|>": ["CohereForAI-c4ai-command-r7b-12-2024-tool_use", "Cohere2MoE"],
  "<|channel>thought <channel|>": ["google-gemma-4-31B-it", "google-gemma-4-31B-it-interleaved"],
  "<|channel|>analysis<|message|> <|end|><|start|>assistant": ["openai-gpt-oss-120b"],
};

/** Reasoning in a form that is not known here: by a headline, or by marks that are made up as the template goes. */
const strange = [
  "Apriel-1.6-15b-Thinker-fixed",
  "tencent-Hy3",
  "unsloth-Apriel-1.5",
  "upstage-Solar-Open-100B",
];

describe("findReasoningMarks", () => {
  it.each(templateNames())("finds what %s has", (name) => {
    const marks = findReasoningMarks(readTemplate(name));
    const found = marks && Object.values(bareMarks(marks)).join(" ");
    expect(found).toBe(Object.keys(known).find((pair) => known[pair]?.includes(name)));
  });

  it("is told of by a table whose templates are all there", () => {
    const named = [...Object.values(known).flat(), ...strange];
    expect(named.filter((name) => !templateNames().includes(name))).toEqual([]);
  });
});

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
