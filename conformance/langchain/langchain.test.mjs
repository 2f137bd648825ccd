// LangChain's @langchain/openai: bound tools, streamed chunks put together, and structured output.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { answer, createTask, real, withWeights } from "../common.mjs";
import { recuttingFetch } from "../recut.mjs";
import { withScripted, writeCall } from "../scripted-server.mjs";

const modelOf = ({ url, model = "scripted" }, seed = 1) =>
  new ChatOpenAI({
    model,
    apiKey: "none",
    maxRetries: 0,
    temperature: 0,
    useResponsesApi: false,
    configuration: { baseURL: `${url}/v1`, fetch: recuttingFetch(seed) },
  });
const schema = z.object({ city: z.string(), days: z.number().int().optional() });
const weather = tool(({ city }) => `21 degrees in ${city}`, {
  name: "get_weather",
  description: "Tells the weather of a city.",
  schema,
});
const oslo = writeCall("get_weather", { city: "Oslo" });
const tokyo = writeCall("get_weather", { city: "東京", days: 2 });

test("bound tools are called, and their results answered", () =>
  withScripted([`${oslo}\n${tokyo}`, answer], async (server) => {
    const model = modelOf(server).bindTools([weather]);
    const messages = [new HumanMessage("Weather in Oslo?")];
    const first = await model.invoke(messages);
    assert.deepEqual(
      first.tool_calls.map(({ name, args }) => [name, args]),
      [
        ["get_weather", { city: "Oslo" }],
        ["get_weather", { city: "東京", days: 2 }],
      ],
    );
    const results = await Promise.all(first.tool_calls.map((call) => weather.invoke(call)));
    assert.ok(results.every((result) => result instanceof ToolMessage));
    const second = await model.invoke([...messages, first, ...results]);
    assert.equal(second.content, answer);
    assert.ok(second.usage_metadata.total_tokens > 0);
  }));

test("chunks of a stream, cut anywhere, add up to the same", async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    await withScripted([`Let me see.\n${oslo}\n${tokyo}`], async (server) => {
      let whole;
      for await (const chunk of await modelOf(server, seed).bindTools([weather]).stream("Weather?")) {
        whole = whole === undefined ? chunk : whole.concat(chunk);
      }
      assert.equal(whole.content, "Let me see.");
      assert.deepEqual(
        whole.tool_calls.map(({ args }) => args),
        [{ city: "Oslo" }, { city: "東京", days: 2 }],
      );
    });
  }
});

test("structured output is read, by a schema and by a call", async () => {
  await withScripted(['{"city": "Oslo"}'], async (server) => {
    const model = modelOf(server).withStructuredOutput(schema, { method: "jsonSchema", strict: false });
    assert.deepEqual(await model.invoke("Where?"), { city: "Oslo" });
  });
  await withScripted([writeCall("extract", { city: "Oslo" })], async (server) => {
    const model = modelOf(server).withStructuredOutput(schema, {
      method: "functionCalling",
      name: "extract",
    });
    assert.deepEqual(await model.invoke("Where?"), { city: "Oslo" });
  });
});

test("real weights: a whole loop of tools", withWeights, async () => {
  const task = createTask();
  const { name, description } = task.tool;
  const read = tool(task.run, { name, description, schema: z.object({}) });
  const model = modelOf(real).bindTools([read]);
  const messages = [new HumanMessage(task.prompt)];
  for (let turn = 0; turn < 4; turn += 1) {
    const reply = await model.invoke(messages);
    messages.push(reply);
    if (reply.tool_calls.length === 0) break;
    for (const call of reply.tool_calls) messages.push(await read.invoke(call));
  }
  task.check(messages.at(-1).content);
});
