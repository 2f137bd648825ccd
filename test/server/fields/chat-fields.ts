// The fields of chat completions, each with its effect. A table, hence its length.
import { expect } from "vitest";
import { acceptsText } from "../../../src/gbnf-builder/index.ts";
import type { GenerateRequest } from "../../../src/models/model.ts";
import { writeCall } from "../ask-server.ts";
import {
  type Asked,
  additionRows,
  type FieldRow,
  otherSamplerRows,
  reasoningProfile,
  rowsOf,
  samplingRows,
} from "./field-row.ts";

const messages = [{ role: "user", content: "Hello" }];
const rows = rowsOf("/v1/chat/completions", { model: "scripted", messages });
const { ask, effect, refused, leftOut, ignored } = rows;

export const tool = (name: string, parameters: unknown = { type: "object", properties: {} }) => ({
  type: "function",
  function: { name, description: `Does ${name}.`, parameters },
});
const tools = [tool("first"), tool("second", { type: "object", properties: { n: { type: "integer" } } })];
const badTool = tool("bad", { allOf: [{ type: "string" }, { type: "object" }] });
const answerSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const first = writeCall("first", {});

/** Whether the grammar of a request's span takes a text. */
export function allows(request: GenerateRequest | undefined, text: string): boolean {
  return request?.span.type === "constrained" && acceptsText(request.span.grammar, text);
}

const message = ({ body }: Asked) => body.choices[0].message;
const callNames = (asked: Asked) =>
  (message(asked).tool_calls ?? []).map((call: { function: { name: string } }) => call.function.name);

const conversation: readonly FieldRow[] = [
  effect(
    "model",
    "which model answers; one that there is not is answered by the default one, with a notice (or 404 with `--unknown-model refuse`)",
    async () => {
      const { body } = await ask({ model: "gpt-4o-mini" });
      expect(body.model).toBe("scripted");
      expect(body.callwright.notices[0]).toMatchObject({ code: "model-substituted" });
      expect((await ask({})).body.callwright.notices).toEqual([]);
    },
  ),
  effect(
    "messages",
    "system and developer, user, assistant with calls, tool; text parts are joined; ids that are missing and arguments that cannot be read are mended, with a notice",
    async () => {
      const { prompt } = await ask({
        messages: [
          { role: "developer", content: "Be short." },
          {
            role: "user",
            content: [
              { type: "text", text: "Part one, " },
              { type: "text", text: "part two." },
            ],
          },
        ],
      });
      expect(prompt).toContain("<system>Be short.");
      expect(prompt).toContain("Part one, part two.");
    },
  ),
  refused("messages[].content with images, audio or files", "refused: only text can be read", {
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }],
  }),
  effect(
    "messages[].reasoning_content",
    "past reasoning, shown to the model as its profile says",
    async () => {
      const history = [
        ...messages,
        {
          role: "assistant",
          content: "",
          reasoning_content: "I wonder.",
          tool_calls: [{ id: "c", type: "function", function: { name: "first", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "42" },
      ];
      const { prompt } = await ask({ messages: history, tools }, { profile: { ...reasoningProfile } });
      expect(prompt).toContain("I wonder.");
    },
  ),
];

const length: readonly FieldRow[] = [
  effect("stream", "a stream of chunks", async () => {
    expect((await ask({ stream: true })).text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect((await ask({ stream: false })).body.object).toBe("chat.completion");
  }),
  effect("stream_options.include_usage", "a last chunk with the usage", async () => {
    expect((await ask({ stream: true, stream_options: { include_usage: true } })).text).toContain(
      '"choices":[],"usage"',
    );
    expect((await ask({ stream: true })).text).not.toContain('"usage"');
  }),
  effect("return_progress", "as `callwright.progress` (llama-server's name)", async () => {
    expect((await ask({ stream: true, return_progress: true })).text).toContain('"prompt_progress"');
  }),
  ...["max_tokens", "max_completion_tokens", "n_predict"].map((name) =>
    effect(name, "tokens of the reply; more than the window has are as many as there are", async () => {
      const cut = await ask({ [name]: 2 }, { replies: ["A long answer."] });
      expect([cut.body.choices[0].finish_reason, message(cut).content]).toEqual(["length", "A long a"]);
      expect((await ask({ [name]: 32_000 })).status).toBe(200);
    }),
  ),
  effect(
    "stop",
    "a text or up to 16 texts that end the answer and are no part of it; calls and reasoning may hold them",
    async () => {
      const stopped = await ask({ stop: ["END"] }, { replies: ["One END two"] });
      expect(message(stopped).content).toBe("One ");
      expect(stopped.body.choices[0].finish_reason).toBe("stop");
      const called = await ask({ stop: "first", tools }, { replies: [first] });
      expect(callNames(called)).toEqual(["first"]);
    },
  ),
  effect("n", "up to 8 replies, each with a seed of its own", async () => {
    const { body, requests } = await ask({ n: 2, seed: 5 }, { replies: ["One.", "Two."] });
    expect(body.choices.map((choice: { index: number }) => choice.index)).toEqual([0, 1]);
    expect(requests.map((request) => request.seed)).toEqual([5, 6]);
  }),
  effect(
    "seed",
    "the same seed draws the same tokens; without one a request with a temperature draws one",
    async () => {
      expect((await ask({ seed: 7 })).requests[0]?.seed).toBe(7);
      expect((await ask({})).requests[0]?.seed).toBe(0);
    },
  ),
];

const sampling: readonly FieldRow[] = [
  ...samplingRows(rows, ["temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty"]),
  effect("logit_bias", "-100 to 0 for the numbers of up to 1,024 tokens, in free text", async () => {
    const { requests } = await ask({ logit_bias: { "17": -100 } });
    expect(requests[0]?.sampling.logitBias).toEqual({ 17: -100 });
  }),
  refused("logit_bias above 0", "refused: not built", { logit_bias: { "17": 1 } }),
  effect(
    "logprobs, top_logprobs",
    "how likely each token of the text was, with up to 20 rivals; refused where the model gives no probabilities",
    async () => {
      const asked = await ask({ logprobs: true, top_logprobs: 2 }, { info: { givesProbabilities: true } });
      const { content } = asked.body.choices[0].logprobs;
      expect(content.map((token: { token: string }) => token.token)).toEqual(["Good", "."]);
      expect(content[0].logprob).toBeCloseTo(Math.log(0.75));
      expect(content[0].top_logprobs).toHaveLength(2);
      expect((await ask({ logprobs: true })).status).toBe(400);
    },
  ),
  ...otherSamplerRows(rows),
];

const calls: readonly FieldRow[] = [
  effect(
    "tools",
    "functions the model may call; each call's name and arguments are held to its schema while they are written",
    async () => {
      const { prompt } = await ask({ tools });
      expect(prompt).toContain("Does first.");
      const asked = await ask({ tools }, { replies: [writeCall("second", { n: 3 })] });
      expect(callNames(asked)).toEqual(["second"]);
      expect((await ask({ tools: [badTool] })).body.error.message).toContain("bad");
    },
  ),
  leftOut(
    "tools of other kinds",
    "hosted kinds are left out with a notice",
    { tools: [{ type: "web_search" }] },
    "web_search",
  ),
  effect(
    "tools[].function.strict",
    "arguments are always held to the schema; `true` refuses a schema that nobody can check, such as a pattern that is no expression",
    async () => {
      const strict = tools.map((one) => ({ ...one, function: { ...one.function, strict: false } }));
      const { requests } = await ask({ tools: strict, tool_choice: "required" }, { replies: [first] });
      expect(allows(requests[0], '\n{"name": "second", "arguments": {"n": "x"}}\n</tool_call>')).toBe(false);
    },
  ),
  effect("functions, function_call", "the older names of tools and their choice", async () => {
    const asked = await ask(
      { functions: tools.map((one) => one.function), function_call: { name: "first" } },
      { replies: [first] },
    );
    expect(callNames(asked)).toEqual(["first"]);
  }),
  effect('tool_choice "auto"', "the model decides (the default)", async () => {
    expect(callNames(await ask({ tools, tool_choice: "auto" }, { replies: [first] }))).toEqual(["first"]);
    expect(message(await ask({ tools, tool_choice: "auto" })).content).toBe("Good.");
  }),
  effect('tool_choice "none"', "no tool is shown, no call is read", async () => {
    const asked = await ask({ tools, tool_choice: "none" }, { replies: [first] });
    expect(asked.prompt).not.toContain("Does first.");
    expect(callNames(asked)).toEqual([]);
  }),
  effect('tool_choice "required"', "the reply begins with a call", async () => {
    const { requests } = await ask({ tools, tool_choice: "required" }, { replies: [first] });
    expect(requests[0]?.prefix.map((part) => part.text).join("")).toBe("<tool_call>");
  }),
  effect(
    "tool_choice with a name",
    "one call of that tool; a name that is not among the tools is refused",
    async () => {
      const { requests } = await ask(
        { tools, tool_choice: { type: "function", function: { name: "second" } } },
        { replies: [writeCall("second", { n: 1 })] },
      );
      expect(allows(requests[0], '\n{"name": "second", "arguments": {"n": 1}}\n</tool_call>')).toBe(true);
      expect(allows(requests[0], '\n{"name": "first", "arguments": {}}\n</tool_call>')).toBe(false);
      expect(
        (await ask({ tools, tool_choice: { type: "function", function: { name: "third" } } })).text,
      ).toContain("third");
    },
  ),
  effect(
    "tool_choice allowed_tools",
    "all tools are shown, so that the prompt stays the same; only these can be called",
    async () => {
      const choice = {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "first" } }] },
      };
      const { requests, prompt } = await ask({ tools, tool_choice: choice }, { replies: [first] });
      expect(prompt).toContain("Does second.");
      expect(allows(requests[0], '\n{"name": "second", "arguments": {"n": 1}}\n</tool_call>')).toBe(false);
      expect(allows(requests[0], '\n{"name": "first", "arguments": {}}\n</tool_call>')).toBe(true);
    },
  ),
  effect("parallel_tool_calls", "false: at most one call; by default as the profile says", async () => {
    const two = `${first}\n${writeCall("second", { n: 1 })}`;
    expect(callNames(await ask({ tools, parallel_tool_calls: true }, { replies: [two] }))).toEqual([
      "first",
      "second",
    ]);
    expect(callNames(await ask({ tools, parallel_tool_calls: false }, { replies: [two] }))).toEqual([
      "first",
    ]);
  }),
];

const schemaFormat = { type: "json_schema", json_schema: { name: "n", schema: answerSchema } };

const answers: readonly FieldRow[] = [
  effect(
    "response_format json_schema",
    "the answer is JSON that the schema allows; with tools a call may come instead",
    async () => {
      const { requests, body } = await ask({ response_format: schemaFormat }, { replies: ['{"n": 3}'] });
      expect(body.choices[0].message.content).toBe('{"n": 3}');
      expect(allows(requests[0], '{"n": 3}')).toBe(true);
      expect(allows(requests[0], '{"n": "x"}')).toBe(false);
      const called = await ask({ response_format: schemaFormat, tools }, { replies: [first] });
      expect(callNames(called)).toEqual(["first"]);
    },
  ),
  effect(
    "response_format json_object",
    "the answer is a JSON object (with llama-server's `schema`: of that schema)",
    async () => {
      const { requests } = await ask({ response_format: { type: "json_object" } }, { replies: ["{}"] });
      expect([allows(requests[0], '{"a": [1]}'), allows(requests[0], "3")]).toEqual([true, false]);
    },
  ),
  effect("json_schema", "as response_format (llama-server's name)", async () => {
    const { requests } = await ask({ json_schema: answerSchema }, { replies: ['{"n": 3}'] });
    expect(allows(requests[0], '{"n": 3}')).toBe(true);
  }),
  effect("grammar", "the answer is a text of this GBNF grammar", async () => {
    const { requests, body } = await ask({ grammar: 'root ::= "yes" | "no"' }, { replies: ["yes"] });
    expect([allows(requests[0], "no"), allows(requests[0], "maybe")]).toEqual([true, false]);
    expect(body.choices[0].message.content).toBe("yes");
    expect((await ask({ grammar: "root ::= (" })).body.error.code).toBe("grammar-invalid");
  }),
  refused("two forms of an answer", "refused: they contradict each other", {
    grammar: 'root ::= "x"',
    json_schema: {},
  }),
];

const modes: Readonly<Record<string, readonly [given: Record<string, unknown>, effect: string]>> = {
  reasoning_effort: [
    { reasoning_effort: "high" },
    "`none` switches reasoning off; `minimal` to `xhigh` are told the model where it can be told, as low, medium or high",
  ],
  "reasoning.effort": [{ reasoning: { effort: "high" } }, "the same"],
};
const switches: Readonly<Record<string, readonly [on: unknown, off: unknown]>> = {
  thinking: ["on", { type: "disabled" }],
  enable_thinking: [true, false],
  "chat_template_kwargs.enable_thinking": [true, false],
};
const thinks = { profile: reasoningProfile, replies: ["<think>So it is.</think>Good."] };

const reasoning: readonly FieldRow[] = [
  ...Object.entries(modes).map(([field, [given, said]]) =>
    effect(field, said, async () => {
      const { prompt } = await ask(given, thinks);
      expect(prompt).toContain('"enable_thinking":true');
      expect(prompt).toContain('"effort":"much"');
    }),
  ),
  ...Object.entries(switches).map(([field, [on, off]]) =>
    effect(field, "whether the model reasons first; it comes back as `reasoning_content`", async () => {
      const given = (value: unknown) =>
        field.includes(".") ? { chat_template_kwargs: { enable_thinking: value } } : { [field]: value };
      const thought = await ask(given(on), thinks);
      expect(thought.prompt).toContain('"enable_thinking":true');
      expect(message(thought)).toMatchObject({ reasoning_content: "So it is.", content: "Good." });
      expect((await ask(given(off), { profile: reasoningProfile })).prompt).toContain(
        '"enable_thinking":false',
      );
    }),
  ),
  effect(
    "thinking_budget_tokens, thinking.budget_tokens",
    "tokens after which reasoning is ended, with room left for the answer",
    async () => {
      const { requests } = await ask({ thinking: "on", thinking_budget_tokens: 9 }, thinks);
      expect(requests[0]?.maxTokens).toBe(9);
      const nested = await ask({ thinking: { type: "enabled", budget_tokens: 8 } }, thinks);
      expect(nested.requests[0]?.maxTokens).toBe(8);
    },
  ),
  effect(
    "chat_template_kwargs",
    "variables for the model's chat template; `messages`, `tools` and the like are refused",
    async () => {
      expect((await ask({ chat_template_kwargs: { mood: "glad" } })).prompt).toContain('"mood":"glad"');
      expect((await ask({ chat_template_kwargs: { messages: [] } })).status).toBe(400);
    },
  ),
];

export const chatFields: readonly FieldRow[] = [
  ...conversation,
  ...length,
  ...sampling,
  ...calls,
  ...answers,
  ...reasoning,
  ...additionRows(rows, [badTool]),
  effect("callwright.sample_calls", "true: the request's sampling holds for calls too", async () => {
    const given = { tools, tool_choice: "required", temperature: 0.7 };
    const kept = await ask(given, { replies: [first] });
    const followed = await ask({ ...given, callwright: { sample_calls: true } }, { replies: [first] });
    expect([kept, followed].map(({ requests }) => requests[0]?.sampling.temperature)).toEqual([0, 0.7]);
  }),
  leftOut("web_search_options", "left out with a notice", { web_search_options: {} }, "web_search_options"),
  leftOut("verbosity", "left out with a notice", { verbosity: "low" }, "verbosity"),
  refused("modalities beyond text", "refused: only text can be written", { modalities: ["text", "audio"] }),
  refused("audio", "refused: only text can be written", { audio: { voice: "x" } }),
  refused("ignore_eos", "refused unless false", { ignore_eos: true }),
  refused("n_probs", "refused unless 0: use top_logprobs", { n_probs: 3 }),
  ...ignored({
    metadata: { a: "b" },
    store: true,
    user: "u",
    service_tier: "auto",
    prompt_cache_key: "k",
    safety_identifier: "s",
    prediction: { type: "content", content: "x" },
    cache_prompt: true,
    id_slot: 1,
    "a field that nobody knows": 1,
  }),
];
