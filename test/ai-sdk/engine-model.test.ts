// An engine as a model of the AI SDK: what the SDK asks, as its contract has it, and the parts and results it gets.
import { describe, expect, test } from "vitest";
import { createCallwright, engineModel } from "../../src/ai-sdk/index.ts";
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from "../../src/ai-sdk/provider-types.ts";
import { readOptions } from "../../src/ai-sdk/read-options.ts";
import { createEngine } from "../../src/engine.ts";
import { createScriptedModel, type ScriptedReply } from "../../src/models/scripted.ts";

const weather = {
  type: "function",
  name: "get_weather",
  description: "Tells the weather.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
} as const;
const asked: LanguageModelV3CallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Weather in Oslo?" }] }],
  tools: [structuredClone(weather) as never],
};
const oslo = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';

function modelOf(replies: readonly ScriptedReply[]) {
  const scripted = createScriptedModel({ replies });
  const engine = createEngine({
    model: scripted,
    profile: { format: "hermes-json", openers: ["hermes-json"], retry: { attempts: 2 } },
  });
  return { model: engineModel(engine, "scripted"), scripted, engine };
}

async function stream(replies: readonly ScriptedReply[], options: Partial<LanguageModelV3CallOptions> = {}) {
  const { stream } = await modelOf(replies).model.doStream({ ...asked, ...options });
  const parts: LanguageModelV3StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("a stream", () => {
  test("has prose and a call in the contract's parts, and one finish", async () => {
    const parts = await stream([`Let me look.\n${oslo}`]);
    expect(parts.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
      ...["stream-start", "response-metadata", "text-start", "text-delta", "text-end"],
      ...["tool-input-start", "tool-input-delta", "tool-input-end", "tool-call", "finish"],
    ]);
    const texts = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
    expect(texts.join("")).toBe("Let me look.");
    const inputs = parts.flatMap((part) => (part.type === "tool-input-delta" ? [part.delta] : []));
    expect(JSON.parse(inputs.join(""))).toEqual({ city: "Oslo" });
    const call = parts.find((part) => part.type === "tool-call");
    expect(call).toMatchObject({ toolName: "get_weather", input: '{"city":"Oslo"}' });
    const ids = new Set(
      parts.flatMap((part) =>
        part.type === "tool-call"
          ? [part.toolCallId]
          : part.type.startsWith("tool-input") && "id" in part
            ? [part.id]
            : [],
      ),
    );
    expect(ids.size).toBe(1);
  });

  test("tells tokens by where they came from", async () => {
    const parts = await stream(["Sunny, it is said."]);
    const finish = parts.at(-1);
    if (finish?.type !== "finish") throw new Error("the last part is no finish");
    const { inputTokens, outputTokens } = finish.usage;
    expect(finish.finishReason).toEqual({ unified: "stop", raw: "stop" });
    // Pieces of four characters each: 18 characters make 5.
    expect(outputTokens).toEqual({ total: 5, text: 5, reasoning: 0 });
    expect(inputTokens.total).toBe((inputTokens.noCache ?? 0) + (inputTokens.cacheRead ?? 0));
    expect(finish.providerMetadata?.callwright).toMatchObject({ attempts: 1, invalid: 0 });
  });

  test("of a turn that never came right ends in an error, and says how often it was tried", async () => {
    const wrong = oslo.replace("city", "town");
    const parts = await stream([wrong, wrong, wrong], { toolChoice: { type: "required" } });
    const finish = parts.at(-1);
    expect(finish).toMatchObject({ type: "finish", finishReason: { unified: "error", raw: "invalid" } });
    expect(parts.some(({ type }) => type === "tool-call")).toBe(false);
  });

  test("tells errors in itself, and is broken off by an abort", async () => {
    const bad = { ...weather, inputSchema: { type: "strange" } } as never;
    const parts = await stream(["x"], { tools: [bad] });
    expect(parts.at(-1)).toMatchObject({ type: "error", error: { code: "schema-invalid" } });
    const abortSignal = AbortSignal.abort(new Error("enough"));
    await expect(stream(["x"], { abortSignal })).rejects.toThrow("enough");
  });

  test("that nobody reads on ends the turn", async () => {
    const { model, engine } = modelOf(["word ".repeat(400)]);
    const { stream } = await model.doStream(asked);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    await engine.close();
  });
});

describe("a result", () => {
  test("is the folded stream", async () => {
    const { model } = modelOf([`Let me look.\n${oslo}`]);
    expect(await model.doGenerate(asked)).toMatchObject({
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool-call", toolName: "get_weather", input: '{"city":"Oslo"}' },
      ],
      finishReason: { unified: "tool-calls" },
      response: { modelId: "scripted" },
      warnings: [],
    });
  });

  test("is held to a schema where one is asked for", async () => {
    const { model, scripted } = modelOf(['{"city": "Oslo"}']);
    const responseFormat = { type: "json", schema: structuredClone(weather.inputSchema) as never } as const;
    const { content } = await model.doGenerate({ prompt: asked.prompt, responseFormat });
    expect(content).toEqual([{ type: "text", text: '{"city": "Oslo"}' }]);
    expect(scripted.requests[0]?.span.type).toBe("constrained");
  });

  test("throws what the engine throws", async () => {
    const { model } = modelOf([]);
    const toolChoice = { type: "tool", toolName: "nothing" } as const;
    await expect(model.doGenerate({ ...asked, toolChoice })).rejects.toMatchObject({
      code: "tool-choice-unknown",
    });
  });
});

describe("what the SDK asks", () => {
  test("becomes a turn: messages, calls, results of each kind, choice and bounds", () => {
    const result = (toolCallId: string, output: never) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName: "get_weather",
      output,
    });
    const { request, warnings } = readOptions({
      prompt: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look." },
            { type: "file", mediaType: "text/plain", data: Buffer.from("a file").toString("base64") },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm." },
            { type: "text", text: "I look." },
            { type: "tool-call", toolCallId: "a", toolName: "get_weather", input: { city: "Oslo" } },
          ],
        },
        {
          role: "tool",
          content: [
            result("a", { type: "text", value: "sunny" } as never),
            result("b", { type: "json", value: { sky: "blue" } } as never),
            result("c", { type: "error-text", value: "no such city" } as never),
            result("d", { type: "execution-denied" } as never),
            result("e", { type: "content", value: [{ type: "text", text: "two" }] } as never),
          ],
        },
      ],
      tools: [
        structuredClone(weather) as never,
        { type: "provider", id: "x.search", name: "search", args: {} },
      ],
      toolChoice: { type: "tool", toolName: "get_weather" },
      temperature: 0.5,
      topK: 3,
      seed: 9,
      maxOutputTokens: 77,
      stopSequences: ["END"],
      providerOptions: { callwright: { reasoning: "off", effort: "low", parallel: false } },
    });
    expect(request).toEqual({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Look.\na file" },
        {
          role: "assistant",
          content: "I look.",
          reasoning: "Hm.",
          calls: [{ id: "a", name: "get_weather", input: { city: "Oslo" } }],
        },
        { role: "tool", callId: "a", name: "get_weather", content: "sunny" },
        { role: "tool", callId: "b", name: "get_weather", content: '{"sky":"blue"}' },
        { role: "tool", callId: "c", name: "get_weather", content: "no such city", isError: true },
        { role: "tool", callId: "d", name: "get_weather", content: "The call was denied.", isError: true },
        { role: "tool", callId: "e", name: "get_weather", content: "two" },
      ],
      tools: [{ name: "get_weather", description: "Tells the weather.", inputSchema: weather.inputSchema }],
      toolChoice: { name: "get_weather" },
      sampling: { temperature: 0.5, topK: 3 },
      seed: 9,
      maxTokens: 77,
      stop: ["END"],
      reasoning: { mode: "off", effort: "low" },
      parallel: false,
    });
    expect(warnings).toEqual([{ type: "unsupported", feature: "the provider's own tool x.search" }]);
  });

  test.each([
    ["an image", { role: "user", content: [{ type: "file", mediaType: "image/png", data: "AAAA" }] }],
    [
      "an address",
      { role: "user", content: [{ type: "file", mediaType: "text/plain", data: new URL("http://x/") }] },
    ],
  ] as const)("of %s is refused, for the model would not see it", (_name, message) => {
    expect(() => readOptions({ prompt: [message as never] })).toThrow("reads text only");
  });
});

describe("the provider", () => {
  test("opens a model by its name when it is first asked, and has no others", async () => {
    const provider = createCallwright({ home: "/nowhere" });
    expect(provider.languageModel("some-model")).toMatchObject({
      provider: "callwright",
      modelId: "some-model",
    });
    await expect(provider.languageModel("some-model").doGenerate(asked)).rejects.toMatchObject({
      code: "model-unknown",
    });
    expect(() => provider.imageModel("x")).toThrow("x");
    await provider.close();
  });
});
