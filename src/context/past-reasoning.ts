// Which reasoning of past turns a request still shows. What a template then does with it is its own affair.
import type { Profile } from "../models/profile.ts";
import type { Message } from "../vocabulary/index.ts";

/**
 * The conversation with only the reasoning that the policy keeps: `drop` none, `keep-in-tool-loop` that of turns since the
 * newest user message, which belongs to the answer still being worked on, `keep` all.
 */
export function keepReasoning(
  messages: readonly Message[],
  policy: Profile["reasoning"]["history"],
): readonly Message[] {
  if (policy === "keep") return messages;
  const newestUser = messages.findLastIndex((message) => message.role === "user");
  const keepsFrom = policy === "drop" ? messages.length : newestUser;
  return messages.map((message, at) => {
    if (message.role !== "assistant" || message.reasoning === undefined || at > keepsFrom) return message;
    const { reasoning: _reasoning, ...rest } = message;
    return rest;
  });
}
