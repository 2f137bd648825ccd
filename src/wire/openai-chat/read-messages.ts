// Chat completions: the messages of a conversation. Only text can be read; other parts are refused by name.
import type { PastCall, PastMessage } from "../history.ts";
import type { Fields } from "../read-fields.ts";

export function readMessages(messages: readonly Fields[]): readonly PastMessage[] {
  return messages.map(readMessage);
}

function readMessage(message: Fields): PastMessage {
  const role = message.oneOf("role", ["system", "developer", "user", "assistant", "tool", "function"]);
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", content: readContent(message) };
    case "user":
      return { role, content: readContent(message) };
    case "assistant":
      return {
        role,
        content: readContent(message),
        reasoning: message.text("reasoning_content") ?? message.text("reasoning") ?? "",
        calls: readCalls(message),
      };
    case "tool":
    case "function": {
      const callId = message.text("tool_call_id");
      const name = message.text("name");
      return {
        role: "tool",
        content: readContent(message),
        ...(callId === undefined ? {} : { callId }),
        ...(name === undefined ? {} : { name }),
      };
    }
    case undefined:
      throw message.fault("role", "a message needs a role");
    default:
      return role satisfies never;
  }
}

/** A text, or a list of texts that belong together. Nothing at all is an empty text. */
function readContent(message: Fields): string {
  const given = message.value("content");
  // A result that is an object is what its tool gave; typed clients would have written it so (U-138).
  if (typeof given === "object" && !Array.isArray(given)) return JSON.stringify(given);
  if (!Array.isArray(given)) return message.text("content") ?? "";
  return (message.items("content") ?? []).map(readPart).join("");
}

function readPart(part: Fields): string {
  const type = part.text("type");
  if (type === "text" || type === "input_text" || type === "output_text") return part.text("text") ?? "";
  if (type === "refusal") return part.text("refusal") ?? "";
  throw part.fault("type", `only text can be read, not ${JSON.stringify(type ?? null)}`);
}

function readCalls(message: Fields): readonly PastCall[] {
  const legacy = message.fields("function_call");
  const calls = (message.items("tool_calls") ?? []).map((call): PastCall => {
    const id = call.text("id");
    const called = call.fields("function");
    if (called === undefined) throw call.fault("function", "a call needs its function");
    return { ...readFunction(called), ...(id === undefined ? {} : { id }) };
  });
  return legacy === undefined ? calls : [...calls, readFunction(legacy)];
}

function readFunction(called: Fields): PastCall {
  const name = called.text("name");
  if (name === undefined) throw called.fault("name", "a call needs a name");
  return { name, input: called.value("arguments") };
}
