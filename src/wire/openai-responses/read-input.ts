// Responses: the input's items as messages. What an assistant said, thought and called in a row is one message of ours.
import { hostedToolNotice } from "../common-fields.ts";
import type { PastCall, PastMessage } from "../history.ts";
import type { Fields } from "../read-fields.ts";
import type { Notice } from "../wire-api.ts";

export interface ReadInput {
  readonly messages: readonly PastMessage[];
  readonly notices: readonly Notice[];
}

type AssistantMessage = Extract<PastMessage, { role: "assistant" }>;

export function readInput(fields: Fields): ReadInput {
  if (!Array.isArray(fields.value("input"))) {
    const content = fields.text("input") ?? "";
    return { messages: content === "" ? [] : [{ role: "user", content }], notices: [] };
  }
  const messages: PastMessage[] = [];
  const notices: Notice[] = [];
  for (const item of fields.items("input") ?? []) {
    const read = readItem(item);
    if ("code" in read) notices.push(read);
    else addMessage(messages, read);
  }
  return { messages, notices };
}

function addMessage(messages: PastMessage[], message: PastMessage): void {
  const last = messages.at(-1);
  if (message.role !== "assistant" || last?.role !== "assistant") messages.push(message);
  else messages[messages.length - 1] = joinAssistant(last, message);
}

function joinAssistant(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  return {
    role: "assistant",
    content: [first.content, second.content].filter((text) => text !== "").join("\n"),
    reasoning: `${first.reasoning ?? ""}${second.reasoning ?? ""}`,
    calls: [...first.calls, ...second.calls],
  };
}

/** An item as a message; a notice for one that nobody here can do anything with. */
function readItem(item: Fields): PastMessage | Notice {
  const type = item.text("type") ?? "message";
  switch (type) {
    case "message":
      return readMessage(item);
    case "function_call":
      return { role: "assistant", content: "", calls: [readCall(item)] };
    case "function_call_output":
      return readResult(item);
    case "reasoning":
      return { role: "assistant", content: "", reasoning: readReasoning(item), calls: [] };
    case "item_reference":
      throw item.fault("type", "nothing is stored here, so that items cannot be referred to; send them");
    default:
      return hostedToolNotice(type);
  }
}

function readMessage(item: Fields): PastMessage {
  const role = item.oneOf("role", ["system", "developer", "user", "assistant"]);
  if (role === undefined) throw item.fault("role", "a message needs a role");
  const content = readTexts(item, "content");
  if (role === "assistant") return { role, content, calls: [] };
  return { role: role === "developer" ? "system" : role, content };
}

/** A text, or a list of texts that belong together. */
function readTexts(item: Fields, name: string): string {
  if (!Array.isArray(item.value(name))) return item.text(name) ?? "";
  return (item.items(name) ?? []).map(readPart).join("");
}

function readPart(part: Fields): string {
  const type = part.text("type");
  if (type === "refusal") return part.text("refusal") ?? "";
  if (
    type !== undefined &&
    ["input_text", "output_text", "text", "summary_text", "reasoning_text"].includes(type)
  )
    return part.text("text") ?? "";
  throw part.fault("type", `only text can be read, not ${JSON.stringify(type ?? null)}`);
}

function readCall(item: Fields): PastCall {
  const name = item.text("name");
  if (name === undefined) throw item.fault("name", "a call needs a name");
  const id = item.text("call_id");
  return { name, input: item.value("arguments"), ...(id === undefined ? {} : { id }) };
}

function readResult(item: Fields): PastMessage {
  const callId = item.text("call_id");
  const content = readTexts(item, "output");
  return { role: "tool", content, ...(callId === undefined ? {} : { callId }) };
}

/** The thoughts themselves where they are there, else their summary. */
function readReasoning(item: Fields): string {
  const content = readTexts(item, "content");
  return content === "" ? readTexts(item, "summary") : content;
}
