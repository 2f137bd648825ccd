import { beforeAll, describe, expect, it } from "vitest";
import { createTemplateRenderer, type TemplateEngine } from "../../src/formats/index.ts";
import { nativeTemplateEngine } from "../../src/models/local/native-template.ts";
import { readTemplate, templateNames } from "../llama-cpp-files.ts";
import { loadLlamaEngine, realRenderer } from "./llama-engine.ts";
import { rendererOf } from "./templates-for-test.ts";

const nothing = { messages: [], addGenerationPrompt: false };
const date = new Date(2026, 2, 5, 14, 7, 9);

describe("a template's renderer", () => {
  it("gives the tokens that begin and end a text", () => {
    expect(rendererOf("{{ bos_token }}{{ eos_token }}")(nothing)).toBe("<s></s>");
  });

  it("has tools that are none where none are given", () => {
    expect(rendererOf("{% if tools is defined and not tools %}none{% endif %}")(nothing)).toBe("none");
  });

  it("has an empty list of tools where the template does not ask whether there are any", () => {
    expect(rendererOf("{% for tool in tools %}x{% endfor %}none")(nothing)).toBe("none");
    expect(() => rendererOf("{% for tool in others %}x{% endfor %}")(nothing)).toThrow();
  });

  it("says what to do where the template cannot be read", () => {
    expect(() => rendererOf("{% if %}")(nothing)).toThrow(/template\.replacement/);
  });

  it("says that a template is too long, or writes beyond all measure", () => {
    const long = "x".repeat(262_145);
    expect(() => rendererOf(long)(nothing)).toThrow(/it has 262145 characters, more than 262144/);
    const loud = "{% for i in range(11) %}{% for j in range(100) %}{{ text }}{% endfor %}{% endfor %}";
    const variables = { text: "x".repeat(1_000) };
    expect(() => rendererOf(loud)({ ...nothing, variables })).toThrow(/it wrote 1100000 characters/);
  });

  it("writes a large conversation in full", () => {
    const text = "x".repeat(1_100_000);
    expect(rendererOf("{{ text }}")({ ...nothing, variables: { text } })).toBe(text);
  });

  it.each([
    ["{{ date_string }}", "05 Mar 2026"],
    [`{{ strftime_now("%Y-%m-%d") }} {{ strftime_now( '%B %d, %Y' ) }}`, "2026-03-05 March 05, 2026"],
    ["{{ strftime_now('%A %a %b %H:%M:%S 100%% %j') }}", "Thursday Thu Mar 14:07:09 100% %j"],
    ["{% if strftime_now is defined %}known{% endif %}", "known"],
  ])("tells the same day whenever it renders: %s", (template, text) => {
    expect(rendererOf(template)(nothing)).toBe(text);
  });

  it("lets a profile's variables say another day", () => {
    const variables = { date_string: "26 Jul 2024" };
    expect(rendererOf("{{ date_string }}")({ ...nothing, variables })).toBe("26 Jul 2024");
  });
});

describe("the engine of llama.cpp", () => {
  let engine: TemplateEngine;
  beforeAll(async () => {
    engine = await loadLlamaEngine();
  });

  const render = (template: string, variables = {}) =>
    createTemplateRenderer({ template, beginText: "", endText: "", date, engine })({ ...nothing, variables });

  it("prints as Python does where the JavaScript engine does not", () => {
    expect(render("{{ true }}")).toBe("True");
    expect(rendererOf("{{ true }}")(nothing)).toBe("true");
  });

  it("gives way to the JavaScript engine where it cannot take what it is given", () => {
    expect(() => engine("{{ n }}")({ n: 1e20 })).toThrow(/numeric range/);
    expect(render("{{ n > 1 }}", { n: 1e20 })).toBe("true");
  });

  it("says in one line what a template raises, and what it cannot read", () => {
    expect(() => render("{{ raise_exception('only for the chosen') }}")).toThrow(/^only for the chosen$/);
    expect(() => engine("{% for x %}")).toThrow(/^[^\n]+$/);
    expect(() => render("{% for x %}")).toThrow(/template\.replacement/);
  });

  it("is done without where node-llama-cpp has it no more", () => {
    expect(nativeTemplateEngine({})).toBeUndefined();
    expect(nativeTemplateEngine({ _bindings: {} })).toBeUndefined();
  });

  it("renders a plain conversation through every template of llama.cpp", () => {
    const messages = [
      { role: "user", content: "First-qx" },
      { role: "assistant", content: "Second-qx" },
      { role: "user", content: "Third-qx" },
    ];
    const wrong = templateNames().filter((name) => {
      const text = realRenderer(readTemplate(name), engine)({ messages, addGenerationPrompt: true });
      return !/First-qx[\s\S]*Second-qx[\s\S]*Third-qx/.test(text);
    });
    expect(wrong).toEqual([]);
  });
});
