// The one place where a run's permissions are decided: rules first, then whoever can be asked, one question at a time.
// What was denied is remembered. Knows nothing of how a person is asked.
import {
  defaultRules,
  hidingRule,
  type Judgement,
  judgeRequest,
  type PermissionRequest,
  type PermissionRule,
  type Tool,
  ToolFailure,
  writeRule,
} from "../tools/index.ts";
import type { RunOnlyEvent } from "../vocabulary/index.ts";
import { waitForAnswer } from "./wait-for-answer.ts";

/** Who may do what, as the caller of a run decides it. */
export interface PermissionPolicy {
  /** Rules over the defaults; the last that matches wins. */
  readonly rules?: readonly PermissionRule[];
  /** Asked where the rules say `ask`. It may take as long as `askMilliseconds`. Absent: nobody is there, which is a no. */
  allow?(request: AskedPermission): Answered | Promise<Answered>;
  /** Milliseconds after which a question without an answer is a no. Default: five minutes. */
  readonly askMilliseconds?: number;
}

type Answered = boolean | PermissionAnswer;

/** `always`: from now on the same is allowed without a question. A reason goes to the model. */
export type PermissionAnswer = "once" | "always" | "no" | { readonly no: string };

export interface AskedPermission extends PermissionRequest {
  readonly callId: string;
  readonly tool: string;
  readonly signal: AbortSignal;
}

/** What people said *always* to, kept beyond the run where there is a place for it. */
export interface Approvals {
  list(): readonly PermissionRule[];
  add(rules: readonly PermissionRule[]): void;
}

/** A permission that was not given: an answer to the model, not a crash. */
export class PermissionDenied extends ToolFailure {}

export interface PermissionGate {
  /** Resolves where it is allowed, rejects with `PermissionDenied` where not; reports only what somebody was really asked. */
  ask(request: AskedPermission, emit: (event: RunOnlyEvent) => void): Promise<void>;
  /** Whether the rules allow it as they are. */
  isAllowed(request: PermissionRequest & { readonly tool: string }): boolean;
  /** For a tool that asks for nothing itself: whether a rule that the caller gave has a say in it. */
  hasRuleFor(tool: string): boolean;
  /** The rule that hides a tool altogether. */
  hides(tool: Pick<Tool, "name" | "permissions">): PermissionRule | undefined;
}

const defaultAskMilliseconds = 5 * 60_000;

/** Makes the gate of one run. Without anybody to ask, what has to be asked for is denied. */
export function createPermissionGate(
  policy: PermissionPolicy | undefined,
  approvals: Approvals = createApprovals(),
): PermissionGate {
  const denied = new Set<string>();
  const given = policy?.rules ?? [];
  const rules = [...defaultRules, ...given];
  let lastQuestion: Promise<void> = Promise.resolve();

  const judge = (request: PermissionRequest & { readonly tool: string }): Judgement => {
    const judgement = judgeRequest(rules, request);
    // What people allowed once and for all answers questions; it does not undo a deny.
    if (judgement.action !== "ask") return judgement;
    const remembered = judgeRequest(approvals.list(), request);
    return remembered.action === "allow" ? remembered : judgement;
  };
  /** Whether it is settled already: true, or not yet. Throws where it is denied. */
  const isSettled = (request: AskedPermission): boolean => {
    if (denied.has(keyOf(request))) {
      throw new PermissionDenied(
        `Denied before and still denied: ${describe(request)}. Do not try this again.`,
      );
    }
    const { action, rule } = judge(request);
    if (action === "deny") {
      const by = rule === undefined ? "" : ` by the rule "${writeRule(rule)}"`;
      denied.add(keyOf(request));
      throw new PermissionDenied(`Permission denied${by}: ${describe(request)}. Do not try this again.`);
    }
    return action === "allow";
  };
  const question = async (request: AskedPermission, emit: (event: RunOnlyEvent) => void): Promise<void> => {
    // While this question waited for its turn, the answer to another may have settled it.
    if (isSettled(request)) return;
    const { callId, permission, patterns } = request;
    emit({ type: "permission-asked", callId, permission, patterns });
    const answer = await waitForAnswer(policy, request, policy?.askMilliseconds ?? defaultAskMilliseconds);
    const allowed = answer.type === "once" || answer.type === "always";
    if (answer.type === "always" && request.unclear === undefined) {
      approvals.add(patterns.map((pattern) => ({ permission, pattern, action: "allow" })));
    }
    emit({ type: "permission-answered", callId, allowed, answer: answer.type });
    if (allowed) return;
    denied.add(keyOf(request));
    const reason = answer.reason === undefined ? "Do not try this again." : answer.reason;
    throw new PermissionDenied(`Permission denied: ${describe(request)}. ${reason}`);
  };
  return {
    ask: async (request, emit) => {
      if (isSettled(request)) return;
      const turn = lastQuestion.then(() => question(request, emit));
      // The next question waits for this one, however it ends.
      lastQuestion = turn.then(
        () => undefined,
        () => undefined,
      );
      await turn;
    },
    isAllowed: (request) => !denied.has(keyOf(request)) && judge(request).action === "allow",
    hasRuleFor: (tool) =>
      given.some(
        (rule) => judgeRequest([rule], { tool, permission: tool, patterns: [""] }).rule !== undefined,
      ),
    hides: (tool) => hidingRule(rules, tool),
  };
}

/** Approvals that are kept as long as the object is. */
export function createApprovals(): Approvals {
  const rules: PermissionRule[] = [];
  return { list: () => rules, add: (more) => rules.push(...more) };
}

function keyOf({ tool, permission, patterns }: PermissionRequest & { readonly tool: string }): string {
  return JSON.stringify([tool, permission, patterns]);
}

function describe({ permission, patterns, unclear }: PermissionRequest): string {
  const what = [permission, ...patterns].join(" ");
  return unclear === undefined ? what : `${what} (${unclear})`;
}
