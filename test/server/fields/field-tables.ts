// All tables of request fields, one for each endpoint.
import { chatFields } from "./chat-fields.ts";
import { completionFields } from "./completion-fields.ts";
import type { FieldRow } from "./field-row.ts";
import { messagesFields } from "./messages-fields.ts";
import { ollamaChatFields, ollamaGenerateFields } from "./ollama-fields.ts";
import { responsesFields } from "./responses-fields.ts";

export interface FieldTable {
  readonly title: string;
  readonly rows: readonly FieldRow[];
}

export const fieldTables: readonly FieldTable[] = [
  { title: "POST /v1/chat/completions", rows: chatFields },
  { title: "POST /v1/responses", rows: responsesFields },
  { title: "POST /v1/messages", rows: messagesFields },
  { title: "POST /api/chat", rows: ollamaChatFields },
  { title: "POST /api/generate", rows: ollamaGenerateFields },
  { title: "POST /v1/completions", rows: completionFields },
];
