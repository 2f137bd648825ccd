// Rung 4: the refused call and one line on what is wrong with it go into the conversation, and the turn is asked for again
// with the choice narrowed to that tool.
import { type InvalidAttempt, isJsonObject, type Message } from "../vocabulary/index.ts";
import type { PreparedTurn } from "./prepare-turn.ts";
import { sayWhatIsWrong } from "./say-what-is-wrong.ts";
import { type Attempt, newCallId } from "./turn.ts";

export function askAgain(prepared: PreparedTurn, last: Attempt, refused: InvalidAttempt): Attempt {
  const { turn } = prepared;
  if (refused.name === undefined && turn.answer !== undefined && !last.mustCall) {
    const line = sayWhatIsWrong({ ...refused, about: "answer" }, turn.tools);
    const messages = [...prepared.messages, ...correction(refused, line)];
    return { ...last, prompt: prepared.render(messages, "auto") };
  }
  const named = turn.tools.filter((tool) => tool.name === refused.name);
  const callable = named.length > 0 ? named : last.callable;
  const messages = [...prepared.messages, ...correction(refused, sayWhatIsWrong(refused, turn.tools))];
  const choice = named.length > 0 && refused.name !== undefined ? { name: refused.name } : "required";
  return { prompt: prepared.render(messages, choice), callable, mustCall: true };
}

/** A call that can be shown as one is answered by an error result; anything else is quoted and answered by the user. */
function correction(refused: InvalidAttempt, line: string): readonly Message[] {
  const { name, input } = refused;
  if (name !== undefined && isJsonObject(input)) {
    const id = newCallId();
    return [
      { role: "assistant", content: "", calls: [{ id, name, input }] },
      { role: "tool", callId: id, name, content: line, isError: true },
    ];
  }
  return [
    { role: "assistant", content: refused.text },
    { role: "user", content: line },
  ];
}
