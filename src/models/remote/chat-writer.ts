// Writes a chat server's answer, which comes in fields, as one text in the format chat-api: reasoning between its marks,
// prose as it is, calls behind both. Repairs nothing: a call is written as the server gave it.
import { chatReasoning } from "../../formats/index.ts";
import type { CallPart, ChatEvent } from "./chat-dialects.ts";

export interface ChatWriter {
  /** The text of an event, which may be none yet: a call is told when it is complete. */
  take(event: ChatEvent): string;
  finish(): string;
}

interface OpenCall {
  readonly index: number;
  readonly id: string | undefined;
  name: string;
  input: string;
}

export function createChatWriter(): ChatWriter {
  let isReasoning = false;
  const calls: OpenCall[] = [];

  function takePart(part: CallPart): void {
    const open = calls.findLast(({ index }) => index === part.index);
    // Some servers give every call the index 0, and some no ids.
    const isNew =
      open === undefined ||
      (part.id === undefined ? part.name !== undefined : open.id !== undefined && part.id !== open.id);
    if (isNew) calls.push({ index: part.index, id: part.id, name: part.name ?? "", input: part.text });
    else open.input += part.text;
  }

  return {
    take({ reasoning = "", text = "", calls: parts = [] }) {
      for (const part of parts) takePart(part);
      let written = "";
      if (reasoning !== "") {
        if (!isReasoning) written += chatReasoning.start;
        isReasoning = true;
        written += reasoning;
      }
      if (text !== "") {
        if (isReasoning) written += chatReasoning.end;
        isReasoning = false;
        written += text;
      }
      return written;
    },
    finish() {
      const end = isReasoning ? chatReasoning.end : "";
      const blocks = calls.map(({ name, input }) => {
        const value = input.trim() === "" ? "{}" : input;
        return `\n<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${value}}\n</tool_call>`;
      });
      return end + blocks.join("");
    },
  };
}
