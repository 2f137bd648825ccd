// Chat completions (OpenAI's API reference, "Create chat completion", with llama-server's additions): the request's fields.
// Messages and tools are in files of their own.
import { CallwrightError, type JsonObject, type SamplingOptions } from "../../vocabulary/index.ts";
import {
  otherSamplers,
  present,
  readAdditions,
  readAnswerForm,
  readEffort,
  readSampling,
  readSchema,
  readStop,
  wireRequest,
} from "../common-fields.ts";
import { readHistory } from "../history.ts";
import { type Fields, readFields, refuseFields } from "../read-fields.ts";
import type { Notice, WireRequest, WireTurn } from "../wire-api.ts";
import { readMessages } from "./read-messages.ts";
import { readTools } from "./read-tools.ts";

/** Fields that would change the answer and are not built. */
const unsupported = {
  ...otherSamplers,
  audio: { unless: [], instead: "leave it out" },
  ignore_eos: { unless: [false] },
  n_probs: { unless: [0], instead: "use top_logprobs" },
} as const;

/** Choices one request may ask for. */
const mostChoices = 8;
/** Tokens that may have a bias. Each is one more candidate to look at. */
const mostBiases = 1024;

export function readChatRequest(body: unknown): WireRequest {
  const fields = readFields(body);
  refuseFields(fields, unsupported);
  refuseModalities(fields);
  const messages = fields.items("messages");
  if (messages === undefined || messages.length === 0)
    throw fields.fault("messages", "expected at least one");
  const history = readHistory(readMessages(messages));
  const offered = readTools(fields);
  const additions = readAdditions(fields);
  const { variables, mode } = readTemplateVariables(fields);
  const turn = present({
    messages: history.messages,
    tools: offered.tools,
    toolChoice: offered.toolChoice,
    callable: offered.callable,
    parallel: fields.flag("parallel_tool_calls"),
    seed: fields.whole("seed"),
    maxTokens: readMaxTokens(fields),
    stop: readStop(fields, "stop"),
    sampling: { ...readSampling(fields), ...readLogitBias(fields) },
    logprobs: readLogprobs(fields),
    answer: readAnswer(fields),
    variables,
    ...additions.turn,
    reasoning: { ...readReasoning(fields), ...mode, ...additions.turn.reasoning },
  }) as WireTurn;
  const options = fields.fields("stream_options");
  return wireRequest({
    model: fields.text("model"),
    turn,
    stream: fields.flag("stream"),
    choices: fields.whole("n", { least: 1, most: mostChoices }),
    notices: [...history.notices, ...offered.notices, ...readNotices(fields)],
    progress: additions.progress || (fields.flag("return_progress") ?? false),
    includeUsage: options?.flag("include_usage"),
  });
}

/** `max_tokens` and its later names. llama-server writes "no limit" as -1. */
export function readMaxTokens(fields: Fields): number | undefined {
  const given =
    fields.whole("max_completion_tokens", { least: 1 }) ??
    fields.whole("max_tokens", { least: -1 }) ??
    fields.whole("n_predict", { least: -1 });
  if (given === 0) throw fields.fault("max_tokens", "expected at least 1");
  return given === -1 ? undefined : given;
}

export function readLogitBias(fields: Fields): Pick<SamplingOptions, "logitBias"> {
  const given = fields.fields("logit_bias");
  if (given === undefined) return {};
  const logitBias: Record<number, number> = {};
  const tokens = Object.keys(given.object);
  if (tokens.length > mostBiases) throw fields.fault("logit_bias", `expected at most ${mostBiases} tokens`);
  for (const token of tokens) {
    if (!/^\d{1,9}$/.test(token)) throw given.fault(token, "expected the number of a token");
    const bias = given.number(token, { least: -100, most: 100 }) ?? 0;
    if (bias > 0) throw given.fault(token, "a positive logit_bias is not supported; give -100 to 0");
    logitBias[Number(token)] = bias;
  }
  return { logitBias };
}

function readLogprobs(fields: Fields): number | undefined {
  const isAsked = fields.flag("logprobs") ?? false;
  const top = fields.whole("top_logprobs", { least: 0, most: 20 });
  if (top !== undefined && top > 0 && !isAsked) {
    throw fields.fault("top_logprobs", "it needs logprobs to be true");
  }
  return isAsked ? (top ?? 0) : undefined;
}

/** OpenAI's `response_format`, llama-server's `json_schema`, or a `grammar`; two at once contradict each other. */
function readAnswer(fields: Fields): WireTurn["answer"] {
  const format = fields.fields("response_format");
  const schema = readSchema(fields, "json_schema");
  const gbnf = fields.text("grammar");
  const forms = [
    ...(format === undefined ? [] : [readAnswerForm(format)]),
    ...(schema === undefined ? [] : [{ type: "schema", schema } as const]),
    ...(gbnf === undefined || gbnf === "" ? [] : [{ type: "grammar", gbnf } as const]),
  ].filter((form) => form !== undefined);
  if (forms.length > 1) {
    throw new CallwrightError(
      "request-invalid",
      "The answer can have one form: give one of response_format, json_schema and grammar.",
      { pointer: gbnf === undefined ? "/json_schema" : "/grammar" },
    );
  }
  return forms[0];
}

/** OpenAI's effort, and the switches of local servers: `thinking`, `enable_thinking`, `thinking_budget_tokens`. */
function readReasoning(fields: Fields): WireTurn["reasoning"] {
  const nested = fields.fields("reasoning");
  const budget = fields.whole("thinking_budget_tokens", { least: 0 });
  const enabled = fields.flag("enable_thinking");
  return present({
    ...(nested === undefined ? {} : readEffort(nested, "effort")),
    ...readEffort(fields, "reasoning_effort"),
    ...(enabled === undefined ? {} : { mode: enabled ? ("on" as const) : ("off" as const) }),
    ...readThinking(fields),
    ...(budget === undefined ? {} : { budget }),
  });
}

/** `"on"`, `"off"`, `"unset"`, true, false, or `{type, budget_tokens}` as Anthropic and others have it. */
function readThinking(fields: Fields): WireTurn["reasoning"] {
  const given = fields.value("thinking");
  if (given === undefined) return {};
  if (typeof given === "boolean") return { mode: given ? "on" : "off" };
  if (typeof given === "string") {
    const mode = fields.oneOf("thinking", ["on", "off", "auto", "unset"]);
    return mode === "unset" || mode === undefined ? {} : { mode };
  }
  const nested = fields.fields("thinking");
  const type = nested?.oneOf("type", ["enabled", "disabled", "adaptive", "auto"]);
  const budget = nested?.whole("budget_tokens", { least: 0 });
  return present({
    mode: type === "enabled" ? "on" : type === "disabled" ? "off" : undefined,
    budget,
  }) as WireTurn["reasoning"];
}

/** Names under which a template is given the conversation itself. */
const ownVariables = ["messages", "tools", "add_generation_prompt", "bos_token", "eos_token"];

function readTemplateVariables(fields: Fields): { variables?: JsonObject; mode?: WireTurn["reasoning"] } {
  const given = fields.fields("chat_template_kwargs");
  if (given === undefined) return {};
  const own = ownVariables.find((name) => Object.hasOwn(given.object, name));
  if (own !== undefined) throw given.fault(own, "a template is given this by the server");
  // Reasoning is planned by more than the template, so its switch is the request's own.
  const enabled = given.flag("enable_thinking");
  const { enable_thinking: _switch, ...variables } = given.object;
  return {
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(enabled === undefined ? {} : { mode: { mode: enabled ? "on" : "off" } }),
  };
}

function refuseModalities(fields: Fields): void {
  const modalities = fields.list("modalities") ?? [];
  if (modalities.some((one) => one !== "text")) throw fields.fault("modalities", "only text can be written");
}

function readNotices(fields: Fields): readonly Notice[] {
  return [
    ...(fields.value("web_search_options") === undefined
      ? []
      : [{ code: "hosted-tool", text: "web_search_options is not run here and was left out." }]),
    ...(fields.value("verbosity") === undefined
      ? []
      : [{ code: "verbosity", text: "verbosity was left out: say it in the instructions." }]),
  ];
}
