// Whether a conversation goes round in circles: its last two rounds of calls were the same and brought the same. A small
// model tends to go on like that, and whoever only sends conversations has no loop guard of their own.
import type { Message } from "../vocabulary/index.ts";
import { callKey } from "./call-key.ts";

/** What the model is told then; measured on a model of 0.5 B, which does what it is asked to do. */
export const resultIsKnown: Message = {
  role: "user",
  content: "This result is known already. Answer in one sentence.",
};

interface Round {
  readonly names: readonly string[];
  readonly print: string;
}

/** Names of the tools that the last `times` rounds since the newest user message called with the same results; else none. */
export function repeatedTools(messages: readonly Message[], times: number): readonly string[] {
  const rounds = roundsSince(
    messages,
    messages.findLastIndex(({ role }) => role === "user"),
  );
  const last = rounds.at(-1);
  if (times === 0 || last === undefined || rounds.length < times) return [];
  return rounds.slice(-times).every(({ print }) => print === last.print) ? last.names : [];
}

/** Calls with their results. A round that has not all of its results has not come to its end. */
function roundsSince(messages: readonly Message[], start: number): readonly Round[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? [[message.callId, message.content] as const] : [],
    ),
  );
  return messages.slice(start + 1).flatMap((message) => {
    if (message.role !== "assistant" || message.calls === undefined || message.calls.length === 0) return [];
    const answered = message.calls.map((call) => [callKey(call), results.get(call.id) ?? null]);
    if (answered.some(([, result]) => result === null)) return [];
    return [{ names: message.calls.map(({ name }) => name), print: JSON.stringify(answered) }];
  });
}
