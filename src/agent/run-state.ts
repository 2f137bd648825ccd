// What a run is asked for, and what it carries from turn to turn.
import { randomUUID } from "node:crypto";
import type { DecodeContext, TurnRequest } from "../decode/turn-request.ts";
import type { Session } from "../journal/index.ts";
import type { Tool } from "../tools/index.ts";
import {
  type Call,
  CallwrightError,
  emptyUsage,
  type Message,
  type RunEndReason,
  type RunOnlyEvent,
  type TurnEvent,
  type Usage,
} from "../vocabulary/index.ts";
import { createLoopGuard, type LoopGuard } from "./loop-guard.ts";
import {
  type Approvals,
  createPermissionGate,
  type PermissionGate,
  type PermissionPolicy,
} from "./permission-gate.ts";
import { defaultRunLimits, type RunLimits } from "./run-limits.ts";
import { createRunTools, type RunTools } from "./run-tools.ts";
import { createRepetitionFilter } from "./standing-notices.ts";
import type { Subagents } from "./task-tool.ts";

export interface RunRequest extends Omit<TurnRequest, "tools" | "run"> {
  /** The catalogue; a function is asked before each turn and before its calls run. */
  readonly tools: readonly Tool[] | (() => readonly Tool[]);
  readonly limits?: Partial<RunLimits>;
  /** Absent: what has to be asked for is denied. */
  readonly permissions?: PermissionPolicy;
  /** Asked after each turn's calls; true, or a sentence that says why, ends the run there. */
  readonly stopWhen?: (progress: RunProgress) => boolean | string;
  /** A session that this process holds: its history comes before `messages`, and what happens is written to it first. */
  readonly session?: Session;
  /** What people said *always* to; the session's, else as long as the run. */
  readonly approvals?: Approvals;
  /** Agents that the model may give a part of its task to. */
  readonly subagents?: Subagents;
}

/** What a run has come to so far. */
export interface RunProgress {
  readonly turns: number;
  /** The calls of the latest turn. */
  readonly calls: readonly Call[];
  readonly messages: readonly Message[];
  readonly usage: Usage;
}

export interface RunState {
  readonly runId: string;
  readonly limits: RunLimits;
  readonly guard: LoopGuard;
  readonly gate: PermissionGate;
  readonly isRepeated: (event: TurnEvent) => boolean;
  readonly own: RunTools;
  readonly signal: AbortSignal;
  readonly started: number;
  turn: number;
  messages: readonly Message[];
  usage: Usage;
  denials: number;
  wasNudged: boolean;
  mustCall: boolean;
  /** Tools that may not be called in the next turn, since they would bring what is known. */
  withheld: readonly string[];
  /** Set where a bound is reached: one more turn, without tools, so that an answer comes; then the run ends for this. */
  endsBy: RunEndReason | undefined;
  /** Calls of an earlier run that had not begun when its process died. */
  pending: readonly Call[];
}

export type LoopEvent = TurnEvent | RunOnlyEvent;

/** The state before the first turn. Writes the run's start to its session. */
export function startRun(context: DecodeContext, request: RunRequest, signal: AbortSignal): RunState {
  const limits = { ...defaultRunLimits, ...request.limits };
  const { session } = request;
  const gate = createPermissionGate(request.permissions, request.approvals ?? session?.approvals);
  const runId = randomUUID();
  const { messages, pending } = openConversation(request);
  session?.startRun({ id: runId, model: context.model.info.id, messages: request.messages });
  return {
    runId,
    limits,
    guard: createLoopGuard(limits),
    gate,
    isRepeated: createRepetitionFilter(),
    own: createRunTools({
      context,
      messages,
      catalogue: () => catalogueOf(request, gate),
      ...(session === undefined ? {} : { session }),
    }),
    signal,
    started: performance.now(),
    turn: 0,
    messages,
    usage: emptyUsage,
    denials: 0,
    wasNudged: false,
    mustCall: false,
    withheld: [],
    endsBy: undefined,
    pending,
  };
}

/** A tool that a rule denies altogether is not there at all. */
export function catalogueOf(request: RunRequest, gate: PermissionGate): readonly Tool[] {
  const tools = typeof request.tools === "function" ? request.tools() : request.tools;
  return tools.filter((tool) => gate.hides(tool) === undefined);
}

/** Whoever says something new does not want the old calls any more; whoever says nothing wants them done. */
function openConversation({ session, messages }: RunRequest): Pick<RunState, "messages" | "pending"> {
  if (session === undefined) return { messages, pending: [] };
  if (messages.some(({ role }) => role === "assistant" || role === "tool")) {
    throw new CallwrightError("request-invalid", "A session has its own history: give only the new message.");
  }
  if (messages.some(({ role }) => role === "user")) {
    session.dropPendingCalls();
    return { messages: [...session.history(), ...messages], pending: [] };
  }
  const pending = session.pendingCalls();
  const ids = new Set(pending.map(({ id }) => id));
  // They get their results when they are run.
  const history = session.history().filter((message) => message.role !== "tool" || !ids.has(message.callId));
  const last = history.at(-1);
  if (last === undefined || last.role === "system" || (last.role === "assistant" && pending.length === 0)) {
    throw new CallwrightError("request-invalid", "The session has nothing left to do: give a prompt.");
  }
  return { messages: [...history, ...messages], pending };
}
