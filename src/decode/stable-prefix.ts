// How much of a prompt every conversation with the same system text and the same tools begins with: what is common to it and
// to the prompt of another conversation.
import type { PromptPart } from "../formats/index.ts";
import type { Message } from "../vocabulary/index.ts";

/** A conversation that shares only its system text with this one. */
export function otherConversation(messages: readonly Message[]): readonly Message[] {
  const [first] = messages;
  const isSystem = first?.role === "system";
  const opening = messages[isSystem ? 1 : 0];
  // Another first character, so that nothing of the message counts as shared.
  const content = opening?.content.trimStart().startsWith("?") ? "!" : "?";
  return [...(isSystem ? [first] : []), { role: "user", content }];
}

/** UTF-16 units with which both prompts begin. */
export function commonUnits(a: readonly PromptPart[], b: readonly PromptPart[]): number {
  const [left, right] = [a, b].map((parts) => parts.map((part) => part.text).join("")) as [string, string];
  let common = 0;
  while (common < left.length && left[common] === right[common]) common += 1;
  return common;
}
