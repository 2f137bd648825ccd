// A conversation as a plain transcript, for base models that come without a chat template.
import { isJsonObject, type JsonObject } from "../vocabulary/index.ts";
import type { TemplateInput } from "./format.ts";

const speakers: Readonly<Record<string, string>> = { user: "User", assistant: "Assistant" };

/** Speakers by name and a blank line between turns. Calls and results have no form of their own here and are refused. */
export function plainTranscript({ messages, addGenerationPrompt }: TemplateInput): string {
  const turns = messages.map(writeTurn);
  if (addGenerationPrompt) turns.push("Assistant:");
  return turns.join("\n\n");
}

function writeTurn(message: JsonObject): string {
  const { role, content } = message;
  const text = typeof content === "string" ? content : "";
  const calls = Array.isArray(message.tool_calls) && message.tool_calls.some(isJsonObject);
  if (calls || role === "tool") throw new Error("a plain transcript has no place for calls");
  if (role === "system") return text;
  return `${speakers[String(role)] ?? "User"}: ${text}`;
}
