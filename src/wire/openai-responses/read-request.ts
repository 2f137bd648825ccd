// Responses (OpenAI's API reference, "Create a model response"; Open Responses, 2026-04-24): the request's fields.
// Nothing is stored here, so every request brings its whole conversation. Input and tools are in files of their own.
import type { JsonObject, Message } from "../../vocabulary/index.ts";
import {
  otherSamplers,
  present,
  readAdditions,
  readAnswerForm,
  readEffort,
  readSampling,
  readStop,
  wireRequest,
} from "../common-fields.ts";
import { readHistory } from "../history.ts";
import { type Fields, readFields, refuseFields } from "../read-fields.ts";
import type { Notice, WireRequest, WireTurn } from "../wire-api.ts";
import { readInput } from "./read-input.ts";
import { readTools } from "./read-tools.ts";

/** Fields that would change the answer and are not built. */
const unsupported = {
  ...otherSamplers,
  previous_response_id: { unless: [], instead: "nothing is stored here; send the whole input" },
  conversation: { unless: [], instead: "nothing is stored here; send the whole input" },
  background: { unless: [false], instead: "ask for a stream" },
  prompt: { unless: [], instead: "send instructions and input" },
} as const;

/** What a reply repeats of its request. */
const echoed = [
  "instructions",
  "max_output_tokens",
  "metadata",
  "parallel_tool_calls",
  "reasoning",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_p",
  "user",
] as const;

export function readResponsesRequest(body: unknown): WireRequest {
  const fields = readFields(body);
  refuseFields(fields, unsupported);
  const input = readInput(fields);
  const instructions = fields.text("instructions") ?? "";
  const history = readHistory(input.messages);
  const system: readonly Message[] = instructions === "" ? [] : [{ role: "system", content: instructions }];
  const messages = [...system, ...history.messages];
  if (messages.length === 0) throw fields.fault("input", "expected a text or at least one item");
  const offered = readTools(fields);
  const additions = readAdditions(fields);
  const text = fields.fields("text");
  const format = text?.fields("format");
  const reasoning = fields.fields("reasoning");
  const turn = present({
    messages,
    tools: offered.tools,
    toolChoice: offered.toolChoice,
    callable: offered.callable,
    parallel: fields.flag("parallel_tool_calls"),
    maxTokens: fields.whole("max_output_tokens", { least: 1 }),
    seed: fields.whole("seed"),
    stop: readStop(fields, "stop"),
    sampling: readSampling(fields),
    logprobs: readLogprobs(fields),
    answer: format === undefined ? undefined : readAnswerForm(format),
    ...additions.turn,
    reasoning: {
      ...(reasoning === undefined ? {} : readEffort(reasoning, "effort")),
      ...additions.turn.reasoning,
    },
  }) as WireTurn;
  return wireRequest({
    model: fields.text("model"),
    turn,
    stream: fields.flag("stream"),
    notices: [...input.notices, ...history.notices, ...offered.notices, ...readNotices(text)],
    progress: additions.progress,
    echo: readEcho(fields, reasoning),
  });
}

/** Asked for by `include`, or by how many rivals are wanted. */
function readLogprobs(fields: Fields): number | undefined {
  const top = fields.whole("top_logprobs", { least: 0, most: 20 });
  const isIncluded = (fields.list("include") ?? []).includes("message.output_text.logprobs");
  return isIncluded || (top ?? 0) > 0 ? (top ?? 0) : undefined;
}

function readNotices(text: Fields | undefined): readonly Notice[] {
  if (text?.value("verbosity") === undefined) return [];
  return [{ code: "verbosity", text: "text.verbosity was left out: say it in the instructions." }];
}

/** Checked here as far as the reply is made of it. */
function readEcho(fields: Fields, reasoning: Fields | undefined): JsonObject {
  reasoning?.oneOf("summary", ["auto", "concise", "detailed"]);
  return Object.fromEntries(
    echoed.flatMap((name) => {
      const given = fields.value(name);
      return given === undefined ? [] : [[name, given]];
    }),
  ) as JsonObject;
}
