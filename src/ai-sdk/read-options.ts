// From what the AI SDK asks of a model to a turn of ours. What cannot be followed is a warning where the answer is the same
// kind of answer without it, and an error where it is not.
import type { EngineTurnRequest } from "../engine.ts";
import {
  type AnswerForm,
  type Call,
  CallwrightError,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type Message,
  type SamplingOptions,
  type ToolChoice,
  type ToolDescription,
} from "../vocabulary/index.ts";
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  SharedV3Warning,
} from "./provider-types.ts";

/** What `providerOptions.callwright` may say; what is left out is the profile's. */
export interface CallwrightProviderOptions {
  readonly reasoning?: "on" | "off" | "auto";
  readonly effort?: "low" | "medium" | "high";
  /** Tokens after which reasoning is ended. */
  readonly reasoningBudget?: number;
  /** Whether one turn may hold several calls. */
  readonly parallel?: boolean;
}

export interface ReadOptions {
  readonly request: EngineTurnRequest;
  readonly warnings: SharedV3Warning[];
}

/** Throws `CallwrightError` `request-invalid` for content that the model cannot be shown: images and other files. */
export function readOptions(options: LanguageModelV3CallOptions): ReadOptions {
  const warnings: SharedV3Warning[] = [];
  const tools: ToolDescription[] = [];
  for (const tool of options.tools ?? []) {
    if (tool.type === "function") {
      const { name, description = "", inputSchema } = tool;
      tools.push({ name, description, inputSchema: inputSchema as JsonSchema });
    } else warnings.push({ type: "unsupported", feature: `the provider's own tool ${tool.id}` });
  }
  const { seed, maxOutputTokens: maxTokens, stopSequences: stop, abortSignal: signal } = options;
  const given = options.providerOptions?.callwright ?? {};
  const answer = readAnswer(options.responseFormat);
  const request: EngineTurnRequest = {
    messages: options.prompt.flatMap(readMessage),
    tools,
    toolChoice: readChoice(options.toolChoice),
    sampling: readSampling(options),
    ...(answer === undefined ? {} : { answer }),
    ...(seed === undefined ? {} : { seed }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(stop === undefined ? {} : { stop }),
    ...(signal === undefined ? {} : { signal }),
    ...readOwn(given as JsonObject),
  };
  return { request, warnings };
}

function readMessage(message: LanguageModelV3Message): readonly Message[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return [{ role: "user", content: message.content.map(textOfPart).join("\n") }];
    case "assistant": {
      const { content } = message;
      const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      const reasoning = content.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
      const calls = content.flatMap((part): readonly Call[] =>
        part.type === "tool-call"
          ? [{ id: part.toolCallId, name: part.toolName, input: readInput(part.input) }]
          : [],
      );
      const file = content.find((part) => part.type === "file");
      if (file?.type === "file") throw unreadableFile(file.mediaType);
      return [
        {
          role: "assistant",
          content: texts.join(""),
          ...(reasoning.length === 0 ? {} : { reasoning: reasoning.join("\n") }),
          ...(calls.length === 0 ? {} : { calls }),
        },
        ...content.flatMap((part) => (part.type === "tool-result" ? [readResult(part)] : [])),
      ];
    }
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? [readResult(part)] : []));
    default:
      return message satisfies never;
  }
}

type UserPart = Extract<LanguageModelV3Message, { role: "user" }>["content"][number];

function textOfPart(part: UserPart): string {
  if (part.type === "text") return part.text;
  const { mediaType, data } = part;
  if (!mediaType.startsWith("text/") || data instanceof URL) throw unreadableFile(mediaType);
  const bytes = typeof data === "string" ? Buffer.from(data, "base64") : data;
  return new TextDecoder().decode(bytes);
}

function unreadableFile(mediaType: string): CallwrightError {
  return new CallwrightError(
    "request-invalid",
    `The model reads text only; leave the file of type ${mediaType} out of the prompt.`,
  );
}

/** A call of an earlier turn, whatever became of it: one without an object for its input cannot be shown. */
function readInput(input: unknown): JsonObject {
  return isJsonObject(input) ? input : {};
}

function readResult({
  toolCallId,
  toolName,
  output,
}: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: LanguageModelV3ToolResultOutput;
}): Message {
  const isError = output.type.startsWith("error-") || output.type === "execution-denied";
  return {
    role: "tool",
    callId: toolCallId,
    name: toolName,
    content: textOfOutput(output),
    ...(isError ? { isError } : {}),
  };
}

function textOfOutput(output: LanguageModelV3ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was denied.";
    case "content":
      return output.value
        .map((part) => {
          if (part.type === "text") return part.text;
          throw unreadableFile("mediaType" in part && part.mediaType ? part.mediaType : part.type);
        })
        .join("\n");
    default:
      return output satisfies never;
  }
}

function readChoice(choice: LanguageModelV3CallOptions["toolChoice"]): ToolChoice {
  if (choice === undefined) return "auto";
  return choice.type === "tool" ? { name: choice.toolName } : choice.type;
}

function readSampling(options: LanguageModelV3CallOptions): SamplingOptions {
  const { temperature, topP, topK, presencePenalty, frequencyPenalty } = options;
  const given = { temperature, topP, topK, presencePenalty, frequencyPenalty };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function readAnswer(format: LanguageModelV3CallOptions["responseFormat"]): AnswerForm | undefined {
  if (format?.type !== "json") return undefined;
  return format.schema === undefined
    ? { type: "json" }
    : { type: "schema", schema: format.schema as JsonSchema };
}

/** Values are checked by the engine, which names the field. */
function readOwn({ reasoning: mode, effort, reasoningBudget: budget, parallel }: JsonObject) {
  const reasoning = {
    ...(mode === undefined ? {} : { mode }),
    ...(effort === undefined ? {} : { effort }),
    ...(budget === undefined ? {} : { budget }),
  };
  return {
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    ...(parallel === undefined ? {} : { parallel }),
  } as Pick<EngineTurnRequest, "reasoning" | "parallel">;
}
