// The bounded loop: turns until done. What a turn is, `decode-turn` knows; what a call does, its tool.
// Everything that happens is an event, and a run ends in exactly one `run-end`.
import { decodeTurn } from "../decode/decode-turn.ts";
import type { TurnResult } from "../decode/fold-turn.ts";
import type { DecodeContext, TurnRequest } from "../decode/turn-request.ts";
import { describeTool, type Tool } from "../tools/index.ts";
import {
  addUsage,
  type Call,
  type FinishReason,
  isAborted,
  type RunEndReason,
  type RunEvent,
  type TurnEvent,
} from "../vocabulary/index.ts";
import { announcesAction } from "./announced-action.ts";
import { answerCalls, tellModel } from "./answer-calls.ts";
import { assistantMessage, foldEvents } from "./run-messages.ts";
import { catalogueOf, type LoopEvent, type RunRequest, type RunState, startRun } from "./run-state.ts";
import { createTaskTool } from "./task-tool.ts";

/**
 * Runs turns until the model answers, a bound is reached or the signal aborts.
 * Throws `CallwrightError` for the caller's mistakes only, after a `run-end` of reason `error`.
 */
export async function* runLoop(context: DecodeContext, given: RunRequest): AsyncGenerator<RunEvent> {
  const request = withTasks(context, given);
  const controller = new AbortController();
  const state = startRun(context, request, controller.signal);
  const { session } = request;
  const place = (event: LoopEvent): RunEvent => {
    const placed = { ...event, runId: state.runId, turn: state.turn, at: Date.now() };
    session?.addEvent(placed);
    return placed;
  };
  const end = (reason: RunEndReason): RunEvent => {
    const event = place({ type: "run-end", reason, usage: state.usage });
    session?.endRun(state.runId, reason, state.usage);
    return event;
  };
  const abort = () => controller.abort(request.signal?.reason);
  if (request.signal?.aborted) abort();
  request.signal?.addEventListener("abort", abort, { once: true });
  try {
    yield place({ type: "run-start", model: context.model.info.id });
    let reason: RunEndReason | undefined;
    while (reason === undefined) {
      const turn = takeStep(context, request, state);
      let isLeft = true;
      try {
        let step = await turn.next();
        for (; !step.done; step = await turn.next()) yield place(step.value);
        reason = step.value;
        isLeft = false;
      } finally {
        // Whoever leaves half-way stops the turn too, which frees the model for the next request.
        if (isLeft) controller.abort();
        await turn.return(undefined);
      }
    }
    yield end(reason);
  } catch (error) {
    const reason = isAborted(error) ? "aborted" : "error";
    yield end(reason);
    if (reason === "error") throw error;
  } finally {
    request.signal?.removeEventListener("abort", abort);
    // Whoever stops listening stops the tools too.
    controller.abort();
  }
}

/** The task tool is a tool of the catalogue like the others, where there are agents to start. */
function withTasks(context: DecodeContext, request: RunRequest): RunRequest {
  const { subagents, tools } = request;
  if (subagents === undefined || subagents.agents.length === 0) return request;
  const task = createTaskTool({ context, request, subagents, run: runLoop });
  return { ...request, tools: () => [...(typeof tools === "function" ? tools() : tools), task] };
}

/** What an earlier run left to do, else a turn. Returns why the run ends, or undefined where it goes on. */
async function* takeStep(
  context: DecodeContext,
  request: RunRequest,
  state: RunState,
): AsyncGenerator<LoopEvent, RunEndReason | undefined> {
  const { pending } = state;
  if (pending.length > 0) {
    state.pending = [];
    const names = pending.map(({ name }) => name).join(", ");
    yield { type: "notice", code: "resumed", text: `Going on with calls that had not begun: ${names}.` };
    return yield* answerCalls(request, pending, undefined, state);
  }
  state.turn += 1;
  return yield* takeTurn(context, request, state);
}

/** One turn and its calls. Returns why the run ends, or undefined where it goes on. */
async function* takeTurn(
  context: DecodeContext,
  request: RunRequest,
  state: RunState,
): AsyncGenerator<LoopEvent, RunEndReason | undefined> {
  if (state.endsBy === undefined && state.turn >= state.limits.steps) {
    state.endsBy = "step-limit";
    yield { type: "notice", code: "step-limit", text: `Turn ${state.turn} is the last: no tools.` };
  }
  const spent = spentBudget(state);
  if (state.endsBy === undefined && spent !== undefined) {
    state.endsBy = "budget";
    yield {
      type: "notice",
      code: "budget",
      text: `Turn ${state.turn} is the last, without tools: ${spent}.`,
    };
  }
  const offered = catalogueOf(request, state.gate);
  const events: TurnEvent[] = [];
  for await (const event of decodeTurn(context, turnRequest(context, request, state, offered))) {
    events.push(event);
    if (!state.isRepeated(event)) yield event;
  }
  const result = await foldEvents(events);
  state.usage = addUsage(state.usage, result.usage);
  const message = assistantMessage(result);
  // What was broken off is asked for again when the session goes on.
  if (result.finish !== "aborted") request.session?.addTurn(state.runId, state.turn, message);
  state.messages = [...state.messages, message];
  state.mustCall = false;
  if (result.finish !== "calls") {
    if (yield* nudge(request, result, offered, state)) return undefined;
    return result.finish === "stop" ? (state.endsBy ?? "done") : endReason(result.finish);
  }
  const reason = yield* answerCalls(request, result.calls, offered, state);
  return reason ?? (yield* judgeStop(request, result.calls, state));
}

function* judgeStop(
  request: RunRequest,
  calls: readonly Call[],
  state: RunState,
): Generator<LoopEvent, RunEndReason | undefined> {
  const { turn: turns, messages, usage } = state;
  const stop = request.stopWhen?.({ turns, calls, messages, usage }) ?? false;
  if (stop === false) return undefined;
  const text = stop === true ? "The caller's condition to stop is met." : stop;
  yield { type: "notice", code: "stopped", text };
  return "stopped";
}

/** Which budget of the run is spent, in words. */
function spentBudget({ limits, usage, started }: RunState): string | undefined {
  const { prefilled, forced, drafted, sampled } = usage.tokens;
  const tokens = prefilled + forced + drafted + sampled;
  if (tokens >= limits.tokens) return `${tokens} tokens are spent`;
  const milliseconds = Math.round(performance.now() - started);
  return milliseconds >= limits.milliseconds ? `${milliseconds / 1000} s are spent` : undefined;
}

function turnRequest(
  context: DecodeContext,
  request: RunRequest,
  state: RunState,
  offered: readonly Tool[],
): TurnRequest {
  const {
    tools: _tools,
    limits: _limits,
    permissions: _permissions,
    stopWhen: _stopWhen,
    session: _session,
    approvals: _approvals,
    subagents: _subagents,
    toolChoice,
    ...rest
  } = request;
  // A call that was asked for has been made after the first turn; demanding it for ever would never end.
  const first = state.turn === 1 ? (toolChoice ?? "auto") : toolChoice === "none" ? "none" : "auto";
  return {
    ...rest,
    messages: state.messages,
    tools: offered.map((tool) => describeTool(tool, context.profile)),
    toolChoice: state.endsBy !== undefined ? "none" : state.mustCall ? "required" : first,
    run: { ...state.own.describe(offered), withheld: state.withheld },
    signal: state.signal,
  };
}

/** A turn that only says what it is about to do is asked, once in a run, to do it. */
function* nudge(
  request: RunRequest,
  result: TurnResult,
  offered: readonly Tool[],
  state: RunState,
): Generator<LoopEvent, boolean> {
  const mayCall =
    offered.length > 0 && (request.toolChoice ?? "auto") !== "none" && state.endsBy === undefined;
  if (result.finish !== "stop" || state.wasNudged || !mayCall || !announcesAction(result.text)) return false;
  const text = "Do it now: make the call.";
  state.wasNudged = true;
  state.mustCall = true;
  tellModel(request, state, text);
  yield { type: "notice", code: "call-missing", text };
  return true;
}

function endReason(finish: Exclude<FinishReason, "calls" | "stop">): RunEndReason {
  switch (finish) {
    case "content-filter":
      return "error";
    case "length":
    case "invalid":
    case "aborted":
      return finish;
    default:
      return finish satisfies never;
  }
}
