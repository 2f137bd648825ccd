// What becomes of past reasoning under each family's policy and its own template, to the byte: of a turn before the newest
// user message, and of a call that is still being worked on.
import { describe, expect, it } from "vitest";
import { keepReasoning } from "../../src/context/past-reasoning.ts";
import { planReasoning } from "../../src/decode/plan-reasoning.ts";
import { probeTemplate, type TemplateRenderer } from "../../src/formats/index.ts";
import { renderPrompt } from "../../src/formats/render-prompt.ts";
import { layProfiles, loadCatalogue, type Profile, resolveProfile } from "../../src/models/index.ts";
import type { Message } from "../../src/vocabulary/index.ts";
import { loadLlamaEngine, realRenderer } from "../formats/llama-engine.ts";
import { readTemplate } from "../llama-cpp-files.ts";

const tool = {
  name: "add",
  description: "Adds.",
  inputSchema: { type: "object", properties: { a: { type: "integer" } } },
};
const past: readonly Message[] = [
  { role: "user", content: "First?" },
  { role: "assistant", content: "Once.", reasoning: "Old thought" },
  { role: "user", content: "Second?" },
];
const loop: readonly Message[] = [
  ...past,
  {
    role: "assistant",
    content: "",
    reasoning: "New thought",
    calls: [{ id: "abcdefghi", name: "add", input: { a: 1 } }],
  },
  { role: "tool", callId: "abcdefghi", name: "add", content: "2" },
];

interface Row {
  readonly family: string;
  readonly template: string;
  /** From the first answer to the second question. */
  readonly old: string;
  /** From the second question to the call's own words; where the template loses calls, to where they should be. */
  readonly newest: string;
}

const chatMl = "<|im_start|>assistant\nOnce.<|im_end|>\n<|im_start|>user\nSecond?";
const chatMlTurn = "Second?<|im_end|>\n<|im_start|>assistant\n";

// Of the families of the reference, only Qwen3.8 and LFM2.5-Thinking have no template in llama.cpp's set.
const rows: readonly Row[] = [
  {
    family: "qwen3",
    template: "Qwen-Qwen3-0.6B",
    old: chatMl,
    newest: `${chatMlTurn}<think>\nNew thought\n</think>\n\n<tool_call>`,
  },
  {
    family: "qwen3.5",
    template: "Qwen3.5-4B",
    old: chatMl,
    newest: `${chatMlTurn}<think>\nNew thought\n</think>\n\n<tool_call>`,
  },
  // Loses calls, which our own words stand for.
  { family: "smollm3", template: "HuggingFaceTB-SmolLM3-3B", old: chatMl, newest: `${chatMlTurn}OUR-CALL` },
  {
    family: "granite-3.3",
    template: "ibm-granite-granite-3.3-2B-Instruct",
    old: "<|start_of_role|>assistant<|end_of_role|>Once.<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>Second?",
    newest: "Second?<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>OUR-CALL",
  },
  {
    family: "gemma-4",
    template: "google-gemma-4-31B-it",
    old: "<|turn>model\nOnce.<turn|>\n<|turn>user\nSecond?",
    newest: "Second?<turn|>\n<|turn>model\n<|channel>thought\nNew thought\n<channel|><|tool_call>",
  },
  {
    family: "lfm2.5-8b-a1b",
    template: "LFM2.5-8B-A1B",
    old: chatMl,
    newest: `${chatMlTurn}<think>New thought</think><|tool_call_start|>`,
  },
  { family: "lfm2.5", template: "LFM2.5-Instruct", old: chatMl, newest: `${chatMlTurn}OUR-CALL` },
  {
    family: "minicpm5",
    template: "openbmb-MiniCPM5-1B",
    old: chatMl,
    newest: `${chatMlTurn}<think>\nNew thought\n</think>\n\n<function name="add">`,
  },
  {
    family: "nemotron-3-nano",
    template: "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
    old: "<|im_start|>assistant\n<think></think>Once.<|im_end|>\n<|im_start|>user\nSecond?",
    newest: `${chatMlTurn}<think>\nNew thought\n</think>\n<tool_call>`,
  },
  {
    family: "nemotron-nano-v2",
    template: "NVIDIA-Nemotron-Nano-v2",
    old: "<SPECIAL_11>Assistant\nOnce.\n<SPECIAL_12>\n<SPECIAL_11>User\nSecond?",
    newest: "Second?\n<SPECIAL_11>Assistant\n<TOOLCALL>",
  },
  {
    family: "ministral-3-reasoning",
    template: "mistralai-Ministral-3-14B-Reasoning-2512",
    old: "[/INST]Once.</s>[INST]Second?",
    newest: "[INST]Second?[/INST][TOOL_CALLS]add",
  },
  {
    family: "deepseek-r1-distill",
    template: "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
    old: "<｜Assistant｜>Once.<｜end▁of▁sentence｜><｜User｜>Second?",
    newest: "<｜User｜>Second?<｜Assistant｜><｜tool▁calls▁begin｜>",
  },
  {
    family: "gpt-oss",
    template: "openai-gpt-oss-120b",
    old: "<|start|>assistant<|channel|>final<|message|>Once.<|end|><|start|>user<|message|>Second?",
    newest:
      "Second?<|end|><|start|>assistant<|channel|>analysis<|message|>New thought<|end|><|start|>assistant to=functions.add",
  },
];

const engine = await loadLlamaEngine();
const { profiles } = await loadCatalogue({ home: "/nonexistent" });

function profileOf(family: string, history?: Profile["reasoning"]["history"]): Profile {
  const layers = (profiles[family] ?? []).map((layer) => layer.values);
  return resolveProfile(layProfiles(...layers, history === undefined ? {} : { reasoning: { history } }));
}

/** The prompt as the model is given it, with its reasoning on. */
function promptOf(
  profile: Profile,
  { template, newest }: Pick<Row, "template" | "newest">,
  messages: readonly Message[],
): string {
  const calls = newest.includes("OUR-CALL") ? "none" : "object";
  const render: TemplateRenderer = realRenderer(readTemplate(template), engine);
  const style = { writeCalls: () => "OUR-CALL", describeCall: () => "" };
  const parts = renderPrompt(
    {
      messages: keepReasoning(messages, profile.reasoning.history),
      tools: [tool],
      toolChoice: "auto",
      parallel: false,
      spacing: "spaced",
      variables: planReasoning(profile, { mode: "on" }, messages).variables,
      specialTokens: [],
    },
    {
      render,
      traits: { ...probeTemplate(render), calls, results: true },
      isPlain: false,
      tellsOfTools: true,
      writesCalls: calls === "object",
      lostValues: [],
    },
    style,
  );
  return parts.map((part) => part.text).join("");
}

describe("past reasoning", () => {
  it.each(rows)("of $family in its template", (row) => {
    const { old, newest } = row;
    const profile = profileOf(row.family);
    const inLoop = promptOf(profile, row, loop);
    expect(inLoop).toContain(old);
    expect(inLoop).toContain(newest);
    expect(inLoop).not.toContain("Old thought");
    expect(inLoop.split("New thought")).toHaveLength(newest.includes("New thought") ? 2 : 1);
    expect(promptOf(profile, row, past)).toContain(old);
  });

  it.each([
    ["lfm2.5-8b-a1b", "LFM2.5-8B-A1B", "<|im_start|>assistant\n<think>Old thought</think>Once.<|im_end|>"],
    [
      "nemotron-3-nano",
      "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
      "<|im_start|>assistant\n<think>\nOld thought\n</think>\nOnce.<|im_end|>",
    ],
  ])("of %s is kept where a profile keeps it and the template can", (family, template, old) => {
    expect(promptOf(profileOf(family, "keep"), { template, newest: "" }, past)).toContain(old);
  });

  it("is gone without a trace where it is dropped", () => {
    const bare = loop.map((message) =>
      message.role === "assistant" ? { ...message, reasoning: undefined } : message,
    );
    for (const row of rows) {
      const profile = profileOf(row.family, "drop");
      const never = JSON.parse(JSON.stringify(bare)) as readonly Message[];
      expect(promptOf(profile, row, loop), row.family).toBe(promptOf(profile, row, never));
    }
  });
});
