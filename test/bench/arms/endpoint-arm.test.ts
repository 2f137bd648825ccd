// A server as an arm: what it is asked by each route, and what becomes of its reply. The server is a real one on loopback.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createEndpointArm, type Route } from "../../../src/bench/arms/endpoint-arm.ts";
import type { BenchItem } from "../../../src/bench/bench-item.ts";
import { isJsonObject, type JsonObject } from "../../../src/vocabulary/index.ts";

const item: BenchItem = {
  id: "a",
  category: "c",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather in Oslo?" },
    { role: "assistant", content: "", calls: [{ id: "call_1", name: "weather", input: { city: "Oslo" } }] },
    { role: "tool", callId: "call_1", name: "weather", content: "Sunny" },
    { role: "assistant", content: "Sunny." },
    { role: "user", content: "And in Rome?" },
  ],
  tools: [
    {
      name: "weather",
      description: "Weather of a city.",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ],
  judge: () => undefined,
};

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

async function ask(route: Route, reply: JsonObject, status = 200) {
  const bodies: JsonObject[] = [];
  const opened = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      const body: unknown = JSON.parse(text);
      if (isJsonObject(body)) bodies.push(body);
      response.writeHead(status).end(JSON.stringify(reply));
    });
  });
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
  const { port } = opened.address() as AddressInfo;
  const arm = createEndpointArm({
    name: "server",
    url: `http://127.0.0.1:${port}/v1/`,
    model: "m",
    route,
    maxTokens: 64,
    seed: 1,
    provenance: {},
  });
  const answer = await arm.answer(item, new AbortController().signal);
  const [body] = bodies;
  if (body === undefined) throw new Error("nothing was asked");
  return { answer, body };
}

const said = (message: JsonObject): JsonObject => ({ choices: [{ finish_reason: "stop", message }] });
const list = '[{"name": "weather", "arguments": {"city": "Rome"}}]';

describe("the tools API", () => {
  it("gets the conversation with past calls and results in the wire's own shape", async () => {
    const { body } = await ask("auto", said({ content: "Hm." }));
    expect(body).toMatchObject({ model: "m", temperature: 0, tool_choice: "auto" });
    expect(body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather in Oslo?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "Sunny" },
      { role: "assistant", content: "Sunny." },
      { role: "user", content: "And in Rome?" },
    ]);
  });

  it("gives calls whose arguments are a text or an object", async () => {
    const calls = [
      { function: { name: "weather", arguments: '{"city": "Rome"}' } },
      { function: { name: "weather", arguments: { city: "Oslo" } } },
    ];
    const { answer } = await ask("required", said({ content: null, tool_calls: calls }));
    expect(answer.calls).toEqual([
      { name: "weather", text: '{"city": "Rome"}' },
      { name: "weather", text: '{"city":"Oslo"}' },
    ]);
  });

  it("gives an error of the server as one", async () => {
    expect((await ask("auto", { error: "busy" }, 503)).answer.error).toContain("HTTP 503");
    expect((await ask("auto", {})).answer.error).toContain("no message");
  });
});

describe("the text route", () => {
  it("reads calls out of text that the server took for prose", async () => {
    const content = '```json\n{"name": "weather", "arguments": "{\\"city\\": \\"Rome\\"}"}\n```';
    const { answer, body } = await ask("text", said({ content }));
    expect(body.tool_choice).toBe("auto");
    expect(answer.calls).toEqual([{ name: "weather", text: '{"city":"Rome"}' }]);
    expect(answer.mends).toEqual(["decoded-arguments-string"]);
    expect((await ask("auto", said({ content }))).answer.calls).toEqual([]);
  });

  it("takes the server's own calls where it found some, and prose for prose", async () => {
    const calls = [{ function: { name: "weather", arguments: "{}" } }];
    expect((await ask("text", said({ content: "", tool_calls: calls }))).answer.calls).toEqual([
      { name: "weather", text: "{}" },
    ]);
    expect((await ask("text", said({ content: "It is sunny." }))).answer).toMatchObject({
      calls: [],
      text: "It is sunny.",
    });
  });
});

describe("the constrained route", () => {
  it("puts the tools into the one system text and holds the reply to a list of calls", async () => {
    const { answer, body } = await ask("constrained", said({ content: list }));
    const messages = body.messages as readonly JsonObject[];
    expect(messages.filter(({ role }) => role === "system")).toHaveLength(1);
    expect(messages[0]?.content).toMatch(/^Be brief\.\n\n.*"name":"weather"/s);
    expect(body.tools).toBeUndefined();
    expect(JSON.stringify(body.response_format)).toContain('"const":"weather"');
    expect(answer).toMatchObject({ calls: [{ name: "weather", text: '{"city":"Rome"}' }], text: "" });
  });

  it("takes a list that was cut for no call", async () => {
    const { answer } = await ask("constrained", said({ content: list.slice(0, -3) }));
    expect(answer).toMatchObject({ calls: [], text: list.slice(0, -3) });
  });
});
