// Ollama: the messages of a conversation. Arguments are objects, and results say the tool's name instead of the call's id.
import type { PastCall, PastMessage } from "../history.ts";
import type { Fields } from "../read-fields.ts";

export function readMessages(messages: readonly Fields[]): readonly PastMessage[] {
  return messages.map(readMessage);
}

function readMessage(message: Fields): PastMessage {
  const images = message.list("images") ?? [];
  if (images.length > 0) throw message.fault("images", "only text can be read");
  const content = message.text("content") ?? "";
  const role = message.oneOf("role", ["system", "user", "assistant", "tool"]);
  switch (role) {
    case "system":
    case "user":
      return { role, content };
    case "assistant":
      return { role, content, reasoning: message.text("thinking") ?? "", calls: readCalls(message) };
    case "tool": {
      const callId = message.text("tool_call_id");
      const name = message.text("tool_name") ?? message.text("name");
      return {
        role,
        content,
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

function readCalls(message: Fields): readonly PastCall[] {
  return (message.items("tool_calls") ?? []).map((call) => {
    const called = call.fields("function");
    const name = called?.text("name");
    if (called === undefined || name === undefined) throw call.fault("function", "a call needs its function");
    const id = call.text("id");
    return { name, input: called.value("arguments"), ...(id === undefined ? {} : { id }) };
  });
}
