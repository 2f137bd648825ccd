// One trustworthy turn: prepare, decode, validate, and mend by the ladder's rungs until calls are valid or given up.
// The stages are in their own files; this one is the order they run in. Executes nothing.

import { type FinishReason, isAborted, type TurnEvent } from "../vocabulary/index.ts";
import { askAgain } from "./ask-again.ts";
import { decodeCalls } from "./decode-calls.ts";
import { decodeFreely } from "./decode-freely.ts";
import { decodeOpening } from "./decode-opening.ts";
import { decodeRaw } from "./decode-raw.ts";
import { type PreparedTurn, prepareTurn } from "./prepare-turn.ts";
import { stopAtTexts } from "./stop-texts.ts";
import { type Attempt, type AttemptOutcome, mayTryAgain, type Turn } from "./turn.ts";
import { takeTurnPlace } from "./turn-places.ts";
import type { DecodeContext, TurnRequest } from "./turn-request.ts";

export { foldTurn, type TurnResult } from "./fold-turn.ts";
export type { DecodeContext, TurnRequest } from "./turn-request.ts";

/**
 * Decodes one turn. Ends in exactly one `turn-end`, except that the caller's mistakes throw a `CallwrightError` before
 * anything is decoded: tools or schemas that cannot be offered, an unknown choice, a prompt that does not fit.
 * What the model gets wrong never throws: it is mended, or told in `call-invalid`.
 */
export async function* decodeTurn(context: DecodeContext, request: TurnRequest): AsyncGenerator<TurnEvent> {
  if (request.rawPrompt !== undefined) {
    yield* decodeRaw(context, { ...request, rawPrompt: request.rawPrompt });
    return;
  }
  const prepared = await prepareTurn(context, request);
  const { turn } = prepared;
  yield prepared.start;
  yield* prepared.notices;
  let finish: FinishReason;
  let stopText: string | undefined;
  try {
    const ended = yield* stopAtTexts(decodeAttempts(prepared), request.stop ?? []);
    finish = ended.type === "stopped" ? "stop" : ended.outcome;
    if (ended.type === "stopped") stopText = ended.text;
  } catch (error) {
    if (!isAborted(error)) throw error;
    finish = "aborted";
  }
  const usage = turn.account.usage();
  yield { type: "turn-end", finish, usage, ...(stopText === undefined ? {} : { stopText }) };
}

async function* decodeAttempts(prepared: PreparedTurn): AsyncGenerator<TurnEvent, FinishReason> {
  const { turn } = prepared;
  const leave = await takeTurnPlace(turn.model, turn.signal);
  try {
    return yield* attempts(prepared);
  } finally {
    leave();
  }
}

async function* attempts(prepared: PreparedTurn): AsyncGenerator<TurnEvent, FinishReason> {
  const { turn } = prepared;
  let attempt = prepared.attempt;
  for (;;) {
    const outcome = yield* isFree(turn) ? decodeFreely(turn, attempt) : decodeUnderGrammar(turn, attempt);
    if (outcome.type === "finished") return outcome.finish;
    if (!turn.levers.askAgain || !mayTryAgain(turn)) {
      yield { type: "call-invalid", attempts: turn.refused };
      return "invalid";
    }
    attempt = askAgain(prepared, attempt, outcome.attempt);
    turn.account.startRetry(4, outcome.attempt.faults[0]?.pointer ?? "");
  }
}

/** Whether the present attempt is written without a grammar: by choice, or since the model knows none. */
function isFree({ levers, account, model }: Turn): boolean {
  if (!model.info.enforcesGrammar) return true;
  return levers.grammar === "off" || (levers.grammar === "late" && account.attempts === 1);
}

async function* decodeUnderGrammar(turn: Turn, attempt: Attempt): AsyncGenerator<TurnEvent, AttemptOutcome> {
  const opening = yield* decodeOpening(turn, attempt);
  if (opening.type === "ended") return { type: "finished", finish: opening.finish };
  if (opening.type === "refused") return opening;
  const outcome = yield* decodeCalls(turn, attempt, opening.opened);
  switch (outcome.type) {
    case "delivered":
      return { type: "finished", finish: "calls" };
    case "length":
      return { type: "finished", finish: "length" };
    case "refused":
      return outcome;
    default:
      return outcome satisfies never;
  }
}
