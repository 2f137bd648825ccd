// The fields of Anthropic's Messages, each with its effect.
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

const messages = [{ role: "user", content: "Hello" }];
const rows = rowsOf("/v1/messages", { model: "scripted", max_tokens: 100, messages });
const { ask, effect, refused, leftOut, ignored } = rows;

const tool = (name: string, input_schema: unknown = { type: "object", properties: {} }) => ({
  name,
  description: `Does ${name}.`,
  input_schema,
});
const tools = [tool("first"), tool("second", { type: "object", properties: { n: { type: "integer" } } })];
const badTool = tool("bad", { allOf: [{ type: "string" }, { type: "object" }] });
const first = writeCall("first", {});
const two = `${first}\n${writeCall("second", { n: 1 })}`;
const thinks = { profile: reasoningProfile, replies: ["<think>So it is.</think>Good."] };
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

export const messagesFields: readonly FieldRow[] = [
  effect("model", "as in chat completions", async () => {
    expect((await ask({ model: "claude" })).body.callwright.notices[0].code).toBe("model-substituted");
  }),
  effect(
    "messages",
    "text, thinking, tool_use and tool_result blocks; one that ends in the assistant's words is history and is not gone on with, with a notice",
    async () => {
      const history = [
        ...messages,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "I wonder.", signature: "" },
            { type: "tool_use", id: "t", name: "first", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "42" }] },
            { type: "text", text: "And now?" },
          ],
        },
      ];
      const { prompt, body } = await ask({ messages: history, tools });
      expect(prompt).toContain("42");
      expect(prompt.indexOf("42")).toBeLessThan(prompt.indexOf("And now?"));
      expect(body.content).toEqual([{ type: "text", text: "Good." }]);
      const ended = await ask({ messages: [...messages, { role: "assistant", content: "So" }] });
      expect(ended.body.callwright.notices[0].code).toBe("prefill");
    },
  ),
  effect("tool_result.is_error", "is told to the model as its profile's template can", async () => {
    const history = [
      ...messages,
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "first", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: "no such file", is_error: true }],
      },
    ];
    expect((await ask({ messages: history, tools })).prompt).toContain("no such file");
  }),
  refused("images and documents", "refused: only text can be read", {
    messages: [{ role: "user", content: [{ type: "image", source: {} }] }],
  }),
  effect("system", "a text, or text blocks", async () => {
    const { prompt } = await ask({
      system: [{ type: "text", text: "Be short.", cache_control: { type: "ephemeral" } }],
    });
    expect(prompt).toContain("<system>Be short.");
  }),
  effect("max_tokens", "tokens of the reply; has to be given", async () => {
    const { body } = await ask({ max_tokens: 1 });
    expect([body.content[0].text, body.stop_reason]).toEqual(["Good", "max_tokens"]);
    expect((await ask({ max_tokens: null })).body.error.message).toContain("max_tokens");
  }),
  effect("stream", "a stream of events", async () => {
    expect((await ask({ stream: true })).text).toContain("event: message_stop");
  }),
  effect("stop_sequences", "texts that end the answer; the reply says which did", async () => {
    const { body } = await ask({ stop_sequences: ["od", "x"] });
    expect(body).toMatchObject({
      content: [{ text: "Go" }],
      stop_reason: "stop_sequence",
      stop_sequence: "od",
    });
  }),
  ...samplingRows(rows, ["temperature", "top_p", "top_k"]),
  effect("tools", "functions the model may call", async () => {
    const { body } = await ask({ tools }, { replies: [writeCall("second", { n: 3 })] });
    expect(body).toMatchObject({
      content: [{ type: "tool_use", name: "second", input: { n: 3 } }],
      stop_reason: "tool_use",
    });
  }),
  leftOut(
    "tools of other types",
    "hosted kinds are left out with a notice",
    { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    "web_search_20250305",
  ),
  effect("tool_choice auto, none", "as in chat completions", async () => {
    expect((await ask({ tools, tool_choice: { type: "auto" } }, { replies: [first] })).body.stop_reason).toBe(
      "tool_use",
    );
    expect((await ask({ tools, tool_choice: { type: "none" } })).prompt).not.toContain("Does first.");
  }),
  effect("tool_choice any, tool", "a call has to come, of any tool or of this one", async () => {
    const any = await ask({ tools, tool_choice: { type: "any" } }, { replies: [first] });
    expect(any.requests[0]?.prefix.map((part) => part.text).join("")).toBe("<tool_call>");
    const named = await ask(
      { tools, tool_choice: { type: "tool", name: "second" } },
      { replies: [writeCall("second", { n: 1 })] },
    );
    expect(allows(named.requests[0], '\n{"name": "first", "arguments": {}}\n</tool_call>')).toBe(false);
  }),
  effect("tool_choice.disable_parallel_tool_use", "at most one call", async () => {
    const { body } = await ask(
      { tools, tool_choice: { type: "auto", disable_parallel_tool_use: true } },
      { replies: [two] },
    );
    expect(body.content).toHaveLength(1);
  }),
  effect(
    "thinking",
    "`enabled`, `disabled`, `adaptive`; `budget_tokens` ends it; it comes back as thinking blocks",
    async () => {
      const { body, requests } = await ask({ thinking: { type: "enabled", budget_tokens: 9 } }, thinks);
      expect(body.content[0]).toMatchObject({ type: "thinking", thinking: "So it is." });
      expect(requests[0]?.maxTokens).toBe(9);
      expect((await ask({ thinking: { type: "disabled" } }, { profile: reasoningProfile })).prompt).toContain(
        '"enable_thinking":false',
      );
    },
  ),
  effect("output_config.effort", "`low` to `max`, told the model where it can be told", async () => {
    expect((await ask({ output_config: { effort: "high" } }, thinks)).prompt).toContain('"effort":"much"');
  }),
  effect(
    "output_config.format, output_format",
    "the answer is JSON that the schema allows; with tools a call may come instead",
    async () => {
      for (const given of [
        { output_config: { format: { type: "json_schema", schema } } },
        { output_format: { type: "json_schema", schema } },
      ]) {
        const { requests } = await ask(given, { replies: ['{"n": 3}'] });
        expect([allows(requests[0], '{"n": 3}'), allows(requests[0], "{}")]).toEqual([true, false]);
      }
    },
  ),
  effect("seed", "the same seed draws the same tokens (not Anthropic's own)", async () => {
    expect((await ask({ seed: 7 })).requests[0]?.seed).toBe(7);
  }),
  ...additionRows(rows, [badTool]),
  leftOut("mcp_servers", "left out with a notice", { mcp_servers: [{}] }, "mcp_servers"),
  leftOut("container", "left out with a notice", { container: "c" }, "container"),
  ...otherSamplerRows(rows),
  ...ignored({ metadata: { user_id: "u" }, service_tier: "auto", "a field that nobody knows": 1 }),
];
