// The bounded loop: turns until done. What a turn is, `decode-turn` knows; what a call does, its tool.
// Everything that happens is an event, and a run ends in exactly one `run-end`.
import { randomUUID } from "node:crypto";
import { decodeTurn } from "../decode/decode-turn.ts";
import type { TurnResult } from "../decode/fold-turn.ts";
import type { DecodeContext, TurnRequest } from "../decode/turn-request.ts";
import { describeTool, type Tool } from "../tools/index.ts";
import {
  addUsage,
  type Call,
  emptyUsage,
  type FinishReason,
  isAborted,
  type Message,
  type RunEndReason,
  type RunEvent,
  type RunOnlyEvent,
  type TurnEvent,
  type Usage,
} from "../vocabulary/index.ts";
import { announcesAction } from "./announced-action.ts";
import { createLoopGuard, type LoopGuard } from "./loop-guard.ts";
import { createPermissionGate, type PermissionGate, type PermissionPolicy } from "./permission-gate.ts";
import { type CallResult, type CallSetting, refuseCall, runCall } from "./run-call.ts";
import { runCalls } from "./run-calls.ts";
import { defaultRunLimits, type RunLimits } from "./run-limits.ts";
import { assistantMessage, foldEvents, toolMessage } from "./run-messages.ts";
import { createRunTools, type RunTools } from "./run-tools.ts";
import { createRepetitionFilter } from "./standing-notices.ts";

export interface RunRequest extends Omit<TurnRequest, "tools" | "run"> {
  /** The catalogue; a function is asked before each turn and before its calls run. */
  readonly tools: readonly Tool[] | (() => readonly Tool[]);
  readonly limits?: Partial<RunLimits>;
  /** Absent: what has to be asked for is denied. */
  readonly permissions?: PermissionPolicy;
}

/** What a run carries from turn to turn. */
interface RunState {
  readonly runId: string;
  readonly limits: RunLimits;
  readonly guard: LoopGuard;
  readonly gate: PermissionGate;
  readonly isRepeated: (event: TurnEvent) => boolean;
  readonly own: RunTools;
  readonly signal: AbortSignal;
  turn: number;
  messages: readonly Message[];
  usage: Usage;
  denials: number;
  wasNudged: boolean;
  mustCall: boolean;
  /** Set where a bound is reached: one more turn, without tools, so that an answer comes; then the run ends for this. */
  endsBy: RunEndReason | undefined;
}

const noResult: CallResult = { outcome: "interrupted", content: "No result." };

type LoopEvent = TurnEvent | RunOnlyEvent;

/**
 * Runs turns until the model answers, a bound is reached or the signal aborts.
 * Throws `CallwrightError` for the caller's mistakes only, after a `run-end` of reason `error`.
 */
export async function* runLoop(context: DecodeContext, request: RunRequest): AsyncGenerator<RunEvent> {
  const controller = new AbortController();
  const state = startRun(context, request, controller.signal);
  const place = (event: LoopEvent): RunEvent => ({
    ...event,
    runId: state.runId,
    turn: state.turn,
    at: Date.now(),
  });
  const abort = () => controller.abort(request.signal?.reason);
  if (request.signal?.aborted) abort();
  request.signal?.addEventListener("abort", abort, { once: true });
  try {
    yield place({ type: "run-start", model: context.model.info.id });
    let reason: RunEndReason | undefined;
    while (reason === undefined) {
      state.turn += 1;
      const turn = takeTurn(context, request, state);
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
    yield place({ type: "run-end", reason, usage: state.usage });
  } catch (error) {
    const reason = isAborted(error) ? "aborted" : "error";
    yield place({ type: "run-end", reason, usage: state.usage });
    if (reason === "error") throw error;
  } finally {
    request.signal?.removeEventListener("abort", abort);
    // Whoever stops listening stops the tools too.
    controller.abort();
  }
}

function startRun(context: DecodeContext, request: RunRequest, signal: AbortSignal): RunState {
  const limits = { ...defaultRunLimits, ...request.limits };
  const gate = createPermissionGate(request.permissions);
  return {
    runId: randomUUID(),
    limits,
    guard: createLoopGuard(limits),
    gate,
    isRepeated: createRepetitionFilter(),
    own: createRunTools({ context, messages: request.messages, catalogue: () => catalogueOf(request, gate) }),
    signal,
    turn: 0,
    messages: request.messages,
    usage: emptyUsage,
    denials: 0,
    wasNudged: false,
    mustCall: false,
    endsBy: undefined,
  };
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
  const offered = catalogueOf(request, state.gate);
  const events: TurnEvent[] = [];
  for await (const event of decodeTurn(context, turnRequest(context, request, state, offered))) {
    events.push(event);
    if (!state.isRepeated(event)) yield event;
  }
  const result = await foldEvents(events);
  state.usage = addUsage(state.usage, result.usage);
  state.messages = [...state.messages, assistantMessage(result)];
  state.mustCall = false;
  if (result.finish !== "calls") {
    if (yield* nudge(request, result, offered, state)) return undefined;
    return result.finish === "stop" ? (state.endsBy ?? "done") : endReason(result.finish);
  }
  return yield* answerCalls(request, result.calls, offered, state);
}

/** A tool that a rule denies altogether is not there at all. */
function catalogueOf(request: RunRequest, gate: PermissionGate): readonly Tool[] {
  const tools = typeof request.tools === "function" ? request.tools() : request.tools;
  return tools.filter((tool) => gate.hides(tool) === undefined);
}

function turnRequest(
  context: DecodeContext,
  request: RunRequest,
  state: RunState,
  offered: readonly Tool[],
): TurnRequest {
  const { tools: _tools, limits: _limits, permissions: _permissions, toolChoice, ...rest } = request;
  // A call that was asked for has been made after the first turn; demanding it for ever would never end.
  const first = state.turn === 1 ? (toolChoice ?? "auto") : toolChoice === "none" ? "none" : "auto";
  return {
    ...rest,
    messages: state.messages,
    tools: offered.map((tool) => describeTool(tool, context.profile)),
    toolChoice: state.endsBy !== undefined ? "none" : state.mustCall ? "required" : first,
    run: state.own.describe(offered),
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
  state.messages = [...state.messages, { role: "user", content: text }];
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

async function* answerCalls(
  request: RunRequest,
  calls: readonly Call[],
  offered: readonly Tool[],
  state: RunState,
): AsyncGenerator<LoopEvent, RunEndReason | undefined> {
  const tools = state.own.add(catalogueOf(request, state.gate));
  const offeredNames = offered.map((tool) => tool.name);
  let hasSpentTool = false;
  const results = yield* runCalls({
    calls,
    tools,
    run: (call, emit) => {
      const setting: CallSetting = {
        runId: state.runId,
        turn: state.turn,
        messages: state.messages,
        tools,
        offered: offeredNames,
        gate: state.gate,
        milliseconds: state.limits.toolMilliseconds,
        signal: state.signal,
        emit,
        shorten: (text) => state.own.shorten(call, text),
      };
      if (state.guard.admits(call.name)) return runCall(call, setting);
      hasSpentTool = true;
      return Promise.resolve(
        refuseCall(call, setting, `"${call.name}" may not be called again in this run.`),
      );
    },
  });
  state.messages = [
    ...state.messages,
    ...calls.map((call, at) => toolMessage(call, results[at] ?? noResult)),
  ];
  if (state.signal.aborted) return "aborted";
  state.denials += results.filter((result) => result.outcome === "denied").length;
  if (state.denials >= state.limits.denials) {
    state.endsBy = "denied";
    yield { type: "notice", code: "denied", text: `No more tools: ${state.denials} calls were denied.` };
    return undefined;
  }
  if (hasSpentTool) {
    state.endsBy = "loop";
    const text = `No more tools: one was called more than ${state.limits.callsPerTool} times.`;
    yield { type: "notice", code: "tool-budget", text };
    return undefined;
  }
  yield* guardLoop(calls, results, tools, state);
  return undefined;
}

function* guardLoop(
  calls: readonly Call[],
  results: readonly CallResult[],
  tools: readonly Tool[],
  state: RunState,
): Generator<LoopEvent, void> {
  const round = calls.map((call, at) => {
    const identity = tools.find((tool) => tool.name === call.name)?.identity;
    const { content, outcome } = results[at] ?? noResult;
    return {
      name: call.name,
      input: call.input,
      content,
      outcome,
      ...(identity === undefined ? {} : { identity }),
    };
  });
  const verdict = state.guard.judge(round);
  switch (verdict.type) {
    case "go-on":
      return;
    case "correct":
      state.messages = [...state.messages, { role: "user", content: verdict.text }];
      yield { type: "notice", code: "loop-warning", text: verdict.text };
      return;
    case "stop":
      state.endsBy = "loop";
      yield { type: "notice", code: "loop", text: verdict.text };
      return;
    default:
      verdict satisfies never;
  }
}
