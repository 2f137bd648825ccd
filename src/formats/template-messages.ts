// Our messages in the shape that a model's own template reads, in the way that its probe found to survive.
// Knows the template's traits and how the format writes calls; renders nothing.
import type {
  AssistantMessage,
  JsonObject,
  Message,
  ToolDescription,
  ToolMessage,
} from "../vocabulary/index.ts";
import type { ChatTemplate, PromptRequest, TemplateTraits, WriteOptions, WrittenCall } from "./format.ts";
import { nineCharacters } from "./nine-characters.ts";
import { oneCallTurns } from "./one-call-turns.ts";
import { resultText, toolsBlock } from "./tools-block.ts";
import { valueKinds } from "./value-kinds.ts";
import { writeJson } from "./write-json.ts";

/** What the prompt has to know of a format. */
export interface PromptStyle {
  writeCalls(calls: readonly WrittenCall[], options: WriteOptions): string;
  /** How to call a tool, in words and by an example. */
  describeCall(parallel: boolean): string;
}

interface RoleMessage extends JsonObject {
  readonly role: string;
  readonly content: string | null;
}

/** The conversation for the template. With `plainest`, only roles that every template knows, in turns. */
export function templateMessages(
  request: PromptRequest,
  template: ChatTemplate,
  style: PromptStyle,
  plainest: boolean,
): readonly JsonObject[] {
  const { traits } = template;
  const isOurs = request.tools.length > toolsForTemplate(request, template, plainest).length;
  const ownBlock = isOurs ? toolsBlock(request.tools, style.describeCall(request.parallel)) : "";
  const isSingle = template.writesCalls && traits.results && !traits.severalCalls && !plainest;
  const messages = isSingle ? oneCallTurns(request.messages) : request.messages;
  const { system, rest } = splitSystem(messages, ownBlock, traits.laterSystem && !plainest);
  const through = canWriteThrough(request, template, plainest);
  const written: RoleMessage[] = [];
  rest.forEach((message, index) => {
    switch (message.role) {
      case "assistant":
        written.push(
          through(message) ? assistantWithCalls(message, traits) : assistantAsText(message, request, style),
        );
        return;
      case "tool": {
        const asker = rest.slice(0, index).findLast((earlier) => earlier.role === "assistant");
        const afterCall = asker !== undefined && through(asker);
        const survives = afterCall ? traits.results : traits.resultsAfterText;
        written.push(toolResult(message, survives && !plainest));
        return;
      }
      case "user":
      case "system":
        written.push({ role: message.role, content: message.content });
        return;
      default:
        message satisfies never;
    }
  });
  const keepsSystem = traits.system && !plainest;
  const merged = mergeUsers(
    keepsSystem || system === "" ? written : foldIntoUser(system, written),
    traits.userAfterUser && !plainest,
  );
  return keepsSystem && system !== "" ? [{ role: "system", content: system }, ...merged] : merged;
}

/** Tools that the template itself is handed, or none where our own text speaks of them. */
export function toolsForTemplate(
  request: PromptRequest,
  template: ChatTemplate,
  plainest: boolean,
): readonly ToolDescription[] {
  return template.tellsOfTools && !plainest ? request.tools : [];
}

/** The leading system text with our own block, and the other messages; later system messages become the user's where the template loses them. */
function splitSystem(
  messages: readonly Message[],
  ownBlock: string,
  keepsLater: boolean,
): { readonly system: string; readonly rest: readonly Message[] } {
  const start = messages.findIndex((message) => message.role !== "system");
  const leading = start === -1 ? messages : messages.slice(0, start);
  const texts = leading.map((message) => message.content);
  const system = [...texts, ownBlock].filter((text) => text !== "").join("\n\n");
  const rest = start === -1 ? [] : messages.slice(start);
  const asUser = (message: Message): Message =>
    message.role === "system" ? { role: "user", content: message.content } : message;
  return { system, rest: keepsLater ? rest : rest.map(asUser) };
}

function canWriteThrough(
  { spacing }: PromptRequest,
  { traits, writesCalls, lostValues }: ChatTemplate,
  plainest: boolean,
): (message: AssistantMessage) => boolean {
  // Templates write spaced JSON; a model that is asked for another layout has to see that one.
  const fits = !plainest && writesCalls && traits.calls !== "none" && spacing === "spaced";
  return ({ calls = [], content }) =>
    fits &&
    calls.length > 0 &&
    (calls.length === 1 || traits.severalCalls) &&
    (content === "" || traits.textWithCalls) &&
    calls.every(({ input }) => !lostValues.some((kind) => valueKinds(input).has(kind)));
}

function assistantWithCalls(turn: AssistantMessage, traits: TemplateTraits): RoleMessage {
  const message = traits.reasoningWithText ? turn : joinReasoning(turn);
  return {
    ...assistantText(message, message.content === "" ? traits.emptyContent : message.content),
    tool_calls: (message.calls ?? []).map(({ id, name, input }) => ({
      // Templates of the Mistral family raise on ids of any other form; to the rest all ids are alike.
      id: nineCharacters(id),
      type: "function",
      function: { name, arguments: traits.calls === "string" ? writeJson(input, "spaced") : input },
    })),
  };
}

/** The text as the end of the reasoning, for templates that know one of them in a turn of calls. */
function joinReasoning(turn: AssistantMessage): AssistantMessage {
  const { reasoning, content } = turn;
  if (reasoning === undefined || content === "") return turn;
  return { ...turn, content: "", reasoning: `${reasoning}\n\n${content}` };
}

function assistantAsText(message: AssistantMessage, request: PromptRequest, style: PromptStyle): RoleMessage {
  const { calls = [], content } = message;
  if (calls.length === 0) return assistantText(message, content);
  const text = style.writeCalls(calls, { spacing: request.spacing, parallel: request.parallel });
  return assistantText(message, content === "" ? text : `${content}\n${text}`);
}

function assistantText({ reasoning }: AssistantMessage, content: string | null): RoleMessage {
  const message = { role: "assistant", content };
  // Templates read past reasoning under one name or the other.
  return reasoning === undefined
    ? message
    : { ...message, reasoning_content: reasoning, thinking: reasoning };
}

function toolResult(message: ToolMessage, survives: boolean): RoleMessage {
  const { name, callId, content, isError = false } = message;
  if (survives) return { role: "tool", name, tool_call_id: nineCharacters(callId), content };
  return { role: "user", content: resultText(name, content, isError) };
}

function foldIntoUser(system: string, messages: readonly RoleMessage[]): readonly RoleMessage[] {
  const [first, ...others] = messages;
  if (first?.role !== "user") return [{ role: "user", content: system }, ...messages];
  return [{ role: "user", content: `${system}\n\n${first.content}` }, ...others];
}

function mergeUsers(messages: readonly RoleMessage[], mayFollow: boolean): readonly RoleMessage[] {
  if (mayFollow) return messages;
  const merged: RoleMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== "user" || message.role !== "user") merged.push(message);
    else merged[merged.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
  }
  return merged;
}
