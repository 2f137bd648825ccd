// The chat templates of llama.cpp, each with what is chosen for it: a table made by hand from how each family is
// documented to call tools. Results `own`: they have a form of their own; calls `several`: a turn may hold more than one.
import { beforeAll, describe, expect, it } from "vitest";
import {
  bareMarks,
  chooseFormats,
  findReasoningMarks,
  type TemplateEngine,
} from "../../src/formats/index.ts";
import { readTemplate, templateNames } from "../llama-cpp-files.ts";
import { checkTemplate } from "./format-properties.ts";
import { loadLlamaEngine, realRenderer } from "./llama-engine.ts";

/** What the vocabularies of these families have, where their templates alone do not tell. */
const vocabularies: Readonly<Record<string, readonly string[]>> = {
  "LFM2.5-Instruct": ["<|tool_call_start|>", "<|tool_call_end|>"],
};

/** Marks of reasoning without the white space around them. */
const think = "<think> </think>";
const own = "own";
const several = "several";
const one = "one";
const none = "none";
/** Calls in a form that has no file of its own here, or no calls at all: the generic format, with our own words about it. */
const generic = "plain-json";

type Row = readonly [
  template: string,
  format: string,
  reasoning: string,
  results: typeof own | typeof none,
  calls: typeof several | typeof one | typeof none,
];

const table: readonly Row[] = [
  ["Apertus-8B-Instruct", generic, "<|inner_prefix|> <|inner_suffix|>", own, several],
  [
    "Apriel-1.6-15b-Thinker-fixed",
    generic,
    "Here are my reasoning steps: [BEGIN FINAL RESPONSE]",
    own,
    several,
  ],
  ["Bielik-11B-v3.0-Instruct", "hermes-json", think, own, several],
  ["ByteDance-Seed-OSS", generic, "<seed:think> </seed:think>", own, several],
  ["Cohere2MoE", generic, "<|START_THINKING|> <|END_THINKING|>", own, several],
  ["CohereForAI-c4ai-command-r-plus-tool_use", generic, none, own, several],
  [
    "CohereForAI-c4ai-command-r7b-12-2024-tool_use",
    generic,
    "<|START_THINKING|> <|END_THINKING|>",
    own,
    several,
  ],
  ["GLM-4.6", "glm-xml", think, own, several],
  ["GLM-4.7-Flash", "glm-xml", think, own, several],
  ["GigaChat3-10B-A1.8B", generic, none, own, one],
  ["GigaChat3.1-10B-A1.8B", generic, none, own, one],
  ["HuggingFaceTB-SmolLM3-3B", "smol3", think, own, none],
  ["Kimi-K2-Instruct", generic, none, own, several],
  ["Kimi-K2-Thinking", generic, think, own, several],
  ["Kimi-K3", generic, "<|open|>think<|sep|> <|close|>think<|sep|><|open|>response<|sep|>", own, several],
  ["LFM2-8B-A1B", "lfm-py", none, own, none],
  ["LFM2.5-8B-A1B", "lfm-py", think, own, several],
  ["LFM2.5-Instruct", "lfm-py", none, own, none],
  ["MiMo-VL", "hermes-json", none, own, several],
  ["MiniMax-M1", generic, none, own, several],
  ["MiniMax-M2", generic, think, own, several],
  ["MiniMax-M3", generic, "<mm:think> </mm:think>", own, several],
  ["Mistral-Small-3.2-24B-Instruct-2506", "mistral-args", none, own, several],
  ["NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "qwen-xml", think, own, several],
  ["NVIDIA-Nemotron-Nano-v2", "nemotron2", think, own, several],
  ["NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", "hermes-json", none, own, several],
  ["NousResearch-Hermes-3-Llama-3.1-8B-tool_use", "hermes-json", none, own, several],
  ["Qwen-QwQ-32B", "hermes-json", think, own, several],
  ["Qwen-Qwen2.5-7B-Instruct", "hermes-json", none, own, several],
  ["Qwen-Qwen3-0.6B", "hermes-json", think, own, several],
  ["Qwen3-Coder", "qwen-xml", none, own, several],
  ["Qwen3.5-4B", "qwen-xml", think, own, several],
  ["Reka-Edge", "hermes-json", think, own, several],
  ["StepFun3.5-Flash", "qwen-xml", think, own, several],
  ["deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "deepseek-r1", think, own, several],
  ["deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "deepseek-r1", think, own, several],
  ["deepseek-ai-DeepSeek-V3.1", generic, think, own, several],
  ["deepseek-ai-DeepSeek-V3.2", generic, think, own, several],
  ["deepseek-ai-DeepSeek-V4", generic, think, own, several],
  ["deepseek-ai-DeepSeek-V4-Flash-0731", generic, think, own, several],
  ["fireworks-ai-llama-3-firefunction-v2", generic, none, own, several],
  ["google-gemma-2-2b-it", generic, none, none, none],
  ["google-gemma-4-31B-it", "gemma4", "<|channel>thought <channel|>", own, several],
  ["google-gemma-4-31B-it-interleaved", "gemma4", "<|channel>thought <channel|>", own, several],
  ["ibm-granite-granite-3.3-2B-Instruct", "granite3", think, own, none],
  ["ibm-granite-granite-4.0", "hermes-json", none, own, several],
  ["ibm-granite-granite-4.1", "hermes-json", none, own, several],
  ["llama-cpp-deepseek-r1", "deepseek-r1", think, own, several],
  ["llama-cpp-rwkv-world", generic, think, none, none],
  ["meetkai-functionary-medium-v3.1", generic, none, own, several],
  ["meetkai-functionary-medium-v3.2", generic, none, own, several],
  ["meta-llama-Llama-3.1-8B-Instruct", "llama3-json", none, own, one],
  ["meta-llama-Llama-3.2-3B-Instruct", "llama3-json", none, own, one],
  ["meta-llama-Llama-3.3-70B-Instruct", "llama3-json", none, own, one],
  ["microsoft-Phi-3.5-mini-instruct", generic, none, none, none],
  ["mistralai-Ministral-3-14B-Reasoning-2512", "mistral-args", "[THINK] [/THINK]", own, several],
  ["mistralai-Mistral-Nemo-Instruct-2407", "mistral-list", none, own, several],
  ["moonshotai-Kimi-K2", generic, none, own, several],
  ["muse-glimmer", generic, "to=self<|message|> <|eom|><|start|>assistant to=user<|message|>", own, several],
  ["openai-gpt-oss-120b", "harmony", "<|channel|>analysis<|message|> <|end|><|start|>assistant", own, one],
  ["openbmb-MiniCPM5-1B", "minicpm-xml", think, own, several],
  ["poolside-Laguna-S-2.1", "glm-xml", think, own, several],
  ["poolside-Laguna-XS-2.1", "glm-xml", think, own, several],
  ["poolside-Laguna-XS.2", "glm-xml", think, own, several],
  ["tencent-Hy3", generic, "<think:opensource> </think:opensource>", own, several],
  ["unsloth-Apriel-1.5", generic, "<thinking> </thinking>", own, several],
  ["unsloth-mistral-Devstral-Small-2507", "mistral-args", none, own, several],
  ["upstage-Solar-Open-100B", generic, "<|think|> <|end|><|begin|>assistant<|content|>", own, several],
];

describe("the chat templates of llama.cpp", () => {
  let engine: TemplateEngine;
  beforeAll(async () => {
    engine = await loadLlamaEngine();
  });

  it("are all in the table", () => {
    expect(table.map(([name]) => name).sort()).toEqual([...templateNames()].sort());
  });

  it.each(table)("%s: %s, reasoning %s, results %s, calls %s", (name, format, reasoning, results, calls) => {
    const template = readTemplate(name);
    const choice = chooseFormats({
      model: { id: "some-model", template, specialTokens: vocabularies[name] ?? [] },
      profile: { name: "unknown", format: "auto", openers: [] },
      render: realRenderer(template, engine),
    });
    const { traits } = choice.template;
    const marks = findReasoningMarks(template);
    const found = [
      choice.formats[0].name,
      marks === undefined ? none : Object.values(bareMarks(marks)).join(" "),
      traits.results || traits.resultsAfterText ? own : none,
      traits.calls === "none" ? none : traits.severalCalls ? several : one,
    ];
    expect(found, choice.reason).toEqual([format, reasoning, results, calls]);
    // What a template writes of its own form of calls is read by that form; else it is said why not.
    if (format !== generic && calls !== none) expect(choice.confirmed).toBe(true);
    expect(choice.fallback).toBeUndefined();
    // Whatever it writes as history, of values that it was not found to lose, reads back equal.
    if (choice.confirmed) checkTemplate(choice.formats[0], name, { runs: 10, engine });
  });
});
