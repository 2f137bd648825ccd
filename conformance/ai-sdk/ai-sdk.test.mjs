// The AI SDK: its openai-compatible, openai and anthropic providers against the server, and our own provider without one.
// Steps of tools, streams, structured output.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { engineModel } from "../../dist/ai-sdk/index.js";
import { createEngine, createScriptedModel } from "../../dist/index.js";
import { answer, createTask, real, weather, withWeights } from "../common.mjs";
import { recuttingFetch } from "../recut.mjs";
import { withScripted, writeCall } from "../scripted-server.mjs";

const oslo = writeCall("get_weather", { city: "Oslo" });
const tokyo = writeCall("get_weather", { city: "東京", days: 2 });

/** A model of each provider at a server. */
const providers = {
  "openai-compatible": ({ url, model = "scripted" }, fetch) =>
    createOpenAICompatible({
      name: "local",
      baseURL: `${url}/v1`,
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model),
  "openai chat": ({ url, model = "scripted" }, fetch) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey: "none", fetch }).chat(model),
  "openai responses": ({ url, model = "scripted" }, fetch) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey: "none", fetch }).responses(model),
  anthropic: ({ url, model = "scripted" }, fetch) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: "none", fetch })(model),
};

/** The same for a check without a server. */
async function withOwnProvider(replies, check) {
  const profile = { format: "hermes-json", openers: ["hermes-json"] };
  const engine = createEngine({ model: createScriptedModel({ replies }), profile });
  try {
    return await check(() => engineModel(engine, "scripted"));
  } finally {
    await engine.close();
  }
}

const settings = [
  ...Object.entries(providers).map(([name, open]) => ({
    name,
    within: (replies, check) =>
      withScripted(replies, (server) => check((seed = 1) => open(server, recuttingFetch(seed)))),
  })),
  { name: "callwright/ai-sdk", within: withOwnProvider },
];

// By default this provider sends only the ids of what it takes to be stored at OpenAI; here nothing is.
const providerOptions = { openai: { store: false } };

function weatherTool(asked) {
  return tool({
    description: weather.description,
    inputSchema: jsonSchema(weather.parameters),
    execute: (input) => {
      asked.push(input);
      return { degrees: 21 };
    },
  });
}

for (const { name, within } of settings) {
  test(`${name}: steps of tools, until the answer`, () =>
    within([`${oslo}\n${tokyo}`, answer], async (open) => {
      const asked = [];
      const { text, steps, finishReason, totalUsage } = await generateText({
        model: open(),
        prompt: "Weather in Oslo and 東京?",
        tools: { get_weather: weatherTool(asked) },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
        providerOptions,
      });
      assert.equal(text, answer);
      assert.equal(finishReason, "stop");
      assert.deepEqual(asked, [{ city: "Oslo" }, { city: "東京", days: 2 }]);
      assert.deepEqual(
        steps.map((step) => step.finishReason),
        ["tool-calls", "stop"],
      );
      assert.ok(totalUsage.inputTokens > 0 && totalUsage.outputTokens > 0);
    }));

  test(`${name}: a stream, cut anywhere, gives text and calls as they are`, async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      await within([`Let me see.\n${oslo}`, answer], async (open) => {
        const asked = [];
        const result = streamText({
          model: open(seed),
          prompt: "Weather?",
          tools: { get_weather: weatherTool(asked) },
          stopWhen: stepCountIs(3),
          maxRetries: 0,
          providerOptions,
          onError: ({ error }) => {
            throw error;
          },
        });
        const types = new Set();
        for await (const part of result.fullStream) types.add(part.type);
        const steps = await result.steps;
        assert.deepEqual(
          steps.map((step) => step.text),
          ["Let me see.", answer],
        );
        assert.deepEqual(asked, [{ city: "Oslo" }]);
        for (const type of ["tool-input-start", "tool-input-delta", "tool-call", "tool-result", "finish"]) {
          assert.ok(types.has(type), type);
        }
      });
    }
  });

  test(`${name}: structured output is held to its schema`, () => {
    // Anthropic's provider asks for it by a call of a tool named json.
    const written = { city: "Oslo" };
    const reply = name === "anthropic" ? writeCall("json", written) : JSON.stringify(written);
    return within([reply], async (open) => {
      const { output } = await generateText({
        model: open(),
        prompt: "Where?",
        output: Output.object({ schema: z.object({ city: z.string() }) }),
        maxRetries: 0,
        providerOptions,
      });
      assert.deepEqual(output, written);
    });
  });
}

for (const [name, open] of Object.entries(providers)) {
  test(`${name}: real weights, a whole loop of tools`, withWeights, async () => {
    const task = createTask();
    const { text } = await generateText({
      model: open(real, recuttingFetch()),
      prompt: task.prompt,
      tools: {
        [task.tool.name]: tool({
          description: task.tool.description,
          inputSchema: jsonSchema(task.tool.parameters),
          execute: task.run,
        }),
      },
      stopWhen: stepCountIs(4),
      maxRetries: 0,
      providerOptions,
    });
    task.check(text);
  });
}
