// The calls of one turn: run, answered, and judged by what came of them. Says whether and why the run ends.
import type { Tool } from "../tools/index.ts";
import type { Call, RunEndReason } from "../vocabulary/index.ts";
import { type CallResult, type CallSetting, refuseCall, runCall } from "./run-call.ts";
import { runCalls } from "./run-calls.ts";
import { toolMessage } from "./run-messages.ts";
import { catalogueOf, type LoopEvent, type RunRequest, type RunState } from "./run-state.ts";

const noResult: CallResult = { outcome: "interrupted", content: "No result." };

/** `offered`: the catalogue of the turn that made the calls; absent for calls of an earlier run. */
export async function* answerCalls(
  request: RunRequest,
  calls: readonly Call[],
  offered: readonly Tool[] | undefined,
  state: RunState,
): AsyncGenerator<LoopEvent, RunEndReason | undefined> {
  const tools = state.own.add(catalogueOf(request, state.gate));
  const offeredNames = (offered ?? tools).map((tool) => tool.name);
  let hasSpentTool = false;
  const results = yield* runCalls({
    calls,
    tools,
    run: async (call, emit) => {
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
        isOld: offered === undefined,
        ...(request.session === undefined ? {} : { record: request.session }),
      };
      if (state.guard.admits(call.name)) return runCall(call, setting);
      hasSpentTool = true;
      return refuseCall(call, setting, `"${call.name}" may not be called again in this run.`);
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
  yield* guardLoop({ request, calls, results, tools, state });
  return undefined;
}

function* guardLoop(options: {
  readonly request: RunRequest;
  readonly calls: readonly Call[];
  readonly results: readonly CallResult[];
  readonly tools: readonly Tool[];
  readonly state: RunState;
}): Generator<LoopEvent, void> {
  const { request, calls, results, tools, state } = options;
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
  const hasOthers = catalogueOf(request, state.gate).some(
    ({ name }) => !calls.some((call) => call.name === name),
  );
  const verdict = state.guard.judge(round, hasOthers);
  state.withheld = verdict.type === "narrow" ? verdict.tools : [];
  switch (verdict.type) {
    case "go-on":
      return;
    case "narrow":
    case "correct":
      tellModel(request, state, verdict.text);
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

/** Says something to the model as the user would; written before it is said. */
export function tellModel(request: RunRequest, state: RunState, text: string): void {
  const message = { role: "user", content: text } as const;
  request.session?.addMessage(state.runId, state.turn, message);
  state.messages = [...state.messages, message];
}
