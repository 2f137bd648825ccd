// The fields of Ollama's two endpoints, each with its effect.
import { expect } from "vitest";
import { writeCall } from "../ask-server.ts";
import { allows, tool } from "./chat-fields.ts";
import {
  additionRows,
  type FieldRow,
  otherSamplerRows,
  reasoningProfile,
  rowsOf,
  samplingRows,
} from "./field-row.ts";

const messages = [{ role: "user", content: "Hello" }];
const chat = rowsOf("/api/chat", { model: "scripted", stream: false, messages });
const generate = rowsOf("/api/generate", { model: "scripted", stream: false, prompt: "Hello" });
const tools = [tool("first"), tool("second", { type: "object", properties: { n: { type: "integer" } } })];
const badTool = tool("bad", { allOf: [{ type: "string" }, { type: "object" }] });
const first = writeCall("first", {});
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const options = (given: Record<string, unknown>) => ({ options: given });

/** Fields of both endpoints. */
function sharedFields(rows: typeof chat): readonly FieldRow[] {
  const { ask, effect, leftOut, ignored } = rows;
  const text = (body: { message?: { content: string }; response?: string }) =>
    body.message?.content ?? body.response;
  return [
    effect("model", "as in chat completions; `:latest` is not looked at", async () => {
      expect((await ask({ model: "scripted:latest" })).body.callwright.notices).toEqual([]);
      expect((await ask({ model: "llama3" })).body.callwright.notices[0].code).toBe("model-substituted");
    }),
    effect("stream", "lines of JSON (the default), or one object", async () => {
      const { text: lines } = await ask({ stream: true });
      expect(JSON.parse(lines.trim().split("\n").at(-1) ?? "")).toMatchObject({
        done: true,
        done_reason: "stop",
      });
      expect((await ask({})).body.done).toBe(true);
    }),
    effect("format", '`"json"`: a JSON object; a schema: JSON that it allows', async () => {
      const { requests } = await ask({ format: schema }, { replies: ['{"n": 3}'] });
      expect([allows(requests[0], '{"n": 3}'), allows(requests[0], "{}")]).toEqual([true, false]);
      const json = await ask({ format: "json" }, { replies: ["{}"] });
      expect(allows(json.requests[0], "3")).toBe(false);
    }),
    effect("think", "true, false, or `low` to `high`; it comes back as `thinking`", async () => {
      const { body, prompt } = await ask(
        { think: "high" },
        { profile: reasoningProfile, replies: ["<think>So.</think>Good."] },
      );
      expect(prompt).toContain('"effort":"much"');
      expect(body.message?.thinking ?? body.thinking).toBe("So.");
      expect((await ask({ think: false }, { profile: reasoningProfile })).prompt).toContain(
        '"enable_thinking":false',
      );
    }),
    effect("keep_alive", "how long the model stays loaded; 0 unloads it", async () => {
      expect((await ask({ keep_alive: "5m" })).status).toBe(200);
      expect((await ask({ keep_alive: "soon" })).status).toBe(400);
    }),
    effect("logprobs, top_logprobs", "how likely each token was, with up to 20 rivals", async () => {
      const { body } = await ask({ logprobs: true, top_logprobs: 1 }, { info: { givesProbabilities: true } });
      expect(body.logprobs[0]).toMatchObject({ token: "Good", top_logprobs: [{ token: "Good" }] });
    }),
    effect(
      "options.num_predict",
      "tokens of the reply; -1 and -2 for as many as there is room for",
      async () => {
        const { body } = await ask(options({ num_predict: 1 }));
        expect([text(body), body.done_reason]).toEqual(["Good", "length"]);
        expect((await ask(options({ num_predict: -1 }))).body.done_reason).toBe("stop");
      },
    ),
    effect("options.stop", "texts that end the answer", async () => {
      expect(text((await ask(options({ stop: ["od"] }))).body)).toBe("Go");
    }),
    effect("options.seed", "the same seed draws the same tokens", async () => {
      expect((await ask(options({ seed: 7 }))).requests[0]?.seed).toBe(7);
    }),
    ...samplingRows(
      rows,
      ["temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty"],
      options,
      "options.",
    ),
    effect("options.logit_bias", "as in chat completions (not Ollama's own)", async () => {
      expect((await ask(options({ logit_bias: { "3": -5 } }))).requests[0]?.sampling.logitBias).toEqual({
        3: -5,
      });
    }),
    ...otherSamplerRows(rows, options, "options."),
    leftOut(
      "options.num_ctx",
      "left out with a notice: the window is what the server was started with",
      options({ num_ctx: 4096 }),
      "num_ctx",
    ),
    ...ignored({ "a field that nobody knows": 1 }),
  ];
}

export const ollamaChatFields: readonly FieldRow[] = [
  chat.effect(
    "messages",
    "content, `thinking`, `tool_calls` with objects as arguments, results with `tool_name`; none at all loads the model",
    async () => {
      const history = [
        ...messages,
        { role: "assistant", content: "", tool_calls: [{ function: { name: "first", arguments: {} } }] },
        { role: "tool", tool_name: "first", content: "42" },
      ];
      const { prompt, body } = await chat.ask({ messages: history, tools });
      expect(prompt).toContain("42");
      expect(body.callwright.notices).toEqual([]);
      expect((await chat.ask({ messages: [] })).body).toMatchObject({ done: true, done_reason: "load" });
    },
  ),
  chat.refused("messages[].images", "refused: only text can be read", {
    messages: [{ role: "user", content: "", images: ["x"] }],
  }),
  chat.effect("tools", "functions the model may call; arguments come back as an object", async () => {
    const { body } = await chat.ask({ tools }, { replies: [writeCall("second", { n: 3 })] });
    expect(body.message.tool_calls[0].function).toEqual({ name: "second", arguments: { n: 3 } });
  }),
  chat.effect("tool_choice, parallel_tool_calls", "as in chat completions (not Ollama's own)", async () => {
    const { requests } = await chat.ask({ tools, tool_choice: "required" }, { replies: [first] });
    expect(requests[0]?.prefix.map((part) => part.text).join("")).toBe("<tool_call>");
    const two = `${first}\n${writeCall("second", { n: 1 })}`;
    expect(
      (await chat.ask({ tools, parallel_tool_calls: false }, { replies: [two] })).body.message.tool_calls,
    ).toHaveLength(1);
  }),
  ...sharedFields(chat),
  ...additionRows(chat, [badTool]),
];

export const ollamaGenerateFields: readonly FieldRow[] = [
  generate.effect(
    "prompt, system",
    "what the user says and the system text; no prompt loads the model",
    async () => {
      const { prompt, body } = await generate.ask({ system: "Be short." });
      expect(prompt).toContain("<system>Be short.");
      expect(prompt).toContain("<user>Hello");
      expect(body.response).toBe("Good.");
      expect((await generate.ask({ prompt: "" })).body).toMatchObject({ response: "", done_reason: "load" });
    },
  ),
  generate.effect("raw", "the prompt is gone on with as it stands, without a template", async () => {
    expect((await generate.ask({ raw: true })).requests[0]?.prompt).toEqual([
      { text: "Hello", special: true },
    ]);
  }),
  ...sharedFields(generate),
  generate.refused("suffix", "refused: use raw with the model's own marks", { suffix: "end" }),
  generate.refused("template", "refused: use raw, or the profile's template.replacement", {
    template: "{{ .Prompt }}",
  }),
  generate.refused("context", "refused unless empty: send the conversation to /api/chat", { context: [1] }),
  generate.refused("images", "refused unless empty: only text can be read", { images: ["x"] }),
];
