// The fields of Responses, each with its effect.
import { expect } from "vitest";
import { writeCall } from "../ask-server.ts";
import { allows } from "./chat-fields.ts";
import {
  additionRows,
  type FieldRow,
  otherSamplerRows,
  reasoningProfile,
  rowsOf,
  samplingRows,
} from "./field-row.ts";

const rows = rowsOf("/v1/responses", { model: "scripted", input: "Hello" });
const { ask, effect, refused, leftOut, ignored } = rows;

const tool = (name: string, parameters: unknown = { type: "object", properties: {} }) => ({
  type: "function",
  name,
  description: `Does ${name}.`,
  parameters,
});
const tools = [tool("first"), tool("second", { type: "object", properties: { n: { type: "integer" } } })];
const badTool = tool("bad", { allOf: [{ type: "string" }, { type: "object" }] });
const first = writeCall("first", {});
const two = `${first}\n${writeCall("second", { n: 1 })}`;
const thinks = { profile: reasoningProfile, replies: ["<think>So it is.</think>Good."] };
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

export const responsesFields: readonly FieldRow[] = [
  effect("model", "as in chat completions", async () => {
    expect((await ask({ model: "gpt-5" })).body.callwright.notices[0].code).toBe("model-substituted");
  }),
  effect(
    "input",
    "a text, or items: messages, function_call, function_call_output, reasoning; items of other kinds are left out with a notice",
    async () => {
      const input = [
        { role: "user", content: [{ type: "input_text", text: "Look." }] },
        { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "I wonder." }] },
        { type: "function_call", call_id: "c", name: "first", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: "42" },
        { type: "web_search_call", id: "ws" },
      ];
      const { prompt, body } = await ask({ input, tools });
      for (const part of ["Look.", "first", "42"]) expect(prompt).toContain(part);
      expect(body.output[0].content[0]).toMatchObject({ type: "output_text", text: "Good." });
      expect(body.callwright.notices[0].text).toContain("web_search_call");
    },
  ),
  refused("images, files and audio", "refused: only text can be read", {
    input: [{ role: "user", content: [{ type: "input_image", image_url: "x" }] }],
  }),
  refused("item_reference", "refused: nothing is stored here", {
    input: [{ type: "item_reference", id: "x" }],
  }),
  effect("instructions", "system text before the input", async () => {
    expect((await ask({ instructions: "Be short." })).prompt).toContain("<system>Be short.");
  }),
  effect("stream", "a stream of events", async () => {
    expect((await ask({ stream: true })).text).toContain("event: response.completed");
  }),
  effect("max_output_tokens", "tokens of the reply", async () => {
    const { body } = await ask({ max_output_tokens: 1 });
    expect(body).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  }),
  ...samplingRows(rows, ["temperature", "top_p"]),
  effect("tools", "functions the model may call", async () => {
    const { body } = await ask({ tools }, { replies: [writeCall("second", { n: 3 })] });
    expect(body.output[0]).toMatchObject({ type: "function_call", name: "second", arguments: '{"n": 3}' });
    expect(body.output[0].id).not.toBe(body.output[0].call_id);
  }),
  leftOut(
    "tools of other types",
    "hosted kinds are left out with a notice",
    { tools: [{ type: "namespace", name: "n", tools: [] }] },
    "namespace",
  ),
  effect("tool_choice auto, none, required", "as in chat completions", async () => {
    expect((await ask({ tools, tool_choice: "auto" }, { replies: [first] })).body.output[0].type).toBe(
      "function_call",
    );
    expect((await ask({ tools, tool_choice: "none" })).prompt).not.toContain("Does first.");
    const required = await ask({ tools, tool_choice: "required" }, { replies: [first] });
    expect(required.requests[0]?.prefix.map((part) => part.text).join("")).toBe("<tool_call>");
  }),
  effect(
    "tool_choice function, allowed_tools",
    "a call of this tool; or of these, while all are shown",
    async () => {
      for (const choice of [
        { type: "function", name: "first" },
        { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "first" }] },
      ]) {
        const { requests } = await ask({ tools, tool_choice: choice }, { replies: [first] });
        expect(allows(requests[0], '\n{"name": "second", "arguments": {"n": 1}}\n</tool_call>')).toBe(false);
      }
    },
  ),
  effect("parallel_tool_calls", "false: at most one call", async () => {
    expect((await ask({ tools, parallel_tool_calls: false }, { replies: [two] })).body.output).toHaveLength(
      1,
    );
    expect((await ask({ tools, parallel_tool_calls: true }, { replies: [two] })).body.output).toHaveLength(2);
  }),
  effect(
    "text.format",
    "`text`, `json_object`, or `json_schema` with its schema; with tools a call may come instead",
    async () => {
      const { requests } = await ask(
        { text: { format: { type: "json_schema", name: "n", schema } } },
        { replies: ['{"n": 3}'] },
      );
      expect([allows(requests[0], '{"n": 3}'), allows(requests[0], "{}")]).toEqual([true, false]);
    },
  ),
  effect("reasoning.effort", "as in chat completions; it comes back as a reasoning item", async () => {
    const { body, prompt } = await ask({ reasoning: { effort: "high" } }, thinks);
    expect(prompt).toContain('"effort":"much"');
    expect(body.output[0]).toMatchObject({
      type: "reasoning",
      content: [{ type: "reasoning_text", text: "So it is." }],
    });
  }),
  effect(
    "reasoning.summary",
    "what the model thinks stands in the item's summary instead of its content",
    async () => {
      const { body } = await ask({ reasoning: { effort: "high", summary: "auto" } }, thinks);
      expect(body.output[0]).toMatchObject({ summary: [{ type: "summary_text", text: "So it is." }] });
    },
  ),
  effect(
    "top_logprobs, include",
    "how likely each token was, with up to 20 rivals; `message.output_text.logprobs` asks for it too; the rest of `include` is ignored",
    async () => {
      const info = { givesProbabilities: true };
      const { body } = await ask({ top_logprobs: 2, include: ["reasoning.encrypted_content"] }, { info });
      expect(body.output[0].content[0].logprobs[0]).toMatchObject({ token: "Good" });
      const included = await ask({ include: ["message.output_text.logprobs"] }, { info });
      expect(included.body.output[0].content[0].logprobs).toHaveLength(2);
    },
  ),
  effect("stop, seed", "as in chat completions (not OpenAI's own here)", async () => {
    const { body, requests } = await ask({ stop: "od", seed: 4 });
    expect([body.output[0].content[0].text, requests[0]?.seed]).toEqual(["Go", 4]);
  }),
  ...additionRows(rows, [badTool], "input"),
  leftOut("text.verbosity", "left out with a notice", { text: { verbosity: "low" } }, "verbosity"),
  refused("previous_response_id", "refused: nothing is stored here", { previous_response_id: "resp_1" }),
  refused("conversation", "refused: nothing is stored here", { conversation: "conv_1" }),
  refused("background", "refused unless false", { background: true }),
  refused("prompt", "refused: templates are kept by nobody here", { prompt: { id: "p" } }),
  ...otherSamplerRows(rows),
  ...ignored({
    metadata: { a: "b" },
    store: true,
    user: "u",
    service_tier: "auto",
    truncation: "auto",
    prompt_cache_key: "k",
    safety_identifier: "s",
    "a field that nobody knows": 1,
  }),
];
