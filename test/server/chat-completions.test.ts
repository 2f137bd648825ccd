// Chat completions over a scripted model: a whole reply, a stream, and errors.
import { describe, expect, test } from "vitest";
import { openTestServer, readEvents, writeCall } from "./ask-server.ts";

const add = {
  type: "function",
  function: {
    name: "add",
    description: "Adds.",
    parameters: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
  },
};
const path = "/v1/chat/completions";
const messages = [{ role: "user", content: "Add 2 and 3" }];

describe("chat completions", () => {
  test("answer with text", async () => {
    const server = openTestServer(["Five."]);
    const response = await server.post(path, { model: "scripted", messages });
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body).toMatchObject({
      object: "chat.completion",
      model: "scripted",
      choices: [{ index: 0, message: { role: "assistant", content: "Five." }, finish_reason: "stop" }],
      usage: { completion_tokens: 2 },
      callwright: { attempts: 1, format: "hermes-json" },
    });
  });

  test("answer with a call whose arguments are a string", async () => {
    const server = openTestServer([writeCall("add", { a: 2, b: 3 })]);
    const response = await server.post(path, { messages, tools: [add] });
    const { choices } = (await response.json()) as { choices: readonly unknown[] };
    expect(choices[0]).toMatchObject({
      message: {
        content: null,
        tool_calls: [{ type: "function", function: { name: "add", arguments: '{"a": 2, "b": 3}' } }],
      },
      finish_reason: "tool_calls",
    });
  });

  test("stream a call, first its id and name, then its arguments", async () => {
    const server = openTestServer([writeCall("add", { a: 2, b: 3 })]);
    const response = await server.post(path, {
      messages,
      tools: [add],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = readEvents(await response.text());
    expect(events.at(-1)?.data).toBe("[DONE]");
    const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
    const deltas = chunks.flatMap((chunk) =>
      chunk.choices.flatMap((choice: { delta: { tool_calls?: unknown[] } }) => choice.delta.tool_calls ?? []),
    );
    expect(deltas[0]).toMatchObject({ index: 0, type: "function", function: { name: "add", arguments: "" } });
    expect(
      deltas
        .slice(1)
        .map((delta) => delta.function.arguments)
        .join(""),
    ).toBe('{"a": 2, "b": 3}');
    expect(chunks.at(-2).choices[0].finish_reason).toBe("tool_calls");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  });

  test("stream several choices one after another, each with its role and its end, and one usage", async () => {
    const server = openTestServer(["One.", "Two."]);
    const asked = { messages, n: 2, stream: true, stream_options: { include_usage: true } };
    const events = readEvents(await (await server.post(path, asked)).text());
    const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
    for (const [index, content] of ["One.", "Two."].entries()) {
      const own = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.index === index);
      expect(own[0].delta.role).toBe("assistant");
      expect(own.map(({ delta }) => delta.content ?? "").join("")).toBe(content);
      expect(own.map((choice) => choice.finish_reason).filter(Boolean)).toEqual(["stop"]);
    }
    // The prompt counts once: "User: Add 2 and 3\n\nAssistant:" are 29 characters, four of them a token.
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 2, prompt_tokens: 8 } });
  });

  test("refuse a body that is no JSON in OpenAI's shape", async () => {
    const server = openTestServer([]);
    const response = await server.post(path, "{");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  });
});
