// The openai package: chat completions, its accumulators and tool runner, and responses.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { answer, createTask, real, weather, withWeights } from "../common.mjs";
import { recuttingFetch } from "../recut.mjs";
import { withScripted, writeCall } from "../scripted-server.mjs";

const clientOf = ({ url }, seed = 1) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", fetch: recuttingFetch(seed), maxRetries: 0 });
const messages = [{ role: "user", content: "Weather in Oslo?" }];
const tools = [{ type: "function", function: weather }];
const flat = [{ type: "function", strict: false, ...weather }];
const oslo = writeCall("get_weather", { city: "Oslo" });
const two = `${oslo}\n${writeCall("get_weather", { city: "東京", days: 2 })}`;
const base = { model: "scripted", messages };

test("a chat completion has calls as the API writes them", () =>
  withScripted([two], async (server) => {
    const completion = await clientOf(server).chat.completions.create({ ...base, tools });
    const [{ message, finish_reason: reason }] = completion.choices;
    assert.equal(reason, "tool_calls");
    assert.equal(message.content, null);
    assert.deepEqual(
      message.tool_calls.map(({ type, function: { name, arguments: text } }) => [
        type,
        name,
        JSON.parse(text),
      ]),
      [
        ["function", "get_weather", { city: "Oslo" }],
        ["function", "get_weather", { city: "東京", days: 2 }],
      ],
    );
    assert.equal(new Set(message.tool_calls.map(({ id }) => id)).size, 2);
    assert.equal(
      completion.usage.total_tokens,
      completion.usage.prompt_tokens + completion.usage.completion_tokens,
    );
  }));

test("a stream, cut anywhere, gives the same calls chunk by chunk", async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    await withScripted([`Let me see.\n${two}`], async (server) => {
      const stream = clientOf(server, seed).chat.completions.stream({
        ...base,
        tools,
        stream_options: { include_usage: true },
      });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      const final = await stream.finalChatCompletion();
      const [{ message, finish_reason: reason }] = final.choices;
      assert.equal(reason, "tool_calls");
      assert.equal(message.content, "Let me see.");
      assert.deepEqual(
        message.tool_calls.map(({ function: { arguments: text } }) => JSON.parse(text)),
        [{ city: "Oslo" }, { city: "東京", days: 2 }],
      );
      assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
      assert.equal(chunks[0].choices[0].delta.role, "assistant");
      const deltas = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
      const firsts = deltas.filter(({ id }) => id !== undefined);
      assert.deepEqual(
        firsts.map(({ index, type, function: { name } }) => [index, type, name]),
        [
          [0, "function", "get_weather"],
          [1, "function", "get_weather"],
        ],
      );
      assert.deepEqual(chunks.at(-1).choices, []);
      assert.ok(chunks.at(-1).usage.completion_tokens > 0);
    });
  }
});

test("text comes whole out of a stream, whatever its characters", () =>
  withScripted([answer], async (server) => {
    const stream = clientOf(server, 5).chat.completions.stream(base);
    assert.equal(await stream.finalContent(), answer);
  }));

test("the tool runner loops: it runs the tool and reads the answer", () =>
  withScripted([oslo, answer], async (server) => {
    const asked = [];
    const run = (input) => {
      asked.push(input);
      return "21 degrees";
    };
    const runner = clientOf(server).chat.completions.runTools({
      ...base,
      tools: [{ type: "function", function: { ...weather, function: run, parse: JSON.parse } }],
    });
    assert.equal(await runner.finalContent(), answer);
    assert.deepEqual(asked, [{ city: "Oslo" }]);
    const prompt = server.requests
      .at(-1)
      .prompt.map(({ text }) => text)
      .join("");
    assert.match(prompt, /21 degrees/);
  }));

test("a schema holds the answer, which the client reads", () =>
  withScripted(['{"city": "Oslo", "days": 3}'], async (server) => {
    const json_schema = { name: "place", strict: true, schema: weather.parameters };
    const completion = await clientOf(server).chat.completions.parse({
      ...base,
      response_format: { type: "json_schema", json_schema },
    });
    assert.deepEqual(JSON.parse(completion.choices[0].message.content), { city: "Oslo", days: 3 });
    assert.equal(server.requests[0].span.type, "constrained");
  }));

test("a mistake is the error that the client knows, with its parameter", () =>
  withScripted([], async (server) => {
    const tool_choice = { type: "function", function: { name: "no_such_tool" } };
    const asked = clientOf(server).chat.completions.create({ ...base, tools, tool_choice });
    await assert.rejects(asked, (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.match(error.message, /no_such_tool/);
      return true;
    });
  }));

test("models are listed", () =>
  withScripted([], async (server) => {
    const ids = [];
    for await (const model of clientOf(server).models.list()) ids.push(model.id);
    assert.deepEqual(ids, ["scripted"]);
  }));

test("a response has calls as items, and goes on with their outputs", () =>
  withScripted([oslo, answer], async (server) => {
    const client = clientOf(server);
    const input = [{ role: "user", content: "Weather in Oslo?" }];
    const first = await client.responses.create({ model: "scripted", input, tools: flat });
    const call = first.output.find(({ type }) => type === "function_call");
    assert.equal(call.name, "get_weather");
    assert.deepEqual(JSON.parse(call.arguments), { city: "Oslo" });
    assert.notEqual(call.id, call.call_id);
    const output = { type: "function_call_output", call_id: call.call_id, output: "21 degrees" };
    const second = await client.responses.create({
      model: "scripted",
      input: [...input, ...first.output, output],
      tools: flat,
    });
    assert.equal(second.output_text, answer);
    assert.equal(second.status, "completed");
  }));

test("a stream of a response, cut anywhere, is put together by the client", async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    await withScripted([`Let me see.\n${oslo}`], async (server) => {
      const stream = clientOf(server, seed).responses.stream({
        model: "scripted",
        input: "Weather in Oslo?",
        tools: flat,
      });
      const numbers = [];
      const types = new Set();
      for await (const event of stream) {
        numbers.push(event.sequence_number);
        types.add(event.type);
      }
      const final = await stream.finalResponse();
      assert.deepEqual(
        final.output.map(({ type }) => type),
        ["message", "function_call"],
      );
      assert.deepEqual(final.output[1].parsed_arguments ?? JSON.parse(final.output[1].arguments), {
        city: "Oslo",
      });
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      );
      for (const type of [
        "response.created",
        "response.function_call_arguments.done",
        "response.completed",
      ]) {
        assert.ok(types.has(type), type);
      }
    });
  }
});

test("real weights: a whole loop of tools", withWeights, async () => {
  const task = createTask();
  const runner = clientOf(real).chat.completions.runTools(
    {
      model: real.model,
      messages: [{ role: "user", content: task.prompt }],
      tools: [{ type: "function", function: { ...task.tool, function: task.run, parse: JSON.parse } }],
    },
    { maxChatCompletions: 4 },
  );
  task.check(await runner.finalContent());
});
