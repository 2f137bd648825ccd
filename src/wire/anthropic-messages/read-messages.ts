// Messages: system text and messages with their blocks. Only text can be read; other blocks are refused by name.
import type { PastCall, PastMessage } from "../history.ts";
import type { Fields } from "../read-fields.ts";

export function readSystem(fields: Fields): readonly PastMessage[] {
  const given = fields.value("system");
  if (given === undefined) return [];
  const content = Array.isArray(given)
    ? (fields.items("system") ?? []).map(textOfBlock).join("\n\n")
    : (fields.text("system") ?? "");
  return content === "" ? [] : [{ role: "system", content }];
}

export function readMessages(messages: readonly Fields[]): readonly PastMessage[] {
  return messages.flatMap(readMessage);
}

/** One message of theirs may be several of ours: results stand among what the user says. */
function readMessage(message: Fields): readonly PastMessage[] {
  const role = message.oneOf("role", ["user", "assistant", "system"]);
  if (role === undefined) throw message.fault("role", "a message needs a role");
  if (!Array.isArray(message.value("content"))) {
    const content = message.text("content") ?? "";
    return [role === "assistant" ? { role, content, calls: [] } : { role, content }];
  }
  const blocks = message.items("content") ?? [];
  if (role === "assistant") return [readAssistant(blocks)];
  return role === "user" ? readUser(blocks) : [{ role, content: blocks.map(textOfBlock).join("\n\n") }];
}

function readAssistant(blocks: readonly Fields[]): PastMessage {
  const calls: PastCall[] = [];
  const texts: string[] = [];
  let reasoning = "";
  for (const block of blocks) {
    switch (block.text("type")) {
      case "thinking":
        reasoning += block.text("thinking") ?? "";
        break;
      // Nobody but their own servers can read it.
      case "redacted_thinking":
        break;
      case "tool_use": {
        const name = block.text("name");
        const id = block.text("id");
        if (name === undefined) throw block.fault("name", "a call needs a name");
        calls.push({ name, input: block.value("input"), ...(id === undefined ? {} : { id }) });
        break;
      }
      default:
        texts.push(textOfBlock(block));
    }
  }
  return { role: "assistant", content: texts.join(""), reasoning, calls };
}

function readUser(blocks: readonly Fields[]): readonly PastMessage[] {
  const messages: PastMessage[] = [];
  for (const block of blocks) {
    if (block.text("type") === "tool_result") {
      messages.push(readResult(block));
      continue;
    }
    const content = textOfBlock(block);
    const last = messages.at(-1);
    if (last?.role === "user")
      messages[messages.length - 1] = { ...last, content: `${last.content}\n${content}` };
    else messages.push({ role: "user", content });
  }
  return messages;
}

function readResult(block: Fields): PastMessage {
  const callId = block.text("tool_use_id");
  const content = Array.isArray(block.value("content"))
    ? (block.items("content") ?? []).map(textOfBlock).join("\n")
    : (block.text("content") ?? "");
  const isError = block.flag("is_error") ?? false;
  return { role: "tool", content, isError, ...(callId === undefined ? {} : { callId }) };
}

function textOfBlock(block: Fields): string {
  const type = block.text("type");
  if (type === "text") return block.text("text") ?? "";
  throw block.fault("type", `only text can be read, not ${JSON.stringify(type ?? null)}`);
}
