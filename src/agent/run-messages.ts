// What a turn and its results become in the conversation that the model reads next.
import { foldTurn, type TurnResult } from "../decode/fold-turn.ts";
import type { AssistantMessage, Call, ToolMessage, ToolOutcome, TurnEvent } from "../vocabulary/index.ts";

/** Codes of the notices whose text the model was told as a user message. */
export const toldToModel: ReadonlySet<string> = new Set(["loop-warning", "call-missing"]);

/** Folds the events of a turn that has ended. */
export function foldEvents(events: readonly TurnEvent[]): Promise<TurnResult> {
  return foldTurn(replay(events));
}

async function* replay(events: readonly TurnEvent[]): AsyncGenerator<TurnEvent> {
  yield* events;
}

/** A turn as a message. Calls stand in it only where they are answered, so that none is left dangling. */
export function assistantMessage(result: TurnResult): AssistantMessage {
  return {
    role: "assistant",
    content: result.text,
    ...(result.reasoning === "" ? {} : { reasoning: result.reasoning }),
    ...(result.finish === "calls" ? { calls: result.calls } : {}),
  };
}

/** The one result of a call as a message. */
export function toolMessage(
  call: Pick<Call, "id" | "name">,
  result: { readonly outcome: ToolOutcome; readonly content: string },
): ToolMessage {
  const message: ToolMessage = {
    role: "tool",
    callId: call.id,
    name: call.name,
    content: result.content,
  };
  return result.outcome === "completed" ? message : { ...message, isError: true };
}
