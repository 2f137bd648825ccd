// Faults of real templates, each shown on the template itself and then mended in the prompt that we make with it.
import { beforeAll, describe, expect, it } from "vitest";
import {
  chooseFormats,
  type PromptRequest,
  type TemplateEngine,
  type TemplateRenderer,
  templateMends,
} from "../../src/formats/index.ts";
import type { JsonObject, Message } from "../../src/vocabulary/index.ts";
import { readTemplate } from "../llama-cpp-files.ts";
import { loadLlamaEngine, realRenderer } from "./llama-engine.ts";

let engine: TemplateEngine;
beforeAll(async () => {
  engine = await loadLlamaEngine();
});

const tool = {
  name: "get_time",
  description: "The time in a zone.",
  inputSchema: { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] },
};
const user: Message = { role: "user", content: "Time in Oslo?" };
const oslo = { id: "call-1", name: "get_time", input: { zone: "Oslo" } };
const rome = { id: "call-2", name: "get_time", input: { zone: "Rome" } };
const asked: Message = { role: "assistant", content: "", calls: [oslo] };
const answer: Message = { role: "tool", callId: "call-1", name: "get_time", content: "12:00" };
const secondAnswer: Message = { ...answer, callId: "call-2", content: "13:00" };

function choiceOf(template: string) {
  return chooseFormats({
    model: { id: "some-model", template: readTemplate(template) },
    profile: { name: "unknown", format: "auto", openers: [] },
    render: rendererOf(template),
  });
}

function rendererOf(template: string): TemplateRenderer {
  return realRenderer(readTemplate(template), engine);
}

/** The prompt that the chosen format makes of the conversation. */
function promptOf(template: string, messages: readonly Message[]): string {
  const choice = choiceOf(template);
  const request: PromptRequest = {
    messages,
    tools: [tool],
    toolChoice: "auto",
    parallel: true,
    spacing: "spaced",
    variables: {},
    specialTokens: [],
  };
  const parts = choice.formats[0].prompt(request, choice.template);
  return parts.map((part) => part.text).join("");
}

/** What the template makes of the same by itself, handed over in the shape of the OpenAI API. */
function plainly(template: string, messages: readonly Message[], content: "" | null = ""): string {
  const render = rendererOf(template);
  return render({
    messages: messages.map((message) => openAiMessage(message, content)),
    addGenerationPrompt: true,
  });
}

function openAiMessage(message: Message, emptyContent: "" | null): JsonObject {
  if (message.role === "tool") {
    return { role: "tool", name: message.name, tool_call_id: message.callId, content: message.content };
  }
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  const calls = (message.calls ?? []).map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: input },
  }));
  const content = message.content === "" ? emptyContent : message.content;
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

describe("a template that loses calls", () => {
  it.each([
    [
      "HuggingFaceTB-SmolLM3-3B",
      '<tool_call>{"name": "get_time", "arguments": {"zone": "Oslo"}}</tool_call>',
    ],
    [
      "ibm-granite-granite-3.3-2B-Instruct",
      '<|tool_call|>[{"name": "get_time", "arguments": {"zone": "Oslo"}}]',
    ],
    ["LFM2-8B-A1B", "<|tool_call_start|>[get_time(zone='Oslo')]<|tool_call_end|>"],
  ])("%s: they are written by the format", (template, written) => {
    expect(plainly(template, [user, asked, answer])).not.toMatch(/Oslo["']/);
    expect(promptOf(template, [user, asked, answer])).toContain(written);
  });

  it("but keeps them beside no content at all is given none", () => {
    const template = "deepseek-ai-DeepSeek-R1-Distill-Llama-8B";
    expect(plainly(template, [user, asked, answer])).not.toContain("get_time");
    expect(promptOf(template, [user, asked, answer])).toContain('get_time\n```json\n{"zone": "Oslo"}\n```');
  });

  it("or ends an empty turn before them, is given none either", () => {
    const template = "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B";
    const doubled = "<｜tool▁calls▁end｜><｜end▁of▁sentence｜><｜Assistant｜><｜end▁of▁sentence｜>";
    expect(plainly(template, [user, asked, answer])).toContain(doubled);
    expect(promptOf(template, [user, asked, answer])).not.toContain(doubled);
    expect(promptOf(template, [user, asked, answer])).toContain('get_time\n```json\n{"zone": "Oslo"}\n```');
  });
});

describe("a template that loses values of some kind", () => {
  const withInput = (input: JsonObject): Message => ({ ...asked, calls: [{ ...oslo, input }] });

  it.each<[string, string, JsonObject, string]>([
    [
      "objects and lists",
      "openbmb-MiniCPM5-1B",
      { zone: { city: "Oslo", at: [1, true] } },
      '<function name="get_time"><param name="zone">{"city": "Oslo", "at": [1, true]}</param></function>',
    ],
    [
      "null",
      "google-gemma-4-31B-it",
      { zone: "Oslo", at: null },
      '<|tool_call>call:get_time{zone:<|"|>Oslo<|"|>,at:null}<tool_call|>',
    ],
    [
      "quotes",
      "LFM2.5-8B-A1B",
      { zone: "d'Oslo" },
      "<|tool_call_start|>[get_time(zone='d\\'Oslo')]<|tool_call_end|>",
    ],
  ])("%s: the format writes such a call", (_kind, template, input, written) => {
    expect(plainly(template, [user, withInput(input), answer])).not.toContain(written);
    expect(promptOf(template, [user, withInput(input), answer])).toContain(written);
  });

  it.each([
    ["Qwen3.5-4B", "<parameter=at>\nTrue\n</parameter>"],
    ["Qwen3-Coder", "<parameter=at>\nTrue\n</parameter>"],
    ["openbmb-MiniCPM5-1B", '<param name="at">True</param>'],
  ])("writes booleans as Python does, which is no loss: %s", (template, written) => {
    expect(promptOf(template, [user, withInput({ zone: "Oslo", at: true }), answer])).toContain(written);
  });
});

describe("a template that loses text beside calls", () => {
  const speaking: Message = { role: "assistant", content: "Let me look.", calls: [oslo] };

  it.each([
    "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use",
    "meta-llama-Llama-3.2-3B-Instruct",
    "Mistral-Small-3.2-24B-Instruct-2506",
  ])("%s: the format writes such a turn", (template) => {
    const nine: Message = { ...speaking, calls: [{ ...oslo, id: "callabc01" }] };
    expect(plainly(template, [user, nine])).not.toContain("Let me look.");
    expect(promptOf(template, [user, speaking, answer])).toMatch(/Let me look\.\s*\S+[\s\S]*Oslo/);
  });
});

describe("a template with room for one call", () => {
  const both: Message = { role: "assistant", content: "", calls: [oslo, rome] };

  it("that raises on more shows one turn for each", () => {
    const template = "meta-llama-Llama-3.2-3B-Instruct";
    expect(() => plainly(template, [user, both, answer, secondAnswer])).toThrow(/single tool-calls/);
    const prompt = promptOf(template, [user, both, answer, secondAnswer]);
    expect(prompt).toMatch(/"Oslo"}}[\s\S]*ipython[\s\S]*12:00[\s\S]*"Rome"}}[\s\S]*ipython[\s\S]*13:00/);
  });

  it("that drops the second shows one turn for each", () => {
    const template = "openai-gpt-oss-120b";
    expect(plainly(template, [user, both, answer, secondAnswer])).not.toContain("Rome");
    const prompt = promptOf(template, [user, both, answer, secondAnswer]);
    expect(prompt).toMatch(/"Oslo"}<\|call\|>[\s\S]*12:00[\s\S]*"Rome"}<\|call\|>[\s\S]*13:00/);
  });
});

describe("a template that", () => {
  it("refuses reasoning beside text in a turn of calls has them as one", () => {
    const template = "openai-gpt-oss-120b";
    const thoughtful: Message = {
      role: "assistant",
      content: "Let me look.",
      reasoning: "Oslo it is.",
      calls: [oslo],
    };
    const naive = [openAiMessage(user, ""), { ...openAiMessage(thoughtful, ""), thinking: "Oslo it is." }];
    expect(() => rendererOf(template)({ messages: naive, addGenerationPrompt: true })).toThrow(
      /both content and thinking/,
    );
    const prompt = promptOf(template, [user, thoughtful, answer]);
    expect(prompt).toContain("Oslo it is.\n\nLet me look.");
    expect(prompt).toContain('{"zone": "Oslo"}<|call|>');
  });

  it("demands ids of nine characters gets such ids, the same in call and result", () => {
    const template = "mistralai-Mistral-Nemo-Instruct-2407";
    expect(() => plainly(template, [user, asked, answer])).toThrow(/length 9/);
    const prompt = promptOf(template, [user, asked, answer]);
    const [, id] = /"id": "([A-Za-z0-9]{9})"/.exec(prompt) ?? [];
    expect(prompt).toContain(`"call_id": "${id}"`);
  });

  it("has no system role finds its text in the first user message", () => {
    const system: Message = { role: "system", content: "Be brief." };
    expect(() => plainly("google-gemma-2-2b-it", [system, user])).toThrow(/System role/);
    expect(promptOf("google-gemma-2-2b-it", [system, user])).toMatch(
      /<start_of_turn>user\nBe brief\.[\s\S]*Oslo\?/,
    );
  });

  it.each(["meta-llama-Llama-3.2-3B-Instruct", "openai-gpt-oss-120b", "ibm-granite-granite-3.3-2B-Instruct"])(
    "asks for today's date is told of one day for the whole run: %s",
    (template) => {
      const today = new Date();
      expect(promptOf(template, [user])).toMatch(/05 Mar 2026|2026-03-05|March 05, 2026/);
      expect(promptOf(template, [user])).not.toContain(today.toISOString().slice(0, 10));
    },
  );
});

describe("templateMends", () => {
  it("names each mend in a line", () => {
    expect(templateMends(choiceOf("Qwen-Qwen3-0.6B"))).toEqual([]);
    expect(templateMends(choiceOf("google-gemma-4-31B-it"))).toEqual([
      "The template loses null in past calls: gemma4 writes them as text where they occur.",
    ]);
    expect(templateMends(choiceOf("deepseek-ai-DeepSeek-R1-Distill-Llama-8B"))).toEqual([
      "The template does not speak of tools: they are told of at the end of the system text.",
      "The content of a turn of calls alone is given as null.",
      "The arguments of past calls are given as JSON text.",
      "The template loses text beside calls: deepseek-r1 writes them as text in such a turn.",
    ]);
    expect(templateMends(choiceOf("google-gemma-2-2b-it"))).toEqual([
      "The template does not speak of tools: they are told of at the end of the system text.",
      "The template has no system role: its text begins the first user message.",
      "User messages that follow each other become one.",
      "The template loses past calls: plain-json writes them as text.",
      "The template has no form for results: they are user messages.",
    ]);
  });
});
