import { describe, expect, it } from "vitest";
import { chooseFormats, probeTemplate, type TemplateTraits } from "../../src/formats/index.ts";
import { CallwrightError } from "../../src/vocabulary/index.ts";
import {
  bareTemplate,
  reasoningTemplate,
  rendererOf,
  strangeTemplate,
  strictTemplate,
  stringTemplate,
  taggedTemplate,
} from "./templates-for-test.ts";

const findings: readonly { name: string; template: string; traits: Partial<TemplateTraits> }[] = [
  {
    name: "a template without tools",
    template: bareTemplate,
    traits: {
      showsTools: false,
      system: true,
      userAfterUser: true,
      calls: "none",
      severalCalls: false,
      results: false,
      resultsAfterText: false,
      opensReasoning: false,
      reasoningSwitch: false,
      faults: [],
    },
  },
  {
    name: "a template with tags",
    template: taggedTemplate,
    traits: {
      showsTools: true,
      system: true,
      userAfterUser: true,
      calls: "object",
      severalCalls: true,
      results: true,
      resultsAfterText: true,
      callText: '<tool_call>\n{"name": "probe_tool_qx", "arguments": {"place_qx": "Value-qx"}}\n</tool_call>',
      opensReasoning: false,
      reasoningSwitch: true,
    },
  },
  {
    name: "a template that raises",
    template: strictTemplate,
    traits: {
      showsTools: false,
      system: false,
      userAfterUser: false,
      calls: "none",
      resultsAfterText: false,
    },
  },
  {
    name: "a template that wants arguments as text",
    template: stringTemplate,
    traits: { calls: "string", severalCalls: false, results: false, showsTools: false },
  },
  {
    name: "a template that opens the reasoning",
    template: reasoningTemplate,
    traits: { opensReasoning: true, results: false, resultsAfterText: false },
  },
  {
    name: "a template that only raises",
    template: "{{ raise_exception('never') }}",
    traits: { showsTools: false, system: false, calls: "none", faults: ["never"] },
  },
];

describe("probeTemplate", () => {
  for (const { name, template, traits } of findings) {
    it(`finds what ${name} does`, () => {
      expect(probeTemplate(rendererOf(template))).toMatchObject(traits);
    });
  }

  it("tells what a template raised", () => {
    expect(probeTemplate(rendererOf(strictTemplate)).faults).toContain("no system role");
  });
});

describe("chooseFormats", () => {
  const choose = (
    template: string | undefined,
    more: { id?: string; format?: string; openers?: string[] } = {},
  ) =>
    chooseFormats({
      model: { id: more.id ?? "some-model", ...(template === undefined ? {} : { template }) },
      profile: { name: "unknown", format: more.format ?? "auto", openers: more.openers ?? [] },
      render: rendererOf(template ?? ""),
    });
  const names = (choice: ReturnType<typeof choose>) => choice.formats.map((format) => format.name);

  it("takes the format that the template writes and that reads back", () => {
    expect(names(choose(taggedTemplate))).toEqual(["hermes-json", "json-fence", "plain-json"]);
    expect(names(choose(stringTemplate))[0]).toBe("hermes-json");
  });

  it("takes fences for a coder model whose template shows tags, and watches for tags as well", () => {
    expect(names(choose(taggedTemplate, { id: "qwen2.5-coder-0.5b-instruct-q4_k_m" }))).toEqual([
      "json-fence",
      "hermes-json",
      "plain-json",
    ]);
  });

  it("takes the generic format for a template without calls and for a base model", () => {
    expect(names(choose(bareTemplate))[0]).toBe("plain-json");
    const base = choose(undefined);
    expect(names(base)[0]).toBe("plain-json");
    expect(base.reason).toContain("base model");
    const prompt = base.template.render({
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "Hello?" },
      ],
      addGenerationPrompt: true,
    });
    expect(prompt).toBe("Be kind.\n\nUser: Hello?\n\nAssistant:");
  });

  it("keeps tools out of a template whose calls are in no form known here", () => {
    const choice = choose(strangeTemplate);
    expect(names(choice)[0]).toBe("plain-json");
    expect(choice.template.traits.showsTools).toBe(true);
    expect(choice.template.tellsOfTools).toBe(false);
    expect(choose(taggedTemplate).template.tellsOfTools).toBe(true);
  });

  it("writes a plain transcript where the template cannot be used at all, and says why", () => {
    const choice = choose("{{ raise_exception('too new') }}");
    expect(choice.reason).toContain("too new");
    const messages = [{ role: "user", content: "Hello?" }];
    expect(choice.template.render({ messages, addGenerationPrompt: true })).toBe(
      "User: Hello?\n\nAssistant:",
    );
  });

  it("follows the profile where it names a format and openers", () => {
    const choice = choose(bareTemplate, { format: "hermes-json", openers: ["json-fence"] });
    expect(names(choice)).toEqual(["hermes-json", "json-fence"]);
  });

  it("says which formats there are where the name is wrong", () => {
    expect(() => choose(bareTemplate, { format: "xml" })).toThrow(CallwrightError);
    expect(() => choose(bareTemplate, { format: "xml" })).toThrow(/hermes-json, json-fence, plain-json/);
  });
});
