// How many tokens a turn's prompt would have, without decoding it. Nothing is cut, and the window does not matter.
import { CallwrightError } from "../vocabulary/index.ts";
import { prepareTurn } from "./prepare-turn.ts";
import type { DecodeContext, TurnRequest } from "./turn-request.ts";

export interface PromptTokens {
  readonly system: number;
  readonly tools: number;
  readonly history: number;
  readonly total: number;
}

/** Throws as `decodeTurn` does before its first token, but not `context-overflow`. */
export async function countTurn(context: DecodeContext, request: TurnRequest): Promise<PromptTokens> {
  if (request.rawPrompt !== undefined) {
    const total = await context.model.countTokens([{ text: request.rawPrompt, special: true }]);
    return { system: 0, tools: 0, history: total, total };
  }
  try {
    const { start } = await prepareTurn(context, { ...request, context: "whole" });
    return sumParts(start.type === "turn-start" ? start.budget : {});
  } catch (error) {
    // A prompt that does not fit has been counted all the same.
    if (!(error instanceof CallwrightError) || error.code !== "context-overflow") throw error;
    return sumParts((error.details?.parts ?? {}) as Record<string, number>);
  }
}

function sumParts({ system = 0, tools = 0, history = 0 }: Readonly<Record<string, number>>): PromptTokens {
  return { system, tools, history, total: system + tools + history };
}
