import { beforeAll, describe, expect, it } from "vitest";
import {
  bareMarks,
  findReasoningMarks,
  reasoningAtEnd,
  type TemplateEngine,
} from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";
import { readTemplate } from "../llama-cpp-files.ts";
import { loadLlamaEngine, realRenderer } from "./llama-engine.ts";

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

describe("the marks of a template", () => {
  let engine: TemplateEngine;
  beforeAll(async () => {
    engine = await loadLlamaEngine();
  });
  const render = (name: string, messages: readonly JsonObject[], variables: JsonObject = {}) =>
    realRenderer(readTemplate(name), engine)({ messages, addGenerationPrompt: true, variables });
  const user = { role: "user", content: "Hello" };
  const thought = {
    role: "assistant",
    content: "Answer",
    reasoning_content: "Secret",
    reasoning: "Secret",
    thought: "Secret",
  };

  // What the template itself writes of past reasoning, or ends its prompt in, is what the marks have to be.
  it.each<[string, JsonObject]>([
    ["tencent-Hy3", { preserved_thinking: true }],
    ["upstage-Solar-Open-100B", { think_render_option: "all" }],
    ["muse-glimmer", {}],
    ["unsloth-Apriel-1.5", { add_thoughts: true }],
  ])("%s: are those that it writes around past reasoning", (name, variables) => {
    const marks = findReasoningMarks(readTemplate(name));
    const text = render(name, [user, thought, user], variables);
    const bare = marks && bareMarks(marks);
    expect(text.replace(/\s+/g, "")).toContain(`${bare?.start}Secret${bare?.end}`.replace(/\s+/g, ""));
  });

  it.each(["Apriel-1.6-15b-Thinker-fixed", "Kimi-K3"])(
    "%s: its prompt ends in the mark that opens",
    (name) => {
      const marks = findReasoningMarks(readTemplate(name));
      expect(marks && reasoningAtEnd([{ text: render(name, [user]), special: true }], marks)).toBe("open");
    },
  );

  it("are those of Gemma, whose system turn has another family's mark", () => {
    expect(findReasoningMarks(readTemplate("google-gemma-4-31B-it"))?.start).toBe("<|channel>thought\n");
  });
});
