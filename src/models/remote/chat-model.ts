// A `Model` over a chat API: the prompt is the request in the format chat-api, and what the server answers in fields is
// written as that format's text. It continues no prefix and enforces no grammar, and says so; validation, repair and
// asking again are as for any text that was not constrained.
import type { ChatPrompt, PromptPart } from "../../formats/index.ts";
import { CallwrightError, type JsonObject, type JsonSchema } from "../../vocabulary/index.ts";
import type { GenerateRequest, Model, ModelEvent, ModelInfo, SpanEnd } from "../model.ts";
import { askChat } from "./ask-chat.ts";
import { type ChatEvent, chatDialect } from "./chat-dialects.ts";
import { createChatWriter } from "./chat-writer.ts";
import type { EndpointFacts, ServerBehaviour } from "./endpoint-facts.ts";
import type { Replicas } from "./replicas.ts";
import { createTokenEstimate } from "./token-estimate.ts";

export interface ChatModelOptions {
  readonly info: ModelInfo;
  readonly facts: EndpointFacts;
  readonly replicas: Replicas;
}

export function createChatModel({ info, facts, replicas }: ChatModelOptions): Model {
  const dialect = chatDialect(facts.identity);
  const estimate = createTokenEstimate();
  /** Fields that this server will not take, found out by its refusals. */
  const refusedFields = new Set<string>();
  let isClosed = false;

  async function* generate(request: GenerateRequest): AsyncGenerator<ModelEvent> {
    if (isClosed) throw new CallwrightError("request-invalid", `The model ${info.id} is closed.`);
    if (textOf(request.prefix) !== "" || request.span.type === "constrained") {
      throw new CallwrightError("model-unsupported", `${info.id} is a chat server, which continues no text.`);
    }
    const { sampling, seed, maxTokens, signal } = request;
    const text = textOf(request.prompt);
    const { toolText, ...prompt } = readPrompt(text);
    const body = dialect.body({
      ...chatRequest({ ...prompt, toolText }, facts.behaviour),
      sampling,
      seed,
      maxTokens,
      contextSize: info.contextSize,
    });
    const events = replicas.ask({
      prompt: text,
      ...(signal === undefined ? {} : { signal }),
      open: (server) => askChat({ server, dialect, body, refusedFields, signal }),
    });
    const writer = createChatWriter();
    let tokens = 0;
    let end: SpanEnd | undefined;
    let usage: ChatEvent["prompt"];
    let said = 0;
    const knownFields = new Set(refusedFields);
    for await (const event of events) {
      for (const field of refusedFields) {
        if (knownFields.has(field)) continue;
        knownFields.add(field);
        const text = `${info.id} does not take "${field}" for this model: it is asked without it.`;
        yield { type: "notice", code: "field-refused", text };
      }
      usage = event.prompt ?? usage;
      said = event.tokens ?? said;
      end ??= event.end;
      const piece = writer.take(event);
      if (piece === "") continue;
      tokens += 1;
      yield { type: "piece", text: piece, source: "sampled", tokens: 1 };
    }
    const last = writer.finish();
    // What the server counted is known only now.
    yield { type: "piece", text: last, source: "sampled", tokens: Math.max(0, said - tokens) };
    if (usage !== undefined) estimate.learn(text, usage.tokens);
    yield prefillEnd(usage);
    yield { type: "end", reason: end ?? "end-of-generation" };
  }

  return {
    info,
    generate,
    score: async () => {
      throw new CallwrightError("model-unsupported", `${info.id} gives no probabilities over the net.`);
    },
    renderTemplate: () => {
      throw new CallwrightError("model-unsupported", `${info.id} renders its own template.`);
    },
    countTokens: async (parts) => estimate.count(textOf(parts)),
    close: async () => {
      isClosed = true;
    },
  };
}

/**
 * A call that has to come is held to a schema where the server keeps to that, and does not to the choice. So is an answer
 * that has a form, unless calls may come as well, which the schema would forbid.
 */
function chatRequest(prompt: ChatPrompt, { enforcesSchema, enforcesToolChoice }: ServerBehaviour) {
  const { toolChoice, tools, answer } = prompt;
  if (tools.length === 0 && enforcesSchema && answer !== undefined && answer.type !== "grammar") {
    return { prompt, schema: answer.type === "json" ? { type: "object" } : asObject(answer.schema) };
  }
  const mustCall = toolChoice === "required" || typeof toolChoice === "object";
  if (!mustCall || enforcesToolChoice || !enforcesSchema || tools.length === 0) return { prompt };
  const callable =
    typeof toolChoice === "object" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
  const calls = callable.map(({ name, inputSchema }) => ({
    type: "object",
    properties: { name: { const: name }, arguments: inputSchema },
    required: ["name", "arguments"],
    additionalProperties: false,
  }));
  const [first, ...others] = prompt.messages;
  const isSystem = first?.role === "system";
  const content = [...(isSystem ? [first.content] : []), prompt.toolText].join("\n\n");
  const messages = [{ role: "system" as const, content }, ...(isSystem ? others : prompt.messages)];
  const schema: JsonObject = calls.length === 1 ? (calls[0] ?? {}) : { anyOf: calls };
  return { prompt: { ...prompt, messages, tools: [] }, schema };
}

function asObject(schema: JsonSchema): JsonObject {
  return typeof schema === "boolean" ? {} : schema;
}

function readPrompt(text: string): ChatPrompt {
  try {
    return JSON.parse(text) as ChatPrompt;
  } catch (cause) {
    const message =
      'A chat server is asked in the format "chat-api" only; leave "format" out of its profile.';
    throw new CallwrightError("request-invalid", message, { cause });
  }
}

function prefillEnd({
  tokens,
  cached,
  milliseconds,
}: NonNullable<ChatEvent["prompt"]> = noUsage): ModelEvent {
  const evaluated = Math.max(0, tokens - cached);
  return { type: "prefill-end", reused: cached, loaded: 0, evaluated, ofPrompt: evaluated, milliseconds };
}

const noUsage = { tokens: 0, cached: 0, milliseconds: 0 };

function textOf(parts: readonly PromptPart[]): string {
  return parts.map((part) => part.text).join("");
}
