// The @anthropic-ai/sdk package: messages, their stream, and counted tokens.
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { answer, createTask, real, weather, withWeights } from "../common.mjs";
import { recuttingFetch } from "../recut.mjs";
import { withScripted, writeCall } from "../scripted-server.mjs";

const clientOf = ({ url }, seed = 1) =>
  new Anthropic({ baseURL: url, apiKey: "none", fetch: recuttingFetch(seed), maxRetries: 0 });
const toTool = ({ name, description, parameters }) => ({ name, description, input_schema: parameters });
const base = {
  model: "scripted",
  max_tokens: 500,
  messages: [{ role: "user", content: "Weather in Oslo?" }],
  tools: [toTool(weather)],
};
const oslo = writeCall("get_weather", { city: "Oslo" });
const tokyo = writeCall("get_weather", { city: "東京", days: 2 });

test("a message has text and calls as blocks", () =>
  withScripted([`Let me see.\n${oslo}\n${tokyo}`], async (server) => {
    const message = await clientOf(server).messages.create(base);
    assert.equal(message.stop_reason, "tool_use");
    assert.deepEqual(
      message.content.map((block) => (block.type === "text" ? block.text : [block.name, block.input])),
      ["Let me see.", ["get_weather", { city: "Oslo" }], ["get_weather", { city: "東京", days: 2 }]],
    );
    const ids = message.content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
    assert.ok(message.usage.input_tokens > 0 && message.usage.output_tokens > 0);
  }));

test("a stream, cut anywhere, gives the same message, each event in its place", async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    await withScripted([`Let me see.\n${oslo}\n${tokyo}`], async (server) => {
      const stream = clientOf(server, seed).messages.stream(base);
      const types = [];
      stream.on("streamEvent", ({ type }) => types.push(type));
      const message = await stream.finalMessage();
      assert.deepEqual(
        message.content.map((block) => (block.type === "text" ? block.text : block.input)),
        ["Let me see.", { city: "Oslo" }, { city: "東京", days: 2 }],
      );
      assert.equal(message.stop_reason, "tool_use");
      const shape = types.filter((type) => type !== "ping" && type !== "content_block_delta");
      const block = ["content_block_start", "content_block_stop"];
      assert.deepEqual(shape, [
        "message_start",
        ...block,
        ...block,
        ...block,
        "message_delta",
        "message_stop",
      ]);
    });
  }
});

test("results go on: a failed one is told as such", () =>
  withScripted([oslo, answer], async (server) => {
    const client = clientOf(server, 3);
    const first = await client.messages.create(base);
    const call = first.content.find(({ type }) => type === "tool_use");
    const result = { type: "tool_result", tool_use_id: call.id, content: "no such city", is_error: true };
    const second = await client.messages.create({
      ...base,
      messages: [
        ...base.messages,
        { role: "assistant", content: first.content },
        { role: "user", content: [result] },
      ],
    });
    assert.equal(second.content[0].text, answer);
    assert.equal(second.stop_reason, "end_turn");
    const prompt = server.requests
      .at(-1)
      .prompt.map(({ text }) => text)
      .join("");
    assert.match(prompt, /no such city/);
  }));

test("a choice of a tool makes it be called", () =>
  withScripted([oslo], async (server) => {
    const tool_choice = { type: "tool", name: "get_weather" };
    const { stop_reason: reason } = await clientOf(server).messages.create({ ...base, tool_choice });
    assert.equal(reason, "tool_use");
    assert.equal(server.requests.at(-1).span.type, "constrained");
  }));

test("tokens are counted before anything is decoded", () =>
  withScripted([], async (server) => {
    const { max_tokens: _bound, ...counted } = base;
    const { input_tokens: tokens } = await clientOf(server).messages.countTokens(counted);
    assert.ok(tokens > 0);
    assert.equal(server.requests.length, 0);
  }));

test("a mistake is the error that the client knows", () =>
  withScripted([], async (server) => {
    const tools = [toTool({ ...weather, parameters: { type: "strange" } })];
    await assert.rejects(clientOf(server).messages.create({ ...base, tools }), (error) => {
      assert.ok(error instanceof Anthropic.BadRequestError);
      assert.match(error.message, /get_weather/);
      return true;
    });
  }));

test("real weights: a whole loop of tools", withWeights, async () => {
  const task = createTask();
  const client = clientOf(real);
  const messages = [{ role: "user", content: task.prompt }];
  const tools = [toTool(task.tool)];
  for (let turn = 0; turn < 4; turn += 1) {
    const message = await client.messages.create({ model: real.model, max_tokens: 300, messages, tools });
    messages.push({ role: "assistant", content: message.content });
    if (message.stop_reason !== "tool_use") break;
    const calls = message.content.filter(({ type }) => type === "tool_use");
    const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: task.run() }));
    messages.push({ role: "user", content: results });
  }
  const last = messages.at(-1).content;
  task.check(Array.isArray(last) ? last.map(({ text = "" }) => text).join("") : last);
});
