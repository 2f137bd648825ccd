// Completions (OpenAI's older API): a text is gone on with as it stands, without a chat template.
import type { AnswerForm } from "../../vocabulary/index.ts";
import {
  otherSamplers,
  present,
  readAdditions,
  readSampling,
  readSchema,
  readStop,
  wireRequest,
} from "../common-fields.ts";
import { readLogitBias, readMaxTokens } from "../openai-chat/read-request.ts";
import { type Fields, kindOf, readFields, refuseFields } from "../read-fields.ts";
import type { WireRequest, WireTurn } from "../wire-api.ts";

/** Fields that would change the answer and are not built. */
const unsupported = {
  ...otherSamplers,
  suffix: { unless: [""], instead: "write the model's own marks for filling in into the prompt" },
  best_of: { unless: [1], instead: "use n" },
} as const;

const mostChoices = 8;

export function readCompletionRequest(body: unknown): WireRequest {
  const fields = readFields(body);
  refuseFields(fields, unsupported);
  const additions = readAdditions(fields);
  const rawPrompt = readPrompt(fields);
  const echo = fields.flag("echo") ?? false;
  const turn = present({
    messages: [],
    rawPrompt,
    tools: [],
    // OpenAI's own default here is 16, which no local server keeps to.
    maxTokens: readMaxTokens(fields),
    seed: fields.whole("seed"),
    stop: readStop(fields, "stop"),
    sampling: { ...readSampling(fields), ...readLogitBias(fields) },
    logprobs: fields.whole("logprobs", { least: 0, most: 20 }),
    answer: readAnswer(fields),
    ...additions.turn,
  }) as WireTurn;
  const options = fields.fields("stream_options");
  return wireRequest({
    model: fields.text("model"),
    turn,
    stream: fields.flag("stream"),
    choices: fields.whole("n", { least: 1, most: mostChoices }),
    progress: additions.progress,
    includeUsage: options?.flag("include_usage"),
    echo: echo ? { prompt: rawPrompt } : {},
  });
}

/** One text; several prompts at once, and prompts as tokens, are refused. */
function readPrompt(fields: Fields): string {
  const given = fields.value("prompt");
  const prompt = Array.isArray(given) && given.length === 1 ? (given[0] as unknown) : given;
  if (typeof prompt === "string" && prompt !== "") return prompt;
  throw fields.fault("prompt", `expected one text that is not empty, came ${kindOf(given)}`);
}

/** llama-server's two ways of saying it. */
function readAnswer(fields: Fields): AnswerForm | undefined {
  const gbnf = fields.text("grammar") ?? "";
  if (gbnf !== "") return { type: "grammar", gbnf };
  const schema = readSchema(fields, "json_schema");
  return schema === undefined ? undefined : { type: "schema", schema };
}
