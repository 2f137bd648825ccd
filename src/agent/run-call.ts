// Runs one call with its deadline and turns whatever happens into exactly one result.
// Knows nothing of turns, of other calls or of the loop.
import { checkCall } from "../decode/check-call.ts";
import type { Session } from "../journal/index.ts";
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from "../tools/index.ts";
import type { Call, JsonObject, Message, RunOnlyEvent, ToolOutcome } from "../vocabulary/index.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { describeFaults } from "./describe-faults.ts";
import { PermissionDenied, type PermissionGate } from "./permission-gate.ts";
import { readResult } from "./read-result.ts";

export interface CallSetting {
  readonly runId: string;
  readonly turn: number;
  readonly messages: readonly Message[];
  /** The catalogue as it is now, which may differ from what the model was offered. */
  readonly tools: readonly Tool[];
  readonly offered: readonly string[];
  readonly gate: PermissionGate;
  readonly milliseconds: number;
  readonly signal: AbortSignal;
  readonly emit: (event: RunOnlyEvent) => void;
  /** Shortens what the model is shown to its share of the window. */
  readonly shorten: (text: string) => Promise<string>;
  /** Where each step of the call is written before it is taken. */
  readonly record?: Pick<Session, "setCallState" | "endCall">;
  /** A call of an earlier run, whose tool may have changed since: its arguments are checked again. */
  readonly isOld?: boolean;
}

export interface CallResult {
  readonly outcome: ToolOutcome;
  /** What the model is shown. */
  readonly content: string;
  readonly metadata?: JsonObject;
}

/** Executes a call and reports it by `tool-start` and one `tool-end`. Rejects only where it cannot be recorded. */
export async function runCall(call: Call, setting: CallSetting): Promise<CallResult> {
  setting.emit({ type: "tool-start", callId: call.id, name: call.name, input: call.input });
  let isRunning = true;
  // A tool that goes on after its end has nobody to report to.
  const emit = (event: RunOnlyEvent) => {
    if (isRunning) setting.emit(event);
  };
  const result = await answer(call, { ...setting, emit });
  isRunning = false;
  const shown = { ...result, content: await setting.shorten(result.content) };
  setting.record?.endCall(call.id, shown);
  setting.emit({ type: "tool-end", callId: call.id, name: call.name, ...shown });
  return shown;
}

/** A result for a call that is not executed, reported the same way. */
export function refuseCall(call: Call, setting: CallSetting, content: string): CallResult {
  const result: CallResult = { outcome: "failed", content };
  setting.record?.endCall(call.id, result);
  setting.emit({ type: "tool-start", callId: call.id, name: call.name, input: call.input });
  setting.emit({ type: "tool-end", callId: call.id, name: call.name, ...result });
  return result;
}

async function answer(call: Call, setting: CallSetting): Promise<CallResult> {
  const tool = setting.tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return answerMissing(call, setting);
  if (tool.execute === undefined) {
    return { outcome: "failed", content: `The tool "${call.name}" cannot be run here.` };
  }
  if (setting.signal.aborted) return { outcome: "interrupted", content: "Interrupted before it began." };
  const faults = setting.isOld ? checkCall(call, [tool]) : [];
  if (faults.length > 0) return { outcome: "failed", content: describeFaults(tool, call, faults) };
  const milliseconds = tool.milliseconds?.(call.input) ?? setting.milliseconds;
  const deadline = createDeadline(setting.signal, milliseconds);
  try {
    const context = toolContext(call, setting, deadline);
    const result = await Promise.race([execute(tool, call, setting, context), deadline.reached]);
    return readResult(tool, result);
  } catch (error) {
    return describeError(error, { call, setting, lateAfter: deadline.isOver() ? milliseconds : undefined });
  } finally {
    deadline.clear();
  }
}

/** A tool that asks for nothing itself is asked about where the caller's rules speak of it. */
async function execute(
  tool: Tool,
  call: Call,
  setting: CallSetting,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  if (tool.permissions === undefined) {
    if (setting.gate.hasRuleFor(tool.name)) {
      await context.ask({ permission: tool.name, patterns: [JSON.stringify(call.input)] });
    } else setting.record?.setCallState(call.id, "running");
  }
  return tool.execute?.(call.input, context);
}

function answerMissing(call: Call, setting: CallSetting): CallResult {
  if (setting.offered.includes(call.name)) {
    return { outcome: "stale", content: `The tool "${call.name}" is no longer available.` };
  }
  const names = setting.tools.map((tool) => tool.name).join(", ");
  return { outcome: "failed", content: `There is no tool "${call.name}". Tools: ${names}.` };
}

function toolContext(call: Call, setting: CallSetting, deadline: Deadline): ToolContext {
  const { signal } = deadline;
  let hasBegun = false;
  /** What was allowed may be done from now on: that it began is written first, once. */
  const begin = (wasAsked: boolean) => {
    if (hasBegun) return;
    hasBegun = true;
    if (wasAsked) setting.record?.setCallState(call.id, "allowed");
    setting.record?.setCallState(call.id, "running");
  };
  return {
    runId: setting.runId,
    turn: setting.turn,
    callId: call.id,
    signal,
    messages: setting.messages,
    // The time that a person thinks is not the tool's.
    ask: async (request) => {
      let wasAsked = false;
      const emit = (event: RunOnlyEvent) => {
        wasAsked = true;
        setting.emit(event);
      };
      await deadline.without(() =>
        setting.gate.ask({ ...request, callId: call.id, tool: call.name, signal }, emit),
      );
      signal.throwIfAborted();
      if (request.more !== true) begin(wasAsked);
    },
    isAllowed: (request) => setting.gate.isAllowed({ ...request, tool: call.name }),
    progress: (text) => setting.emit({ type: "tool-progress", callId: call.id, text }),
  };
}

function describeError(
  error: unknown,
  { call, setting, lateAfter }: { call: Call; setting: CallSetting; lateAfter: number | undefined },
): CallResult {
  if (setting.signal.aborted) return { outcome: "interrupted", content: "Interrupted before it ended." };
  if (lateAfter !== undefined) {
    const seconds = lateAfter / 1000;
    return { outcome: "failed", content: `"${call.name}" was stopped: it took longer than ${seconds} s.` };
  }
  if (error instanceof PermissionDenied) return { outcome: "denied", content: error.message };
  if (error instanceof ToolFailure) return { outcome: "failed", content: error.message };
  const message = textOf(error instanceof Error ? error.message : error);
  const stack = error instanceof Error ? textOf(error.stack ?? message) : message;
  const line = message.split("\n")[0] ?? "";
  return { outcome: "crashed", content: `"${call.name}" crashed: ${line}`, metadata: { stack } };
}

/** What a tool throws may be anything, even what has no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "it threw what cannot be written as text";
  }
}
