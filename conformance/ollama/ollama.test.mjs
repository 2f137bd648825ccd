// The ollama package: chat with tools, its stream of JSON lines, formats, and the lists of models.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ollama } from "ollama";
import { answer, createTask, real, weather, withWeights } from "../common.mjs";
import { recuttingFetch } from "../recut.mjs";
import { withScripted, writeCall } from "../scripted-server.mjs";

const clientOf = ({ url }, seed = 1) => new Ollama({ host: url, fetch: recuttingFetch(seed) });
const messages = [{ role: "user", content: "Weather in Oslo?" }];
const tools = [{ type: "function", function: weather }];
const base = { model: "scripted", messages, tools };
const oslo = writeCall("get_weather", { city: "Oslo" });
const tokyo = writeCall("get_weather", { city: "東京", days: 2 });

test("a chat has calls with arguments as objects", () =>
  withScripted([`${oslo}\n${tokyo}`], async (server) => {
    const reply = await clientOf(server).chat(base);
    assert.deepEqual(
      reply.message.tool_calls.map(({ function: { name, arguments: input } }) => [name, input]),
      [
        ["get_weather", { city: "Oslo" }],
        ["get_weather", { city: "東京", days: 2 }],
      ],
    );
    assert.equal(reply.done, true);
    assert.ok(reply.prompt_eval_count > 0 && reply.eval_count > 0);
  }));

test("a stream of lines, cut anywhere, gives the same, thinking in its own field", async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    await withScripted([`<think>\nOslo, so.\n</think>\n\n${answer}\n${oslo}`], async (server) => {
      const stream = await clientOf(server, seed).chat({ ...base, stream: true, think: true });
      let text = "";
      let thinking = "";
      const calls = [];
      let last;
      for await (const part of stream) {
        text += part.message.content;
        thinking += part.message.thinking ?? "";
        calls.push(...(part.message.tool_calls ?? []));
        last = part;
      }
      assert.equal(text, answer);
      assert.equal(thinking, "Oslo, so.");
      assert.deepEqual(
        calls.map(({ function: { arguments: input } }) => input),
        [{ city: "Oslo" }],
      );
      assert.deepEqual([last.done, last.done_reason], [true, "stop"]);
    });
  }
});

test("a format holds the answer to a schema", () =>
  withScripted(['{"city": "Oslo"}'], async (server) => {
    const reply = await clientOf(server).chat({ model: "scripted", messages, format: weather.parameters });
    assert.deepEqual(JSON.parse(reply.message.content), { city: "Oslo" });
    assert.equal(server.requests[0].span.type, "constrained");
  }));

test("a prompt is answered", () =>
  withScripted([answer], async (server) => {
    const reply = await clientOf(server).generate({ model: "scripted", prompt: "Weather?" });
    assert.equal(reply.response, answer);
  }));

test("models are listed and shown, with what they can do", () =>
  withScripted([], async (server) => {
    const client = clientOf(server);
    const { models } = await client.list();
    assert.deepEqual(
      models.map(({ name }) => name.replace(/:latest$/, "")),
      ["scripted"],
    );
    const shown = await client.show({ model: "scripted" });
    assert.ok(shown.capabilities.includes("tools"));
  }));

test("a mistake is an error with the server's words", () =>
  withScripted([], async (server) => {
    const broken = [{ type: "function", function: { ...weather, parameters: { type: "strange" } } }];
    await assert.rejects(clientOf(server).chat({ ...base, tools: broken }), /get_weather/);
  }));

test("real weights: a whole loop of tools", withWeights, async () => {
  const task = createTask();
  const client = clientOf(real);
  const history = [{ role: "user", content: task.prompt }];
  for (let turn = 0; turn < 4; turn += 1) {
    const tools = [{ type: "function", function: task.tool }];
    const { message } = await client.chat({ model: real.model, messages: history, tools });
    history.push(message);
    if ((message.tool_calls ?? []).length === 0) break;
    for (const { function: called } of message.tool_calls) {
      history.push({ role: "tool", tool_name: called.name, content: task.run() });
    }
  }
  task.check(history.at(-1).content);
});
