// Folds the events of a run into what it came to: the answer, the messages it added, why it ended.
import {
  emptyUsage,
  type Message,
  type RunEndReason,
  type RunEvent,
  type ToolMessage,
  type TurnEvent,
  type Usage,
} from "../vocabulary/index.ts";
import { assistantMessage, foldEvents, toldToModel, toolMessage } from "./run-messages.ts";

export interface RunResult {
  /** The text of the last turn. */
  readonly text: string;
  readonly reason: RunEndReason;
  /** What the run added to the conversation, ready to be sent again with the next question. */
  readonly messages: readonly Message[];
  readonly usage: Usage;
  readonly turns: number;
}

/** Reads a run to its end. Throws what the run throws. */
export async function foldRun(events: AsyncIterable<RunEvent>): Promise<RunResult> {
  const messages: Message[] = [];
  let turnEvents: TurnEvent[] = [];
  let results: ToolMessage[] = [];
  let order: readonly string[] = [];
  const result = { text: "", reason: "error" as RunEndReason, usage: emptyUsage, turns: 0 };
  // Calls that ran side by side end in any order; their results stand in the order of the calls.
  const placeResults = () => {
    messages.push(...results.sort((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId)));
    results = [];
  };
  for await (const event of events) {
    switch (event.type) {
      case "run-start":
      case "permission-asked":
      case "permission-answered":
      case "tool-start":
      case "tool-progress":
        break;
      case "tool-end":
        results.push(toolMessage({ id: event.callId, name: event.name }, event));
        break;
      case "run-end":
        result.reason = event.reason;
        result.usage = event.usage;
        break;
      case "turn-end": {
        const turn = await foldEvents([...turnEvents, event]);
        turnEvents = [];
        order = turn.calls.map((call) => call.id);
        result.text = turn.text;
        result.turns += 1;
        messages.push(assistantMessage(turn));
        break;
      }
      default:
        if (event.type === "turn-start") placeResults();
        if (event.type === "notice" && toldToModel.has(event.code)) {
          placeResults();
          messages.push({ role: "user", content: event.text });
        } else turnEvents.push(event);
    }
  }
  placeResults();
  return { ...result, messages };
}
