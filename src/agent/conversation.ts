// A conversation that goes on over several prompts. What is sent while a run is busy waits for it, in order.
// Knows nothing of where prompts come from.
import type { Message, RunEvent } from "../vocabulary/index.ts";
import { foldRun } from "./fold-run.ts";

export interface Conversation {
  /** The run that answers a prompt. It begins when it is read and those sent before it have ended. */
  send(prompt: string): AsyncIterable<RunEvent>;
  /** How many prompts wait or are being answered. */
  readonly waiting: number;
  /** What was said so far. */
  readonly messages: readonly Message[];
}

/** `run`: starts a run for a prompt, after what was said before; with a session that knows it itself, without. */
export function createConversation(options: {
  readonly run: (prompt: string, before: readonly Message[]) => AsyncIterable<RunEvent>;
}): Conversation {
  const messages: Message[] = [];
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const answer = async function* (
    prompt: string,
    turn: Promise<unknown>,
    done: () => void,
  ): AsyncGenerator<RunEvent> {
    const seen: RunEvent[] = [];
    try {
      await turn;
      for await (const event of options.run(prompt, [...messages])) {
        seen.push(event);
        yield event;
      }
    } finally {
      const { messages: added } = await foldRun(replay(seen));
      messages.push({ role: "user", content: prompt }, ...answered(added));
      waiting -= 1;
      done();
    }
  };
  return {
    send: (prompt) => {
      waiting += 1;
      const turn = last;
      let done = () => {};
      last = new Promise<void>((resolve) => {
        done = resolve;
      });
      return answer(prompt, turn, done);
    },
    get waiting() {
      return waiting;
    },
    get messages() {
      return messages;
    },
  };
}

async function* replay(events: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* events;
}

/** A run that was left half-way may end in calls that nobody answered: they are not shown to the next. */
function answered(messages: readonly Message[]): readonly Message[] {
  const results = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : [])));
  return messages.map((message) => {
    if (message.role !== "assistant" || message.calls === undefined) return message;
    const { calls, ...rest } = message;
    const kept = calls.filter(({ id }) => results.has(id));
    return kept.length === 0 ? rest : { ...rest, calls: kept };
  });
}
