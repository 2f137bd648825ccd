// The stream of every API over random turns: legal event by event, however its bytes are cut, and saying what the turn said.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FinishReason, TurnEvent } from "../../src/vocabulary/index.ts";
import { anthropicMessages } from "../../src/wire/anthropic-messages/messages-api.ts";
import { createReplyCollector, replyEvents } from "../../src/wire/collect-reply.ts";
import { ollamaChat, ollamaGenerate } from "../../src/wire/ollama/ollama-api.ts";
import { openAiChat } from "../../src/wire/openai-chat/chat-api.ts";
import { openAiCompletions } from "../../src/wire/openai-completions/completions-api.ts";
import { openAiResponses } from "../../src/wire/openai-responses/responses-api.ts";
import type { WireApi, WireRequest } from "../../src/wire/wire-api.ts";
import {
  type ReadStream,
  readChatStream,
  readMessagesStream,
  readOllamaStream,
  readResponsesStream,
} from "./legal-streams.ts";
import { cutBytes, type RandomTurn, randomTurn } from "./random-turns.ts";
import { readJsonLines, readSentEvents } from "./read-stream.ts";

const identity = { id: "abc", created: 1_700_000_000_000, model: "m" };
const request: WireRequest = {
  turn: { messages: [], tools: [] },
  stream: true,
  choices: 1,
  notices: [],
  progress: false,
  includeUsage: true,
};
const options = { request, identity };
const runs = { numRuns: 500 };
const cuts = fc.array(fc.nat(20_000), { maxLength: 12 });

/** The stream's bytes, with signs of life between its events. */
async function write(api: WireApi, events: readonly TurnEvent[], asked = request): Promise<Uint8Array> {
  const writer = api.writeStream({ request: asked, identity });
  let text = writer.start().join("");
  for await (const event of replyEvents(replay(events))) {
    text += writer.push(event, 0).join("");
    if (event.type === "notice") text += writer.keepAlive;
  }
  return new TextEncoder().encode(text + writer.end().join(""));
}

async function* replay(events: readonly TurnEvent[]): AsyncGenerator<TurnEvent> {
  yield* events;
}

/** What a client should have, with the finish in the API's words. */
function expected(
  { expected: { text, reasoning, calls, finish } }: RandomTurn,
  words: Record<FinishReason, string>,
) {
  return {
    text,
    reasoning,
    calls: calls.map(({ id, name, text: written }) => ({ id, name, text: written })),
    finish: words[finish],
  };
}

const chatWords = {
  stop: "stop",
  calls: "tool_calls",
  length: "length",
  "content-filter": "content_filter",
  invalid: "stop",
  aborted: "",
};
const responseWords = {
  stop: "completed",
  calls: "completed",
  length: "incomplete",
  "content-filter": "incomplete",
  invalid: "completed",
  aborted: "",
};
const ollamaWords = { ...chatWords, calls: "stop", "content-filter": "stop" };

describe("the stream of a random turn is legal and says what the turn said", () => {
  test("chat completions", () => {
    return fc.assert(
      fc.asyncProperty(randomTurn, cuts, fc.boolean(), async (turn, at, usage) => {
        const bytes = await write(openAiChat, turn.events, { ...request, includeUsage: usage });
        const read = readChatStream(readSentEvents(cutBytes(bytes, at)), { usage });
        expect(read).toEqual(expected(turn, chatWords));
      }),
      runs,
    );
  });

  test("responses", () => {
    return fc.assert(
      fc.asyncProperty(randomTurn, cuts, fc.boolean(), async (turn, at, summary) => {
        const echo = summary ? { reasoning: { summary: "auto" } } : {};
        const bytes = await write(openAiResponses, turn.events, { ...request, echo });
        const read = readResponsesStream(readSentEvents(cutBytes(bytes, at)), { summary });
        expect(read).toEqual(expected(turn, responseWords));
      }),
      runs,
    );
  });

  test("messages", () => {
    return fc.assert(
      fc.asyncProperty(randomTurn, cuts, async (turn, at) => {
        const bytes = await write(anthropicMessages, turn.events);
        const read = readMessagesStream(readSentEvents(cutBytes(bytes, at)));
        const isStopped = turn.events.some(
          (event) => event.type === "turn-end" && event.stopText !== undefined,
        );
        const words = {
          stop: isStopped ? "stop_sequence" : "end_turn",
          calls: "tool_use",
          length: "max_tokens",
          "content-filter": "refusal",
          invalid: "end_turn",
          aborted: "",
        };
        expect(read).toEqual(expected(turn, words));
      }),
      runs,
    );
  });

  test("Ollama's chat", () => {
    return fc.assert(
      fc.asyncProperty(randomTurn, cuts, async (turn, at) => {
        const bytes = await write(ollamaChat, turn.events);
        const read = readOllamaStream(readJsonLines(cutBytes(bytes, at)), "chat");
        // Calls are sent whole, so one that was cut off is not sent at all.
        const whole = {
          ...turn,
          expected: { ...turn.expected, calls: turn.expected.calls.filter((call) => call.isWhole) },
        };
        expect(read).toEqual(expected(whole, ollamaWords));
      }),
      runs,
    );
  });

  test("Ollama's generate", () => {
    return fc.assert(
      fc.asyncProperty(randomTurn, cuts, async (turn, at) => {
        const bytes = await write(ollamaGenerate, turn.events);
        const read = readOllamaStream(readJsonLines(cutBytes(bytes, at)), "generate");
        expect({ ...read, calls: [] }).toEqual({ ...expected(turn, ollamaWords), calls: [] });
      }),
      runs,
    );
  });

  test("completions", () => {
    return fc.assert(
      fc.asyncProperty(randomTurn, cuts, async (turn, at) => {
        const bytes = await write(openAiCompletions, turn.events);
        const events = readSentEvents(cutBytes(bytes, at));
        const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
        expect(events.at(-1)?.data).toBe("[DONE]");
        expect(chunks.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe(turn.expected.text);
        const finishes = chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
        expect(finishes).toEqual([chatWords[turn.expected.finish]]);
        expect(chunks.at(-1)).toMatchObject({
          choices: [],
          usage: { completion_tokens: 9, prompt_tokens: 11 },
        });
      }),
      runs,
    );
  });
});

describe("a reply that is not streamed", () => {
  test("says the same as the stream, and leaves out a call that was cut off", () => {
    return fc.assert(
      fc.asyncProperty(randomTurn, async (turn) => {
        const collector = createReplyCollector();
        for await (const event of replyEvents(replay(turn.events))) collector.push(event);
        const body = JSON.parse(JSON.stringify(openAiChat.writeReply([collector.reply], options)));
        const { message, finish_reason } = body.choices[0];
        const calls = turn.expected.calls.filter((call) => call.isWhole);
        expect(message.content ?? "").toBe(turn.expected.text);
        expect(message.reasoning_content ?? "").toBe(turn.expected.reasoning);
        expect((message.tool_calls ?? []).map((call: { function: unknown }) => call.function)).toEqual(
          calls.map(({ name, text }) => ({ name, arguments: text })),
        );
        expect(finish_reason).toBe(chatWords[turn.expected.finish]);
      }),
      runs,
    );
  });
});

describe("a stream that breaks off", () => {
  const fault = { kind: "time-limit", message: "Too long." } as const;
  const begun = async (api: WireApi) => {
    const writer = api.writeStream(options);
    const start: TurnEvent = {
      type: "turn-start",
      profile: "p",
      format: "f",
      tools: [],
      budget: {},
      cuts: [],
    };
    const text = [...writer.push(start, 0), ...writer.push({ type: "text-delta", text: "So" }, 0)].join("");
    return new TextEncoder().encode(text + writer.fail(fault).join(""));
  };

  test("says why in the API's own shape", async () => {
    const chat = readSentEvents([await begun(openAiChat)]);
    expect(JSON.parse(chat.at(-2)?.data ?? "")).toMatchObject({
      error: { message: "Too long.", type: "server_error" },
    });
    const messages = readSentEvents([await begun(anthropicMessages)]);
    expect(messages.at(-1)?.event).toBe("error");
    expect(JSON.parse(messages.at(-1)?.data ?? "")).toMatchObject({
      type: "error",
      error: { type: "timeout_error" },
    });
    const responses = readSentEvents([await begun(openAiResponses)]);
    expect(responses.at(-2)?.event).toBe("response.failed");
    expect(readJsonLines([await begun(ollamaChat)]).at(-1)).toEqual({ error: "Too long." });
  });

  test("throws where a call was shown and then refused, since it cannot be taken back", async () => {
    const events = replyEvents(
      replay([
        { type: "call-start", callId: "c", name: "add" },
        { type: "call-refused", callId: "c", faults: [] },
      ]),
    );
    const read = async () => {
      for await (const event of events) void event;
    };
    await expect(read()).rejects.toThrow("refused after it had been sent");
  });
});

test("the checkers refuse streams that are not legal", () => {
  const isRefused = (read: () => ReadStream) => expect(read).toThrow();
  const sent = (data: unknown, event = "message") => ({ event, data: JSON.stringify(data) });
  isRefused(() => readChatStream([{ event: "message", data: "[DONE]" }], { usage: false }));
  const chunk = { id: "a", object: "chat.completion.chunk", created: 1, model: "m" };
  const delta = (inner: object, finish: string | null = null) =>
    sent({ ...chunk, choices: [{ index: 0, delta: inner, finish_reason: finish }] });
  const done = { event: "message", data: "[DONE]" };
  const role = delta({ role: "assistant", content: "" });
  expect(
    readChatStream([role, delta({ content: "x" }), delta({}, "stop"), done], { usage: false }).text,
  ).toBe("x");
  isRefused(() => readChatStream([delta({ content: "x" }), delta({}, "stop"), done], { usage: false }));
  isRefused(() => readChatStream([role, delta({}, "eos"), done], { usage: false }));
  isRefused(() =>
    readChatStream(
      [
        role,
        delta({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] }),
        delta({}, "tool_calls"),
        done,
      ],
      { usage: false },
    ),
  );
  isRefused(() => readMessagesStream([sent({ type: "message_stop" }, "message_stop")]));
  isRefused(() => readResponsesStream([done], { summary: false }));
  isRefused(() => readOllamaStream([{ done: true }, { done: true }], "chat"));
});
