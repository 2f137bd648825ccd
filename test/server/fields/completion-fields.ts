// The fields of completions, each with its effect.
import { expect } from "vitest";
import { allows } from "./chat-fields.ts";
import { type FieldRow, otherSamplerRows, rowsOf, samplingRows } from "./field-row.ts";

const rows = rowsOf("/v1/completions", { prompt: "Once" });
const { ask, effect, refused, ignored } = rows;

export const completionFields: readonly FieldRow[] = [
  effect("model", "as in chat completions", async () => {
    expect((await ask({ model: "other" })).body.callwright.notices[0].code).toBe("model-substituted");
  }),
  effect(
    "prompt",
    "one text, gone on with as it stands: no chat template; marks in it become special tokens",
    async () => {
      const { body, requests } = await ask({});
      expect(body.choices[0].text).toBe("Good.");
      expect(requests[0]?.prompt).toEqual([{ text: "Once", special: true }]);
    },
  ),
  refused("several prompts, or tokens", "refused: one text at a time", { prompt: ["a", "b"] }),
  effect("echo", "the prompt stands before the text", async () => {
    expect((await ask({ echo: true })).body.choices[0].text).toBe("OnceGood.");
  }),
  effect("stream", "a stream of chunks", async () => {
    expect((await ask({ stream: true })).text.endsWith("data: [DONE]\n\n")).toBe(true);
  }),
  effect("stream_options.include_usage", "a last chunk with the usage", async () => {
    expect((await ask({ stream: true, stream_options: { include_usage: true } })).text).toContain(
      '"choices":[],"usage"',
    );
  }),
  effect("max_tokens", "tokens of the reply; by default the profile's reserve", async () => {
    const { body } = await ask({ max_tokens: 1 });
    expect([body.choices[0].text, body.choices[0].finish_reason]).toEqual(["Good", "length"]);
  }),
  effect("stop", "texts that end the answer", async () => {
    expect((await ask({ stop: "od" })).body.choices[0].text).toBe("Go");
  }),
  effect("n", "up to 8 replies", async () => {
    expect((await ask({ n: 2 }, { replies: ["One.", "Two."] })).body.choices).toHaveLength(2);
  }),
  effect("seed", "the same seed draws the same tokens", async () => {
    expect((await ask({ seed: 7 })).requests[0]?.seed).toBe(7);
  }),
  ...samplingRows(rows, ["temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty"]),
  effect("logit_bias", "as in chat completions", async () => {
    expect((await ask({ logit_bias: { "3": -5 } })).requests[0]?.sampling.logitBias).toEqual({ 3: -5 });
  }),
  effect("logprobs", "how likely each token was, with up to 20 rivals", async () => {
    const { body } = await ask({ logprobs: 1 }, { info: { givesProbabilities: true } });
    expect(body.choices[0].logprobs).toMatchObject({ tokens: ["Good", "."], text_offset: [0, 4] });
    expect((await ask({ logprobs: 1 })).status).toBe(400);
  }),
  effect("grammar, json_schema", "as in chat completions", async () => {
    const { requests } = await ask({ grammar: 'root ::= "Good."' });
    expect([allows(requests[0], "Good."), allows(requests[0], "Bad.")]).toEqual([true, false]);
    const schema = await ask({ json_schema: { const: 3 } }, { replies: ["3"] });
    expect(allows(schema.requests[0], "3")).toBe(true);
  }),
  ...otherSamplerRows(rows),
  refused("suffix", "refused: write the model's own marks for filling in", { suffix: "end" }),
  refused("best_of", "refused unless 1: use n", { best_of: 3 }),
  ...ignored({ user: "u", "a field that nobody knows": 1 }),
];
