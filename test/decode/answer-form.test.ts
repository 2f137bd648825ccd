// Answers that have to have a form, alone and beside tools; and what else a request may say of its answer: stop texts, tools that
// may be called, a text to go on with, nothing cut. Over a scripted model.
import { describe, expect, it } from "vitest";
import { countTurn } from "../../src/decode/count-turn.ts";
import { decodeTurn, foldTurn, type TurnRequest } from "../../src/decode/decode-turn.ts";
import type { ModelInfo } from "../../src/models/model.ts";
import { type PartialProfile, resolveProfile } from "../../src/models/profile.ts";
import { createScriptedModel, type ScriptedReply } from "../../src/models/scripted.ts";
import type { TurnEvent } from "../../src/vocabulary/index.ts";

const weather = {
  name: "get_weather",
  description: "Current weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const call = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const form = { type: "schema", schema } as const;

interface Asked extends Partial<TurnRequest> {
  readonly profile?: PartialProfile;
  readonly info?: Partial<ModelInfo>;
  readonly pieceLength?: number;
}

function open(replies: readonly ScriptedReply[], { profile, info, pieceLength }: Asked) {
  const model = createScriptedModel({
    replies,
    ...(info ? { info } : {}),
    ...(pieceLength ? { pieceLength } : {}),
  });
  const base = { format: "hermes-json", openers: ["hermes-json"] };
  return { model, context: { model, profile: resolveProfile(base, profile ?? {}) } };
}

async function ask(replies: readonly ScriptedReply[], asked: Asked = {}) {
  const { profile: _profile, info: _info, pieceLength: _length, ...request } = asked;
  const { model, context } = open(replies, asked);
  const events: TurnEvent[] = [];
  const turn = decodeTurn(context, {
    messages: [{ role: "user", content: "Hello?" }],
    tools: [],
    ...request,
  });
  for await (const event of turn) events.push(event);
  const result = await foldTurn(replay(events));
  return {
    events,
    result,
    model,
    texts: events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])),
  };
}

async function* replay(events: readonly TurnEvent[]): AsyncGenerator<TurnEvent> {
  yield* events;
}

describe("an answer with a form", () => {
  it("is shown while it is written where the grammar says all of its schema", async () => {
    const { result, texts } = await ask(['{"n": 31415926}'], { answer: form });
    expect(result).toMatchObject({ text: '{"n": 31415926}', finish: "stop" });
    expect(texts.length).toBeGreaterThan(1);
  });

  it("waits for its validation where the grammar does not, and is asked for again with what is wrong", async () => {
    const unique = {
      type: "schema",
      schema: { type: "array", items: { type: "integer" }, uniqueItems: true },
    } as const;
    const { result, texts, model } = await ask(["[1, 2, 1]", "[1, 2]"], { answer: unique });
    expect(texts).toEqual(["[1, 2]"]);
    expect(result).toMatchObject({ finish: "stop", retries: [{ rung: 4 }] });
    expect(result.notices[0]).toMatchObject({ code: "schema-residual" });
    expect(model.requests[1]?.prompt.map(({ text }) => text).join("")).toContain(
      "The answer is not of the form it has to be.",
    );
  });

  it("that never comes ends the turn openly as invalid", async () => {
    const never = ["1", "2", "3", "4"].map((text) => `"${text}"`);
    const { result } = await ask(never, { answer: form, info: { enforcesGrammar: false } });
    expect(result).toMatchObject({ text: "", finish: "invalid" });
    expect(result.invalid).toHaveLength(4);
  });

  it("gives way to a call, by its mark or by the beginning of a tool's call", async () => {
    const marked = await ask([`<tool_call>\n${call}\n</tool_call>`], { answer: form, tools: [weather] });
    expect(marked.result).toMatchObject({ text: "", calls: [{ name: "get_weather" }], finish: "calls" });
    const plain = { format: "plain-json", openers: ["plain-json"] };
    const bare = await ask([call], { answer: form, tools: [weather], profile: plain });
    expect(bare.result.calls).toMatchObject([{ input: { city: "Oslo" } }]);
    const answered = await ask(['{"n": 3}'], { answer: form, tools: [weather], profile: plain });
    expect(answered.result).toMatchObject({ text: '{"n": 3}', calls: [] });
  });

  it("does not keep a call from being required", async () => {
    const { result } = await ask([`<tool_call>\n${call}\n</tool_call>`], {
      answer: form,
      tools: [weather],
      toolChoice: "required",
    });
    expect(result.calls).toHaveLength(1);
  });

  it("follows reasoning that the model opens by itself, however its pieces fall", async () => {
    const marks = { start: "<think>", end: "</think>" };
    for (const pieceLength of [1, 3, 7, 50]) {
      const asked = { answer: form, pieceLength, profile: { reasoning: { marks } } };
      const { result } = await ask(['<think>So {"n": 1}?</think>\n\n{"n": 3}'], asked);
      expect(result).toMatchObject({ reasoning: 'So {"n": 1}?', text: '{"n": 3}', finish: "stop" });
    }
  });

  it("that is cut off by the limit ends with length", async () => {
    const { result } = await ask(['{"n": 31415926}'], { answer: form, maxTokens: 2 });
    expect(result).toMatchObject({ text: '{"n": 31', finish: "length" });
  });

  it("may be a text of a grammar, whose white space counts", async () => {
    const { result, model } = await ask(["\nyes"], {
      answer: { type: "grammar", gbnf: 'root ::= "\\nyes" | "no"' },
    });
    expect(result.text).toBe("\nyes");
    expect(model.requests[0]?.span.type).toBe("constrained");
  });

  it("that nothing can satisfy, or that is no grammar, is the caller's mistake", async () => {
    const never = { type: "schema", schema: { allOf: [{ type: "string" }, { type: "null" }] } } as const;
    await expect(ask([], { answer: never })).rejects.toMatchObject({ code: "schema-unsatisfiable" });
    await expect(ask([], { answer: { type: "grammar", gbnf: "root ::= (" } })).rejects.toMatchObject({
      code: "grammar-invalid",
    });
    await expect(ask([], { answer: { type: "grammar", gbnf: "root ::= root" } })).rejects.toMatchObject({
      code: "grammar-invalid",
    });
  });
});

describe("stop texts", () => {
  it("end the answer wherever they come up, however its pieces fall, and are no part of it", async () => {
    for (const pieceLength of [1, 2, 5, 40]) {
      const { events, result } = await ask(["One, two STOP three"], { stop: ["STOP", "never"], pieceLength });
      expect(result).toMatchObject({ text: "One, two ", finish: "stop" });
      expect(events.at(-1)).toMatchObject({ type: "turn-end", stopText: "STOP" });
      expect(events.filter(({ type }) => type === "text-end")).toHaveLength(1);
    }
  });

  it("hold back only what may yet become one", async () => {
    const { texts, result } = await ask(["a ST b STO"], { stop: ["STOP"], pieceLength: 1 });
    expect(result.text).toBe("a ST b STO");
    expect(texts[0]).toBe("a");
  });

  it("of which two stand at one place, the longer counts", async () => {
    const { events } = await ask(["x ENDING"], { stop: ["END", "ENDING"], pieceLength: 10 });
    expect(events.at(-1)).toMatchObject({ stopText: "ENDING" });
  });

  it("stop the model, and leave calls and reasoning alone", async () => {
    const { model } = await ask(["STOP and much more"], { stop: ["STOP"] });
    expect(model.requests).toHaveLength(1);
    const called = await ask([`<tool_call>\n${call}\n</tool_call>`], { stop: ["Oslo"], tools: [weather] });
    expect(called.result.calls).toHaveLength(1);
    const marks = { start: "<think>", end: "</think>" };
    const thought = await ask(["<think>STOP</think>Good."], {
      stop: ["STOP"],
      profile: { reasoning: { marks } },
    });
    expect(thought.result).toMatchObject({ reasoning: "STOP", text: "Good." });
  });
});

describe("a text that is gone on with", () => {
  it("is the whole prompt, in which marks count", async () => {
    const { result, model, events } = await ask([" a time."], { rawPrompt: "<|x|>Once upon" });
    expect(result).toMatchObject({ text: " a time.", finish: "stop" });
    expect(model.requests[0]).toMatchObject({
      prompt: [{ text: "<|x|>Once upon", special: true }],
      prefix: [],
    });
    expect(events[0]).toMatchObject({ type: "turn-start", format: "raw", tools: [] });
  });

  it("that does not fit is refused with its counts", async () => {
    const long = ask([], { rawPrompt: "word".repeat(3000), info: { contextSize: 512 } });
    await expect(long).rejects.toMatchObject({
      code: "context-overflow",
      details: { prompt: 3000, window: 512 },
    });
  });
});

describe("a request", () => {
  const other = { ...weather, name: "get_tide" };

  it("may narrow which of the shown tools are called", async () => {
    const { model, events } = await ask([`<tool_call>\n${call}\n</tool_call>`], {
      tools: [weather, other],
      callable: ["get_weather"],
      toolChoice: "required",
    });
    expect(events[0]).toMatchObject({ tools: ["get_weather", "get_tide"] });
    expect(model.requests[0]?.prompt.map(({ text }) => text).join("")).toContain("get_tide");
    const nothing = ask([], { tools: [weather], callable: [], toolChoice: "required" });
    await expect(nothing).rejects.toMatchObject({ code: "tool-choice-unknown" });
  });

  it("may have nothing cut, and is refused then where it does not fit", async () => {
    const messages = [
      { role: "user" as const, content: "old ".repeat(600) },
      { role: "assistant" as const, content: "I see." },
      { role: "user" as const, content: "Hello?" },
    ];
    const cut = await ask(["Good."], { messages, info: { contextSize: 512 } });
    expect(cut.events[0]).toMatchObject({ cuts: [{ part: "turns" }] });
    const whole = ask([], { messages, context: "whole", info: { contextSize: 512 } });
    await expect(whole).rejects.toMatchObject({ code: "context-overflow" });
    const fits = await ask(["Good."], { messages, context: "whole" });
    expect(fits.events[0]).toMatchObject({ cuts: [] });
  });

  it("is counted without being decoded, whether it fits or not", async () => {
    const { context, model } = open([], { info: { contextSize: 512 } });
    const count = (content: string) =>
      countTurn(context, { messages: [{ role: "user", content }], tools: [] });
    const [short, long] = [await count("word"), await count("word".repeat(2000))];
    expect(long.total - short.total).toBe(1999);
    expect(model.requests).toEqual([]);
    expect((await countTurn(context, { messages: [], tools: [], rawPrompt: "word".repeat(9) })).total).toBe(
      9,
    );
  });

  it("may ask how likely the tokens of the text were", async () => {
    const told = await ask(["Good."], { logprobs: 1, info: { givesProbabilities: true } });
    const tokens = told.events.flatMap((event) => (event.type === "text-tokens" ? event.tokens : []));
    expect(tokens.map(({ text }) => text)).toEqual(["Good", "."]);
    expect(tokens[0]?.logProbability).toBeCloseTo(Math.log(0.75));
    await expect(ask([], { logprobs: 1 })).rejects.toMatchObject({ code: "request-invalid" });
  });
});
