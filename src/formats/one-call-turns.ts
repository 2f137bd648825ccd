// Several calls of one turn as several turns, for templates that have room for one call only.
// What was called and answered stays the same; only that it happened at once is lost.
import type { AssistantMessage, Call, Message, ToolMessage } from "../vocabulary/index.ts";

/** The messages with every turn of several calls, all of them answered, as turns of one call and its result each. */
export function oneCallTurns(messages: readonly Message[]): readonly Message[] {
  const turns: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined) break;
    const results = resultsAfter(messages, at);
    const calls = message.role === "assistant" ? (message.calls ?? []) : [];
    const answers = calls.map(({ id }) => results.find(({ callId }) => callId === id));
    if (
      message.role !== "assistant" ||
      calls.length < 2 ||
      answers.length !== results.length ||
      answers.includes(undefined)
    ) {
      turns.push(message);
      continue;
    }
    for (const [index, call] of calls.entries()) {
      turns.push(index === 0 ? { ...message, calls: [call] } : silentTurn(call));
      const answer = answers[index];
      if (answer !== undefined) turns.push(answer);
    }
    at += results.length;
  }
  return turns;
}

function silentTurn(call: Call): AssistantMessage {
  return { role: "assistant", content: "", calls: [call] };
}

function resultsAfter(messages: readonly Message[], at: number): readonly ToolMessage[] {
  const rest = messages.slice(at + 1);
  const end = rest.findIndex(({ role }) => role !== "tool");
  return (end === -1 ? rest : rest.slice(0, end)).filter((message) => message.role === "tool");
}
