// Messages (Anthropic's API reference, "Create a message"): the request's fields. Messages and tools are in files of their own.
import type { AnswerForm } from "../../vocabulary/index.ts";
import {
  otherSamplers,
  present,
  readAdditions,
  readEffort,
  readSampling,
  readSchema,
  readStop,
  wireRequest,
} from "../common-fields.ts";
import { readHistory } from "../history.ts";
import { type Fields, readFields, refuseFields } from "../read-fields.ts";
import type { Notice, WireRequest, WireTurn } from "../wire-api.ts";
import { readMessages, readSystem } from "./read-messages.ts";
import { readTools } from "./read-tools.ts";

/** `isCounted`: only the prompt is asked for, so that `max_tokens` may be left out. */
export function readMessagesRequest(body: unknown, isCounted = false): WireRequest {
  const fields = readFields(body);
  refuseFields(fields, otherSamplers);
  const messages = fields.items("messages");
  if (messages === undefined || messages.length === 0)
    throw fields.fault("messages", "expected at least one");
  const maxTokens = fields.whole("max_tokens", { least: 1 });
  if (maxTokens === undefined && !isCounted) throw fields.fault("max_tokens", "it has to be given");
  const history = readHistory([...readSystem(fields), ...readMessages(messages)]);
  const offered = readTools(fields);
  const additions = readAdditions(fields);
  const output = fields.fields("output_config");
  const turn = present({
    messages: history.messages,
    tools: offered.tools,
    toolChoice: offered.toolChoice,
    parallel: offered.parallel,
    maxTokens,
    seed: fields.whole("seed"),
    stop: readStop(fields, "stop_sequences"),
    sampling: readSampling(fields),
    answer: readAnswer(fields, output),
    ...additions.turn,
    reasoning: {
      ...(output === undefined ? {} : readEffort(output, "effort")),
      ...readThinking(fields),
      ...additions.turn.reasoning,
    },
  }) as WireTurn;
  return wireRequest({
    model: fields.text("model"),
    turn,
    stream: fields.flag("stream"),
    notices: [...history.notices, ...offered.notices, ...readNotices(fields, history.messages.at(-1)?.role)],
    progress: additions.progress,
  });
}

/** `output_config.format`, or the beta's `output_format`. */
function readAnswer(fields: Fields, output: Fields | undefined): AnswerForm | undefined {
  const format = output?.fields("format") ?? fields.fields("output_format");
  if (format === undefined) return undefined;
  if (format.oneOf("type", ["json_schema"]) === undefined) throw format.fault("type", "expected json_schema");
  const schema = readSchema(format, "schema");
  if (schema === undefined) throw format.fault("schema", "a json_schema needs its schema");
  return { type: "schema", schema };
}

function readThinking(fields: Fields): WireTurn["reasoning"] {
  const thinking = fields.fields("thinking");
  const type = thinking?.oneOf("type", ["enabled", "disabled", "adaptive"]);
  const budget = thinking?.whole("budget_tokens", { least: 0 });
  const mode = type === "enabled" ? "on" : type === "disabled" ? "off" : undefined;
  return present({ mode, budget }) as WireTurn["reasoning"];
}

function readNotices(fields: Fields, lastRole: string | undefined): readonly Notice[] {
  const hosted = ["mcp_servers", "container"].filter((name) => fields.value(name) !== undefined);
  return [
    ...hosted.map((name) => ({ code: "hosted-tool", text: `${name} is not run here and was left out.` })),
    ...(lastRole === "assistant"
      ? [
          {
            code: "prefill",
            text: "The last message is the assistant's: it is history, and is not gone on with.",
          },
        ]
      : []),
  ];
}
