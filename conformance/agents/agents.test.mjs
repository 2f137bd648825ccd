// The @openai/agents package: its loop over chat completions and over responses, streamed and not.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";
import { answer, createTask, real, withWeights } from "../common.mjs";
import { recuttingFetch } from "../recut.mjs";
import { withScripted, writeCall } from "../scripted-server.mjs";

setTracingDisabled(true);

const models = { chat: OpenAIChatCompletionsModel, responses: OpenAIResponsesModel };
const oslo = writeCall("get_weather", { city: "Oslo" });

function agentOf({ url, model = "scripted" }, mode, tools, seed = 1) {
  const client = new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: "none",
    fetch: recuttingFetch(seed),
    maxRetries: 0,
  });
  return new Agent({
    name: "tester",
    instructions: "Answer briefly.",
    model: new models[mode](client, model),
    tools,
  });
}

function weatherTool(asked) {
  return tool({
    name: "get_weather",
    description: "Tells the weather of a city.",
    parameters: z.object({ city: z.string() }),
    execute: (input) => {
      asked.push(input);
      return "21 degrees";
    },
  });
}

for (const mode of Object.keys(models)) {
  test(`${mode}: the agent runs the tool and reads the answer`, () =>
    withScripted([oslo, answer], async (server) => {
      const asked = [];
      const result = await new Runner().run(agentOf(server, mode, [weatherTool(asked)]), "Weather in Oslo?");
      assert.equal(result.finalOutput, answer);
      assert.deepEqual(asked, [{ city: "Oslo" }]);
      const prompt = server.requests
        .at(-1)
        .prompt.map(({ text }) => text)
        .join("");
      assert.match(prompt, /21 degrees/);
    }));

  test(`${mode}: streamed, cut anywhere, it does the same`, async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      await withScripted([oslo, answer], async (server) => {
        const asked = [];
        const agent = agentOf(server, mode, [weatherTool(asked)], seed);
        const result = await new Runner().run(agent, "Weather in Oslo?", { stream: true });
        let text = "";
        for await (const piece of result.toTextStream()) text += piece;
        await result.completed;
        assert.equal(text, answer);
        assert.deepEqual(asked, [{ city: "Oslo" }]);
      });
    }
  });

  test(`${mode}: real weights, a whole loop of tools`, withWeights, async () => {
    const task = createTask();
    const { name, description } = task.tool;
    const read = tool({ name, description, parameters: z.object({}), execute: task.run });
    const result = await new Runner().run(agentOf(real, mode, [read]), task.prompt, { maxTurns: 4 });
    task.check(result.finalOutput);
  });
}
