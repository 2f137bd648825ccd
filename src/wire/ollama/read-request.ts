// Ollama's chat and generate (docs/api.md of ollama/ollama): the request's fields.
import { type AnswerForm, isJsonObject, type SamplingOptions } from "../../vocabulary/index.ts";
import {
  otherSamplers,
  present,
  readAdditions,
  readSampling,
  readStop,
  wireRequest,
} from "../common-fields.ts";
import { readHistory } from "../history.ts";
import { readLogitBias } from "../openai-chat/read-request.ts";
import { readTools } from "../openai-chat/read-tools.ts";
import { type Fields, kindOf, readFields, refuseFields } from "../read-fields.ts";
import type { Notice, WireRequest, WireTurn } from "../wire-api.ts";
import { readMessages } from "./read-messages.ts";

const unsupportedOfGenerate = {
  suffix: { unless: [""], instead: "use raw with the model's own marks for filling in" },
  template: { unless: [""], instead: "use raw, or the profile's template.replacement" },
  context: { unless: ["empty"], instead: "send the conversation to /api/chat" },
  images: { unless: ["empty"], instead: "only text can be read" },
} as const;

export function readChatRequest(body: unknown): WireRequest {
  const fields = readFields(body);
  const messages = fields.items("messages") ?? [];
  const history = readHistory(readMessages(messages));
  const offered = readTools(fields);
  return readCommon(fields, {
    turn: present({
      messages: history.messages,
      tools: offered.tools,
      toolChoice: offered.toolChoice,
      callable: offered.callable,
      parallel: fields.flag("parallel_tool_calls"),
    }) as WireTurn,
    notices: [...history.notices, ...offered.notices],
    loadOnly: messages.length === 0,
  });
}

export function readGenerateRequest(body: unknown): WireRequest {
  const fields = readFields(body);
  refuseFields(fields, unsupportedOfGenerate);
  const prompt = fields.text("prompt") ?? "";
  const system = fields.text("system") ?? "";
  const isRaw = fields.flag("raw") ?? false;
  const messages = [
    ...(system === "" ? [] : [{ role: "system", content: system } as const]),
    { role: "user", content: prompt } as const,
  ];
  return readCommon(fields, {
    turn: { tools: [], ...(isRaw ? { messages: [], rawPrompt: prompt } : { messages }) },
    notices: [],
    loadOnly: prompt === "",
  });
}

function readCommon(
  fields: Fields,
  { turn, notices, loadOnly }: { turn: WireTurn; notices: readonly Notice[]; loadOnly: boolean },
): WireRequest {
  const options = fields.fields("options");
  const additions = readAdditions(fields);
  return wireRequest({
    model: fields.text("model") ?? fields.text("name"),
    turn: {
      ...turn,
      ...(options === undefined ? {} : readOptions(options)),
      ...present({ answer: readFormat(fields) }),
      ...(fields.flag("logprobs") === true
        ? { logprobs: fields.whole("top_logprobs", { least: 0, most: 20 }) ?? 0 }
        : {}),
      ...additions.turn,
      reasoning: { ...readThink(fields), ...additions.turn.reasoning },
    },
    stream: fields.flag("stream") ?? true,
    notices: [...notices, ...(options === undefined ? [] : readOptionNotices(options))],
    progress: additions.progress,
    keepAlive: readKeepAlive(fields),
    loadOnly,
  });
}

/** -1: no limit, -2: as much as the window has. */
function readOptions(options: Fields): Partial<WireTurn> {
  refuseFields(options, otherSamplers);
  const predicted = options.whole("num_predict", { least: -2 });
  const sampling: SamplingOptions = { ...readSampling(options), ...readLogitBias(options) };
  return present({
    maxTokens: predicted === undefined || predicted < 1 ? undefined : predicted,
    seed: options.whole("seed"),
    stop: readStop(options, "stop"),
    sampling: Object.keys(sampling).length === 0 ? undefined : sampling,
  });
}

/** The window is the server's to choose, for all requests alike. */
function readOptionNotices(options: Fields): readonly Notice[] {
  const given = options.whole("num_ctx", { least: 1 });
  if (given === undefined) return [];
  return [
    {
      code: "window",
      text: `num_ctx ${given} was left out: the window is what the server was started with (--ctx).`,
    },
  ];
}

function readFormat(fields: Fields): AnswerForm | undefined {
  const given = fields.value("format");
  if (given === undefined || given === "") return undefined;
  if (given === "json") return { type: "json" };
  if (isJsonObject(given) || typeof given === "boolean") return { type: "schema", schema: given };
  throw fields.fault("format", `expected "json" or a JSON Schema, came ${kindOf(given)}`);
}

function readThink(fields: Fields): WireTurn["reasoning"] {
  const given = fields.value("think");
  if (given === undefined) return {};
  if (typeof given === "boolean") return { mode: given ? "on" : "off" };
  const effort = fields.oneOf("think", ["low", "medium", "high"]);
  return effort === undefined ? {} : { mode: "on", effort };
}

const secondsPerUnit: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Seconds, or Go's durations such as `5m` and `1h30m`. Less than nothing is for ever. */
function readKeepAlive(fields: Fields): number | undefined {
  const given = fields.value("keep_alive");
  if (given === undefined) return undefined;
  const forever = Number.MAX_SAFE_INTEGER / 1000;
  if (typeof given === "number" && Number.isFinite(given)) return given < 0 ? forever : given;
  const text = String(given);
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)?/g)];
  const isDuration = /^-?(?:\d+(?:\.\d+)?(?:ms|s|m|h)?)+$/.test(text);
  if (typeof given !== "string" || !isDuration || text.length > 40) {
    throw fields.fault("keep_alive", `expected seconds or a duration such as "5m", came ${kindOf(given)}`);
  }
  if (text.startsWith("-")) return forever;
  return parts.reduce((sum, [, count, unit = "s"]) => sum + Number(count) * (secondsPerUnit[unit] ?? 1), 0);
}
