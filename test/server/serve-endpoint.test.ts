// Another server's model behind ours: what a client asks here is asked there, validated and mended on the way.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createApp } from "../../src/server/app.ts";
import { catalogueModels } from "../../src/server/catalogue-models.ts";
import { chatEvents, startModelServer } from "../models/remote/model-server.ts";
import { postRequest } from "./ask-server.ts";

const weather = {
  name: "get_weather",
  description: "Tells the weather.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

test("a call that the other server got wrong is asked for again; the client sees the good one", async () => {
  const home = await mkdtemp(join(tmpdir(), "callwright-serve-endpoint-"));
  let turns = 0;
  const other = await startModelServer(({ path, body }) => {
    if (path === "/version") return { json: { version: "0.14.0" } };
    if (path === "/v1/models") return { json: { data: [{ id: "Qwen/Qwen3-8B", max_model_len: 8192 }] } };
    if (path !== "/v1/chat/completions") return undefined;
    if (!JSON.stringify(body.tools ?? []).includes("get_weather")) return { events: chatEvents([], "stop") };
    turns += 1;
    const text = turns === 1 ? '{"town":"Oslo"}' : '{"city":"Oslo"}';
    const call = { index: 0, id: "c1", type: "function", function: { name: "get_weather", arguments: text } };
    return { events: chatEvents([{ tool_calls: [call] }], "tool_calls") };
  });
  const models = catalogueModels({ home, names: [other.url], engine: {}, log: () => undefined });
  const app = createApp({ models });
  try {
    const response = await app.fetch(
      postRequest("/v1/chat/completions", {
        model: other.url,
        messages: [{ role: "user", content: "Weather in Oslo?" }],
        tools: [{ type: "function", function: weather }],
      }),
    );
    const { choices, callwright } = (await response.json()) as {
      readonly choices: readonly { readonly message: { readonly tool_calls: readonly object[] } }[];
      readonly callwright: { readonly attempts: number };
    };
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
    ]);
    expect([turns, callwright.attempts]).toEqual([2, 2]);
  } finally {
    await app.close();
    await other.close();
    await rm(home, { recursive: true, force: true });
  }
});

test("a server that is not there is told of, in the API's own form", async () => {
  const home = await mkdtemp(join(tmpdir(), "callwright-serve-endpoint-"));
  const gone = await startModelServer(() => undefined);
  await gone.close();
  const models = catalogueModels({ home, names: [gone.url], engine: {}, log: () => undefined });
  const app = createApp({ models });
  const response = await app.fetch(
    postRequest("/v1/chat/completions", { messages: [{ role: "user", content: "Hello" }] }),
  );
  const { error } = (await response.json()) as { readonly error: { readonly message: string } };
  await app.close();
  await rm(home, { recursive: true, force: true });
  expect(response.status).toBe(503);
  expect(error.message).toContain("No server answers");
});
