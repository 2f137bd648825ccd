// What each lever switches off or over, over a scripted model.
import { describe, expect, it } from "vitest";
import { decodeTurn, foldTurn, type TurnRequest } from "../../src/decode/decode-turn.ts";
import type { TemplateRenderer } from "../../src/formats/index.ts";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import type { ModelInfo } from "../../src/models/model.ts";
import { type PartialProfile, resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel, type ScriptedModelOptions } from "../../src/models/scripted.ts";
import type { TurnEvent } from "../../src/vocabulary/index.ts";
import { rendererOf, taggedTemplate } from "../formats/templates-for-test.ts";

const weather = {
  name: "get_weather",
  description: "Current weather of a city.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string", enum: ["Oslo", "Rome"] } },
    required: ["city"],
  },
};
const call = (input: string) => `<tool_call>\n{"name": "get_weather", "arguments": ${input}}\n</tool_call>`;

interface Asked {
  readonly levers?: TurnRequest["levers"];
  readonly profile?: PartialProfile;
  readonly info?: Partial<ModelInfo>;
  readonly score?: () => number;
  readonly renderTemplate?: TemplateRenderer;
}

async function ask(replies: ScriptedModelOptions["replies"], asked: Asked = {}) {
  const { levers = {}, profile = {}, ...script } = asked;
  const model = createScriptedModel({ replies, ...script });
  const base: PartialProfile = { format: "hermes-json", openers: ["hermes-json"] };
  const context = { model, profile: resolveProfile(base, profile) };
  const messages = [{ role: "user", content: "Weather?" }] as const;
  const events: TurnEvent[] = [];
  for await (const event of decodeTurn(context, { messages, tools: [weather], levers })) events.push(event);
  const result = await foldTurn(
    (async function* () {
      yield* events;
    })(),
  );
  const grammars = model.requests.flatMap(({ span }) => (span.type === "constrained" ? [span.grammar] : []));
  const prompt = model.requests[0]?.prompt.map((part) => part.text).join("") ?? "";
  return { events, result, grammars, prompt };
}

describe("grammar: names", () => {
  const body = (name: string, input: string) => `\n{"name": "${name}", "arguments": ${input}}\n</tool_call>`;

  it("holds the name to the offered tools and leaves the arguments to the model", async () => {
    const { grammars } = await ask([call('{"city": "Oslo"}')], { levers: { grammar: "names" } });
    const [grammar] = grammars;
    if (grammar === undefined) throw new Error("a span under a grammar");
    expect(acceptsText(grammar, body("get_weather", '{"town": [5, null]}'))).toBe(true);
    expect(acceptsText(grammar, body("get_time", '{"city": "Oslo"}'))).toBe(false);
    const full = (await ask([call('{"city": "Oslo"}')])).grammars[0];
    if (full === undefined) throw new Error("a span under a grammar");
    expect(acceptsText(full, body("get_weather", '{"town": [5, null]}'))).toBe(false);
  });

  it("validates what comes, shows nothing of it before, and mends it", async () => {
    const { events, result } = await ask(
      [{ attempts: [call('{"city": "Paris"}'), call('{"city": "Rome"}')] }],
      {
        levers: { grammar: "names" },
      },
    );
    expect(result.calls).toMatchObject([{ name: "get_weather", input: { city: "Rome" } }]);
    expect(result.retries.map(({ rung }) => rung)).toEqual([3]);
    expect(events.filter(({ type }) => type === "call-start")).toHaveLength(1);
  });
});

describe("grammar: late", () => {
  it("takes a free call that is valid", async () => {
    const { result, grammars } = await ask([call('{"city": "Oslo"}')], { levers: { grammar: "late" } });
    expect(result.calls).toMatchObject([{ input: { city: "Oslo" } }]);
    expect(grammars).toEqual([]);
  });

  it("writes one that was refused again under the grammar", async () => {
    const { result, grammars } = await ask([call('{"city": "Paris"}'), call('{"city": "Oslo"}')], {
      levers: { grammar: "late" },
    });
    expect(result.calls).toMatchObject([{ input: { city: "Oslo" } }]);
    expect(result.retries.map(({ rung }) => rung)).toEqual([4]);
    expect(grammars).toHaveLength(1);
  });
});

describe("forceOpening", () => {
  const asked: Asked = {
    profile: { calls: { decision: { kind: "score", threshold: 0.5 } } },
    info: { givesProbabilities: true },
    score: () => 0,
  };

  it("on: a score above the threshold opens the call, off: the model's own text is taken", async () => {
    const reply = { attempts: ["It is sunny.", call('{"city": "Oslo"}')] };
    expect((await ask([reply], asked)).result).toMatchObject({
      text: "",
      calls: [{ input: { city: "Oslo" } }],
    });
    const off = await ask([reply], { ...asked, levers: { forceOpening: false } });
    expect(off.result).toMatchObject({ text: "It is sunny.", calls: [] });
  });
});

describe("toolText", () => {
  const template = { info: { template: taggedTemplate }, renderTemplate: rendererOf(taggedTemplate) };

  it("template: the model's own chat template tells of the tools; format: the format's own text does", async () => {
    const byTemplate = await ask(["Sunny."], template);
    const byFormat = await ask(["Sunny."], { ...template, levers: { toolText: "format" } });
    expect(byTemplate.prompt).toContain("Tools:\n{");
    expect(byFormat.prompt).not.toContain("Tools:\n{");
    expect(byFormat.prompt).toContain("get_weather");
    expect(byFormat.prompt).toContain("<tool_call>");
  });
});
