// Chat servers over real sockets: what each is sent, how what it answers is written, and a whole turn of `decodeTurn`.
import { afterEach, describe, expect, test } from "vitest";
import { decodeTurn, foldTurn, type TurnRequest } from "../../../src/decode/decode-turn.ts";
import type { ModelEvent } from "../../../src/models/model.ts";
import { resolveProfile } from "../../../src/models/profile.ts";
import { createChatModel } from "../../../src/models/remote/chat-model.ts";
import type { EndpointFacts } from "../../../src/models/remote/endpoint-facts.ts";
import type { JsonObject, Message, ToolDescription } from "../../../src/vocabulary/index.ts";
import { factsOf, infoOf, replicasOf } from "./facts.ts";
import {
  type Answer,
  chatEvents,
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "./model-server.ts";

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const weather: ToolDescription = {
  name: "get_weather",
  description: "Tells the weather.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer", minimum: 1 } },
    required: ["city"],
  },
};
const profile = resolveProfile({
  format: "chat-api",
  openers: ["chat-api", "json-fence", "plain-json"],
  reasoning: {
    marks: { start: "<think>\n", end: "\n</think>\n\n" },
    switch: {
      variable: "enable_thinking",
      effort: { variable: "reasoning_effort", low: "low", medium: "medium", high: "high" },
    },
  },
});
const history: readonly Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Weather in Oslo?" },
  {
    role: "assistant",
    content: "",
    reasoning: "I should look.",
    calls: [{ id: "call_1", name: "get_weather", input: { city: "Oslo" } }],
  },
  { role: "tool", callId: "call_1", name: "get_weather", content: "sunny" },
  { role: "user", content: "And Bergen?" },
];
const call = (index: number, id: string | undefined, name: string | undefined, text: string): JsonObject => ({
  tool_calls: [{ index, ...(id ? { id } : {}), function: { ...(name ? { name } : {}), arguments: text } }],
});

async function start(
  answer: (seen: SeenRequest, count: number) => Answer,
  facts: EndpointFacts = factsOf("vllm", { api: "chat" }),
) {
  let count = 0;
  const server = await startModelServer((seen) => {
    count += 1;
    return answer(seen, count);
  });
  open.push(server);
  const info = infoOf({ continuesPrefix: false, enforcesGrammar: false });
  return { server, model: createChatModel({ info, facts, replicas: replicasOf([server]) }) };
}

async function turn(started: Awaited<ReturnType<typeof start>>, request: Partial<TurnRequest> = {}) {
  return foldTurn(
    decodeTurn({ model: started.model, profile }, { messages: history, tools: [weather], ...request }),
  );
}

describe("a turn over a chat server", () => {
  test("sends messages and tools as they are, and reads reasoning, prose and calls out of the answer", async () => {
    const started = await start(() => ({
      events: chatEvents(
        [
          { reasoning_content: "Bergen is " },
          { reasoning_content: "rainy." },
          { content: "Let me " },
          { content: "look." },
          call(0, "c1", "get_weather", '{"city": '),
          call(0, undefined, undefined, '"Bergen"}'),
        ],
        "tool_calls",
      ),
    }));
    const result = await turn(started, { reasoning: { mode: "on", effort: "high" } });
    expect(result).toMatchObject({
      finish: "calls",
      text: "Let me look.",
      reasoning: "Bergen is rainy.",
      calls: [{ name: "get_weather", input: { city: "Bergen" } }],
      usage: { tokens: { reused: 20, prefilled: 30, sampled: 12 } },
    });
    const [{ path, body } = { path: "", body: {} }] = started.server.requests;
    expect(path).toBe("/v1/chat/completions");
    expect(body).toMatchObject({
      model: "served",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Weather in Oslo?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "call_1",
              type: "function",
              function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
            },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "sunny" },
        { role: "user", content: "And Bergen?" },
      ],
      tools: [{ type: "function", function: { name: "get_weather", parameters: weather.inputSchema } }],
      tool_choice: "auto",
      parallel_tool_calls: true,
      chat_template_kwargs: { enable_thinking: true, reasoning_effort: "high" },
      reasoning_effort: "high",
      stream_options: { include_usage: true },
    });
  });

  test("tells reasoning and prose while they come, and what may be a call only when it is read", async () => {
    const content = ["It is ", "sunny. ", "See [", "1] <b>."];
    const deltas = [{ reasoning: "Hm" }, { reasoning: "m." }, ...content.map((text) => ({ content: text }))];
    const started = await start(() => ({ events: chatEvents(deltas, "stop") }));
    const told: string[] = [];
    const turnEvents = decodeTurn({ model: started.model, profile }, { messages: history, tools: [weather] });
    for await (const event of turnEvents) {
      if (/^(reasoning|text)/.test(event.type)) told.push("text" in event ? event.text : event.type);
    }
    expect(told).toEqual([
      ...["reasoning-start", "Hm", "m.", "reasoning-end"],
      ...["text-start", "It is", " sunny.", " See ", "[1] <b>.", "text-end"],
    ]);
  });

  test("tells calls apart that share an index", async () => {
    const events = chatEvents(
      [call(0, "a", "get_weather", '{"city":"Oslo"}'), call(0, "b", "get_weather", '{"city":"Rome"}')],
      "tool_calls",
    );
    const started = await start(() => ({ events }));
    const { calls } = await turn(started);
    expect(calls.map(({ input }) => input)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
  });

  test("puts calls together whose parts come in turn", async () => {
    const events = chatEvents(
      [
        call(0, "a", "get_weather", '{"city":'),
        call(1, "b", "get_weather", '{"city":'),
        call(0, undefined, undefined, '"Oslo"}'),
        call(1, undefined, undefined, '"Rome"}'),
      ],
      "tool_calls",
    );
    const { calls } = await turn(await start(() => ({ events })));
    expect(calls.map(({ input }) => input)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
  });

  test("reads a call that the server left in the text", async () => {
    const content = '```json\n{"name": "get_weather", "arguments": {"city": "Bergen"}}\n```';
    const started = await start(() => ({ events: chatEvents([{ content }], "stop") }));
    const { finish, calls } = await turn(started);
    expect(finish).toBe("calls");
    expect(calls).toMatchObject([{ name: "get_weather", input: { city: "Bergen" } }]);
  });

  test("repairs without loss, and names it", async () => {
    const events = chatEvents([call(0, "a", "get_weather", '{"city":"Oslo","days":"3"}')], "tool_calls");
    const started = await start(() => ({ events }));
    const { calls, repairs } = await turn(started);
    expect(calls).toMatchObject([{ input: { city: "Oslo", days: 3 } }]);
    expect(repairs.length).toBeGreaterThan(0);
  });

  test("says what is wrong and asks again, with the choice narrowed to the tool", async () => {
    const started = await start((_seen, count) => ({
      events: chatEvents(
        [call(0, "a", "get_weather", count === 1 ? '{"days":3}' : '{"city":"Oslo","days":3}')],
        "tool_calls",
      ),
    }));
    const { calls, usage } = await turn(started);
    expect(calls).toMatchObject([{ input: { city: "Oslo", days: 3 } }]);
    expect(usage.attempts).toBe(2);
    const second = started.server.requests[1]?.body;
    expect(second?.tool_choice).toEqual({ type: "function", function: { name: "get_weather" } });
    expect(JSON.stringify(second?.messages)).toContain("city (required) is missing");
  });

  test("gives up openly where it never comes right", async () => {
    const events = chatEvents([call(0, "a", "get_weather", '{"town":"Oslo"}')], "tool_calls");
    const started = await start(() => ({ events }));
    const { finish, invalid } = await turn(started);
    expect(finish).toBe("invalid");
    expect(invalid?.length).toBe(4);
    expect(started.server.requests.length).toBe(4);
  });

  test.each([
    ["length", "length"],
    ["content_filter", "content-filter"],
    ["stop", "stop"],
  ])("ends by %s as %s", async (reason, finish) => {
    const started = await start(() => ({ events: chatEvents([{ content: "Some text" }], reason) }));
    expect(await turn(started)).toMatchObject({ finish, text: "Some text" });
  });

  test("without tools sends none", async () => {
    const started = await start(() => ({ events: chatEvents([{ content: "Hi" }], "stop") }));
    await turn(started, { toolChoice: "none" });
    expect(started.server.requests[0]?.body).not.toHaveProperty("tools");
  });

  test("that breaks off in its midst is an error that says so", async () => {
    const started = await start(() => ({
      events: chatEvents([{ content: "Some" }], "stop").slice(0, 2),
      after: "cut",
    }));
    await expect(turn(started)).rejects.toMatchObject({ code: "endpoint-lost" });
  });

  test("holds a call to a schema where the server does not keep to the choice", async () => {
    const facts = factsOf("openai", { api: "chat", enforcesSchema: true, enforcesToolChoice: false });
    const content = '{"name": "get_weather", "arguments": {"city": "Bergen"}}';
    const started = await start(() => ({ events: chatEvents([{ content }], "stop") }), facts);
    const { calls } = await turn(started, { toolChoice: "required" });
    expect(calls).toMatchObject([{ name: "get_weather", input: { city: "Bergen" } }]);
    const body = started.server.requests[0]?.body ?? {};
    expect(body).not.toHaveProperty("tools");
    expect(body.response_format).toMatchObject({
      json_schema: {
        schema: { properties: { name: { const: "get_weather" }, arguments: weather.inputSchema } },
      },
    });
    expect(JSON.stringify(body.messages)).toContain("Tells the weather.");
  });
});

describe("an answer of a form", () => {
  const answer = {
    type: "schema",
    schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  } as const;

  test("is asked for in the server's own field, and checked here", async () => {
    const facts = factsOf("vllm", { api: "chat", enforcesSchema: true });
    const started = await start(
      (_seen, count) => ({
        events: chatEvents([{ content: count === 1 ? '{"n": "x"}' : '{"n": 4}' }], "stop"),
      }),
      facts,
    );
    const { text, usage } = await turn(started, { tools: [], answer });
    expect([text, usage.attempts]).toEqual(['{"n": 4}', 2]);
    expect(started.server.requests[0]?.body.response_format).toMatchObject({
      json_schema: { schema: answer.schema },
    });
  });

  test("does not keep calls from coming", async () => {
    const facts = factsOf("vllm", { api: "chat", enforcesSchema: true });
    const events = chatEvents([call(0, "a", "get_weather", '{"city":"Oslo"}')], "tool_calls");
    const started = await start(() => ({ events }), facts);
    expect((await turn(started, { answer })).finish).toBe("calls");
    expect(started.server.requests[0]?.body).not.toHaveProperty("response_format");
  });

  test("that a grammar tells is judged by it, though no chat server takes one", async () => {
    const started = await start((_seen, count) => ({
      events: chatEvents([{ content: count === 1 ? "maybe" : "yes" }], "stop"),
    }));
    const gbnf = 'root ::= "yes" | "no"';
    const result = await turn(started, { tools: [], answer: { type: "grammar", gbnf } });
    expect([result.text, result.usage.attempts]).toEqual(["yes", 2]);
  });
});

test("a reply is sampled as the request says, and a call that is asked for again as calls are", async () => {
  const started = await start((_seen, count) => ({
    events: chatEvents([call(0, "a", "get_weather", count === 1 ? "{}" : '{"city":"Oslo"}')], "tool_calls"),
  }));
  await turn(started, { sampling: { temperature: 0.9 } });
  expect(started.server.requests.map(({ body }) => body.temperature)).toEqual([0.9, 0.3]);
});

describe("OpenAI's own API", () => {
  const facts = factsOf("openai", { api: "chat" });

  test("is not asked to keep anything, and has words of its own for the bounds", async () => {
    const started = await start(() => ({ events: chatEvents([{ content: "Hi" }], "stop") }), facts);
    await turn(started, { reasoning: { effort: "low" }, maxTokens: 99 });
    const body = started.server.requests[0]?.body ?? {};
    expect(body).toMatchObject({ store: false, max_completion_tokens: 99, reasoning_effort: "low" });
    const others = ["max_tokens", "top_k", "min_p", "chat_template_kwargs"].filter((field) => field in body);
    expect(others).toEqual([]);
    expect(JSON.stringify(body)).not.toContain("reasoning_content");
  });

  test("is asked without a field that the model does not know, from then on", async () => {
    const started = await start(
      ({ body }) =>
        "temperature" in body
          ? { json: { error: { message: "unsupported value", param: "temperature" } }, status: 400 }
          : { events: chatEvents([{ content: "Hi" }], "stop") },
      facts,
    );
    const { text, notices } = await turn(started);
    expect([text, notices.map(({ code }) => code)]).toEqual(["Hi", ["field-refused"]]);
    expect((await turn(started)).notices).toEqual([]);
    expect(started.server.requests.map(({ body }) => "temperature" in body)).toEqual([true, false, false]);
  });

  test("and a field that the request cannot do without is an error", async () => {
    const refusal = { json: { error: { message: "no tools here", param: "tools" } }, status: 400 };
    const started = await start(() => refusal, facts);
    await expect(turn(started)).rejects.toMatchObject({ code: "endpoint-refused" });
  });
});

describe("Ollama", () => {
  const facts = factsOf("ollama", { api: "chat" });
  const lines = (messages: readonly JsonObject[], reason = "stop") => ({
    lines: true,
    events: [
      ...messages.map((message) => ({
        model: "served",
        message: { role: "assistant", ...message },
        done: false,
      })),
      {
        message: { role: "assistant", content: "" },
        done: true,
        done_reason: reason,
        prompt_eval_count: 40,
        eval_count: 9,
      },
    ],
  });

  test("is told the window, and takes and gives arguments as objects", async () => {
    const started = await start(
      () =>
        lines([
          { thinking: "Bergen." },
          { content: "", tool_calls: [{ function: { name: "get_weather", arguments: { city: "Bergen" } } }] },
          { content: "", tool_calls: [{ function: { name: "get_weather", arguments: { city: "Rome" } } }] },
        ]),
      facts,
    );
    const result = await turn(started, { reasoning: { mode: "off" } });
    expect(result).toMatchObject({
      reasoning: "Bergen.",
      calls: [{ input: { city: "Bergen" } }, { input: { city: "Rome" } }],
      usage: { tokens: { prefilled: 40, sampled: 9 } },
    });
    const [{ path, body } = { path: "", body: {} }] = started.server.requests;
    expect(path).toBe("/api/chat");
    expect(body).toMatchObject({
      think: false,
      options: { num_ctx: 4096, num_predict: 1024 },
      messages: [
        {},
        {},
        { tool_calls: [{ function: { name: "get_weather", arguments: { city: "Oslo" } } }] },
        { role: "tool", tool_name: "get_weather", content: "sunny" },
        {},
      ],
    });
  });

  test.each([
    [{ mode: "on" } as const, true],
    [{ effort: "low" } as const, "low"],
    [{ mode: "on", effort: "high" } as const, "high"],
    [{}, undefined],
  ])("is told how to think: %j", async (reasoning, think) => {
    const started = await start(() => lines([{ content: "Hi" }]), facts);
    await turn(started, { reasoning });
    expect(started.server.requests[0]?.body.think).toBe(think);
  });
});

test("estimates tokens, and learns from what the server counted", async () => {
  const { model } = await start(() => ({ events: chatEvents([{ content: "Hi" }], "stop") }));
  const prompt = JSON.stringify({
    messages: [{ role: "user", content: "x".repeat(600) }],
    tools: [],
    variables: {},
  });
  const parts = [{ text: prompt, special: true }];
  expect(await model.countTokens(parts)).toBe(Math.ceil(prompt.length / 3));
  const events: ModelEvent[] = [];
  const asked = { prompt: parts, prefix: [], seed: 0, maxTokens: 5, sampling: profile.sampling.text };
  for await (const event of model.generate({ ...asked, span: { type: "free", specials: [] } }))
    events.push(event);
  expect(await model.countTokens(parts)).toBe(Math.ceil(prompt.length * ((50 / prompt.length) * 1.1)));
});

test("cannot be made to continue a text", async () => {
  const { model } = await start(() => "close");
  const asked = {
    prompt: [{ text: "{}", special: true }],
    prefix: [{ text: "Sure", special: false }],
    seed: 0,
    maxTokens: 5,
    sampling: profile.sampling.text,
  };
  const read = async () => {
    for await (const _event of model.generate({ ...asked, span: { type: "free", specials: [] } })) break;
  };
  await expect(read()).rejects.toMatchObject({ code: "model-unsupported" });
});
