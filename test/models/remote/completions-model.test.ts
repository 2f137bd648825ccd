// Raw completions over real sockets, in each engine's words: what is sent, what is read, and what happens when a server
// breaks off, dies, or writes what it must not.
import { afterEach, describe, expect, test } from "vitest";
import { decodeTurn, foldTurn } from "../../../src/decode/decode-turn.ts";
import { acceptsText, parseGbnf } from "../../../src/gbnf-builder/index.ts";
import type { GenerateRequest, Model, ModelEvent } from "../../../src/models/model.ts";
import { resolveProfile } from "../../../src/models/profile.ts";
import { createCompletionsModel } from "../../../src/models/remote/completions-model.ts";
import type { EndpointFacts } from "../../../src/models/remote/endpoint-facts.ts";
import type { ReplicaOptions } from "../../../src/models/remote/replicas.ts";
import { factsOf, infoOf, replicasOf } from "./facts.ts";
import {
  type Answer,
  completionEvents,
  llamaEvents,
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "./model-server.ts";

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const llama = factsOf("llama-server", { grammarField: "grammar", specialTokens: ["<|im_end|>"] });
const grammar = parseGbnf('root ::= "{\\"n\\": " [0-9]+ "}"');
const request: GenerateRequest = {
  prompt: [{ text: "<|im_start|>user\nCount.<|im_end|>", special: true }],
  prefix: [{ text: "<tool_call>", special: true }],
  span: { type: "constrained", grammar },
  sampling: { temperature: 0, topK: 0, topP: 1, minP: 0 },
  seed: 7,
  maxTokens: 50,
};

async function start(
  answer: (seen: SeenRequest, count: number) => Answer | undefined,
  facts: EndpointFacts = llama,
  options: Partial<ReplicaOptions> = {},
): Promise<{ server: ModelServer; model: Model }> {
  let count = 0;
  const server = await startModelServer((seen) => {
    if (seen.path === "/health") return { json: { status: "ok" } };
    count += 1;
    return answer(seen, count);
  });
  open.push(server);
  const replicas = replicasOf([server], options);
  return { server, model: createCompletionsModel({ info: infoOf(), facts, replicas, render: () => "" }) };
}

async function generate(model: Model, asked: GenerateRequest = request) {
  const events: ModelEvent[] = [];
  for await (const event of model.generate(asked)) events.push(event);
  const text = events.map((event) => (event.type === "piece" ? event.text : "")).join("");
  const end = events.at(-1);
  return { events, text, reason: end?.type === "end" ? end.reason : undefined };
}

const completions = (server: ModelServer) =>
  server.requests.filter(({ path }) => /completion/.test(path)).map(({ body }) => body);

describe("llama-server", () => {
  test("is sent prompt and prefix as one text, our grammar, and bounds, and its counts are read", async () => {
    const { server, model } = await start(() => ({ events: llamaEvents(['{"n": ', "12", "}"]) }));
    const { events, text, reason } = await generate(model);
    expect([text, reason]).toEqual(['{"n": 12}', "accepted"]);
    expect(events.slice(0, 2)).toEqual([
      { type: "prefill-progress", done: 40, total: 40 },
      { type: "prefill-end", reused: 10, loaded: 0, evaluated: 30, ofPrompt: 20, milliseconds: 7 },
    ]);
    const [body] = completions(server);
    expect(body).toMatchObject({
      prompt: "<|im_start|>user\nCount.<|im_end|><tool_call>",
      n_predict: 50,
      temperature: 0,
      top_k: 0,
      seed: 7,
      preserved_tokens: ["<|im_end|>"],
      cache_prompt: true,
      stream: true,
    });
    expect(acceptsText(parseGbnf(String(body?.grammar)), '{"n": 12}')).toBe(true);
    expect(acceptsText(parseGbnf(String(body?.grammar)), '{"m": 12}')).toBe(false);
  });

  test("is given the rest of the grammar where a turn goes on behind what it has read", async () => {
    const { server, model } = await start(() => ({ events: llamaEvents(["34", "}"]) }));
    const prefix = [...request.prefix, { text: '{"n": ', special: false }];
    const { text, reason } = await generate(model, { ...request, prefix, consumed: 6 });
    expect([text, reason]).toEqual(["34}", "accepted"]);
    const rest = parseGbnf(String(completions(server)[0]?.grammar));
    expect([acceptsText(rest, "34}"), acceptsText(rest, '{"n": 34}')]).toEqual([true, false]);
  });

  test("gets text that spells a special token as the tokens of plain text", async () => {
    const { server, model } = await start(({ path }) =>
      path === "/tokenize" ? { json: { tokens: [27, 91, 8] } } : { events: llamaEvents(["ok"]) },
    );
    const prompt = [
      { text: "user: ", special: true },
      { text: "say <|im_end|>", special: false },
      { text: "\nassistant:", special: true },
    ];
    await generate(model, { ...request, prompt, prefix: [], span: { type: "free", specials: [] } });
    expect(server.requests[0]).toMatchObject({ body: { content: "say <|im_end|>", parse_special: false } });
    expect(completions(server)[0]?.prompt).toEqual(["user: ", 27, 91, 8, "\nassistant:"]);
  });

  test("is not given the beginning token that it adds by itself", async () => {
    const facts = factsOf("llama-server", { addsBegin: true }, { beginText: "<s>" });
    const { server, model } = await start(() => ({ events: llamaEvents(["ok"]) }), facts);
    const prompt = [{ text: "<s>[INST] Hi [/INST]", special: true }];
    await generate(model, { ...request, prompt, prefix: [], span: { type: "free", specials: [] } });
    expect(completions(server)[0]?.prompt).toBe("[INST] Hi [/INST]");
  });

  test("is told of penalties and biases for free text, and of none under a grammar", async () => {
    const { server, model } = await start(() => ({ events: llamaEvents(["{}"]) }));
    const sampling = { ...request.sampling, presencePenalty: 1.5, logitBias: { 42: -100 } };
    await generate(model, { ...request, sampling });
    await generate(model, { ...request, sampling, prefix: [], span: { type: "free", specials: [] } });
    const [under, free] = completions(server);
    expect(Object.keys(under ?? {}).filter((field) => /penalty|bias/.test(field))).toEqual([]);
    expect(free).toMatchObject({ presence_penalty: 1.5, frequency_penalty: 0, logit_bias: { 42: -100 } });
  });

  test("counts tokens itself", async () => {
    const { model } = await start(({ path }) =>
      path === "/tokenize" ? { json: { tokens: [1, 2, 3, 4] } } : undefined,
    );
    expect(await model.countTokens([{ text: "four tokens there are", special: false }])).toBe(4);
  });

  test("is stopped as soon as the grammar is at its end", async () => {
    const { server, model } = await start(() => ({
      events: llamaEvents(['{"n": 1}']).slice(0, 2),
      after: "stall",
    }));
    expect((await generate(model)).reason).toBe("accepted");
    await expect.poll(() => server.dropped.count).toBe(1);
  });
});

describe("OpenAI's completions", () => {
  test.each([
    [
      "vllm",
      "structured_outputs",
      (body: Record<string, unknown>) => (body.structured_outputs as { grammar: string }).grammar,
    ],
    ["vllm", "guided_grammar", (body: Record<string, unknown>) => body.guided_grammar],
    ["sglang", "ebnf", (body: Record<string, unknown>) => body.ebnf],
  ] as const)("of %s take the grammar as %s", async (engine, grammarField, read) => {
    const facts = factsOf(engine, { grammarField });
    const { server, model } = await start(() => ({ events: completionEvents(['{"n": ', "5}"]) }), facts);
    const { events, text, reason } = await generate(model);
    expect([text, reason]).toEqual(['{"n": 5}', "accepted"]);
    expect(events[0]).toMatchObject({ type: "prefill-end", reused: 8, evaluated: 32 });
    const [body = {}] = completions(server);
    expect(server.requests[0]?.path).toBe("/v1/completions");
    expect(body).toMatchObject({ model: "served", max_tokens: 50, skip_special_tokens: false });
    expect(acceptsText(parseGbnf(String(read(body))), '{"n": 5}')).toBe(true);
  });

  test("have special spellings of others broken up, since they cannot be told apart", async () => {
    const facts = factsOf("vllm", { specialTokens: ["<|im_end|>"] });
    const { server, model } = await start(() => ({ events: completionEvents(["ok"]) }), facts);
    const prompt = [
      { text: "a<|im_end|>", special: true },
      { text: "b<|im_end|>", special: false },
    ];
    await generate(model, { ...request, prompt, prefix: [], span: { type: "free", specials: [] } });
    expect(completions(server)[0]?.prompt).toBe("a<|im_end|>b<\u200b|im_end|>");
  });

  test("tell the limit", async () => {
    const facts = factsOf("vllm", { grammarField: "guided_grammar" });
    const { model } = await start(() => ({ events: completionEvents(['{"n": 5'], "length") }), facts);
    expect(await generate(model)).toMatchObject({ text: '{"n": 5', reason: "length" });
  });
});

describe("a server that breaks off", () => {
  test("is asked to go on where it broke, under the rest of the grammar", async () => {
    const { server, model } = await start((_seen, count) =>
      count === 1
        ? { events: llamaEvents(['{"n": ', "12"]).slice(0, 3), after: "cut" }
        : { events: llamaEvents(["3", "}"]) },
    );
    const { text, reason, events } = await generate(model);
    expect([text, reason]).toEqual(['{"n": 123}', "accepted"]);
    expect(events.filter(({ type }) => type === "notice")).toMatchObject([{ code: "connection-resumed" }]);
    const [first, second] = completions(server);
    expect(second?.prompt).toBe(`${String(first?.prompt)}{"n": 12`);
    expect(second?.n_predict).toBe(48);
    expect(acceptsText(parseGbnf(String(second?.grammar)), "3}")).toBe(true);
  });

  test("again and again without a word is given up", async () => {
    const { server, model } = await start(() => ({ events: llamaEvents(["x"]).slice(0, 1), after: "cut" }));
    await expect(generate(model)).rejects.toMatchObject({ code: "endpoint-lost" });
    expect(completions(server).length).toBe(4);
  });

  test("before its first word is waited for", async () => {
    const { server, model } = await start((_seen, count) =>
      count < 3
        ? { json: { error: { message: "Loading model" } }, status: 503 }
        : { events: llamaEvents(['{"n": 1}']) },
    );
    expect((await generate(model)).text).toBe('{"n": 1}');
    expect(completions(server).length).toBe(3);
  });

  test("and is gone is said to be, once the patience is over", async () => {
    const { server, model } = await start(() => undefined, llama, { patience: 30 });
    await server.close();
    await expect(generate(model)).rejects.toMatchObject({ code: "endpoint-unreachable" });
  });

  test("is not waited for by who does not want to any more", async () => {
    const { model } = await start(() => "silent");
    const signal = AbortSignal.timeout(20);
    await expect(generate(model, { ...request, signal })).rejects.toMatchObject({ code: "aborted" });
  });
});

test("a refused value is written again from where it begins, under the rest of the grammar (rung 3)", async () => {
  const label = {
    name: "label",
    description: "Labels a file.",
    inputSchema: {
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" }, uniqueItems: true } },
      required: ["tags"],
    },
  };
  // What differs between items no grammar of theirs says, so that it shows only when the call is read.
  const replies = [
    '\n{"name": "label", "arguments": {"tags": ["a", "a"]}}\n</tool_call>',
    '"b"]}}\n</tool_call>',
  ];
  const { server, model } = await start(({ path }, count) =>
    path === "/tokenize" ? { json: { tokens: [1] } } : { events: llamaEvents([replies[count - 1] ?? ""]) },
  );
  const counted: Model = { ...model, countTokens: async () => 10 };
  const events = decodeTurn(
    { model: counted, profile: resolveProfile({ format: "hermes-json", openers: ["hermes-json"] }) },
    { messages: [{ role: "user", content: "Label it." }], tools: [label], toolChoice: "required" },
  );
  const { calls, retries, finish } = await foldTurn(events);
  expect([completions(server).length, finish]).toEqual([2, "calls"]);
  expect(calls).toMatchObject([{ name: "label", input: { tags: ["a", "b"] } }]);
  expect(retries).toMatchObject([{ rung: 3 }]);
  const [, second] = completions(server);
  expect(second?.prompt).toMatch(/"tags": \["a", $/);
  const rest = parseGbnf(String(second?.grammar));
  const ends = ['"b"]}}\n</tool_call>', '"b"]}}', '["b"]}}\n</tool_call>'];
  expect(ends.map((text) => acceptsText(rest, text))).toEqual([true, false, false]);
});

describe("a server that does not keep to the grammar", () => {
  test("is found out: only what the grammar allows is passed on", async () => {
    const { model } = await start(() => ({ events: llamaEvents(['{"n": ', "twelve", "}"]) }));
    expect(await generate(model)).toMatchObject({ text: '{"n": ', reason: "impossible" });
  });

  test("and writes a refused value is asked again, more freely, and then it is impossible", async () => {
    const { server, model } = await start((_seen, count) => ({
      events: llamaEvents(count < 3 ? ["4", "2", "}"] : ["4", "3", "}"]),
    }));
    const asked: GenerateRequest = {
      ...request,
      prefix: [{ text: '{"n": ', special: false }],
      consumed: 6,
      span: { type: "constrained", grammar, forbidden: { texts: ["42"] } },
    };
    expect(await generate(model, asked)).toMatchObject({ text: "43}", reason: "accepted" });
    expect(completions(server).map(({ temperature }) => temperature)).toEqual([0, 0.8, 0.8]);
    expect(new Set(completions(server).map(({ seed }) => seed)).size).toBe(3);
    const stubborn = await start(() => ({ events: llamaEvents(["42", "}"]) }));
    expect(await generate(stubborn.model, asked)).toMatchObject({ text: "", reason: "impossible" });
  });

  test("says nothing and is asked once more for something", async () => {
    const { server, model } = await start((_seen, count) => ({
      events: llamaEvents(count === 1 ? [] : ["Hello"]),
    }));
    const span = { type: "free", specials: [], nonEmpty: true } as const;
    expect((await generate(model, { ...request, prefix: [], span })).text).toBe("Hello");
    const [first, second] = completions(server);
    expect(first?.grammar).toBeUndefined();
    const some = parseGbnf(String(second?.grammar));
    expect(["", " \n", "a", " a\nb"].map((text) => acceptsText(some, text))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

test("a closed model is not asked", async () => {
  const { model } = await start(() => ({ events: llamaEvents(["x"]) }));
  await model.close();
  await expect(generate(model)).rejects.toMatchObject({ code: "request-invalid" });
});
