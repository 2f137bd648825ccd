// What the parts of decoding one turn share: who decodes, what is asked, and the count of what it cost.
import type {
  Constraint,
  ConstraintRequest,
  Format,
  OfferedTool,
  Opener,
  PromptPart,
} from "../formats/index.ts";
import type { Model } from "../models/model.ts";
import type { Profile, Sampling } from "../models/profile.ts";
import type { CompileOptions } from "../schema-grammar/index.ts";
import type { FinishReason, InvalidAttempt } from "../vocabulary/index.ts";
import type { AnswerRule } from "./answer-form.ts";
import { cachedConstraint } from "./cached-constraint.ts";
import { compileTools } from "./compile-tools.ts";
import type { Ground } from "./ground-values.ts";
import type { Levers } from "./levers.ts";
import type { ReasoningPlan } from "./plan-reasoning.ts";
import type { TurnAccount } from "./turn-account.ts";

export interface Turn {
  readonly model: Model;
  readonly profile: Profile;
  readonly levers: Levers;
  readonly reasoning: ReasoningPlan;
  /** Formats whose openers are watched for; the first is what is forced and what history is written in. */
  readonly formats: readonly [Format, ...Format[]];
  /** All offered tools. */
  readonly tools: readonly OfferedTool[];
  readonly parallel: boolean;
  /** How schemas are compiled for this turn, but for the layout. */
  readonly compile: CompileOptions;
  readonly seed: number;
  /** Tokens the whole reply may have. */
  readonly maxTokens: number;
  readonly account: TurnAccount;
  /** What an answer has to be; absent: free text. */
  readonly answer?: AnswerRule;
  /** How many rivals of each token of the text are told. */
  readonly logprobs?: number;
  /** The newest user message; empty where there is none. */
  readonly asked: string;
  /** What optional arguments need ground in; absent where the profile does not ask for it. */
  readonly ground?: Ground;
  readonly signal?: AbortSignal;
  /** Every refused attempt so far. */
  readonly refused: InvalidAttempt[];
  /** The calls delivered so far, tools' names by call key: none of them comes twice. */
  readonly delivered: Map<string, string>;
}

/** One prompt of a turn and what of the reply is decided. A turn has a second one when the model is told what was wrong. */
export interface Attempt {
  readonly prompt: readonly PromptPart[];
  /** UTF-16 units of the prompt that are the same for every conversation with this system text and these tools. */
  readonly stablePrefix?: () => number;
  readonly callable: readonly OfferedTool[];
  /** Those of them that the grammar lets a call name, where these are fewer. */
  readonly candidates?: readonly OfferedTool[];
  /** Whether a call has to come. */
  readonly mustCall: boolean;
  /** Whether the reply may not even begin like a call. */
  readonly forbidsCalls?: boolean;
}

/** How an attempt ended: for good, or with a call that was refused. */
export type AttemptOutcome =
  | { readonly type: "finished"; readonly finish: FinishReason }
  | { readonly type: "refused"; readonly attempt: InvalidAttempt };

/** What may follow an opener in this attempt. Each format lays arguments out in its own way. */
export function constraintOf(
  turn: Pick<Turn, "profile" | "model" | "compile" | "parallel" | "levers">,
  attempt: Attempt,
  opened: { readonly format: Format; readonly opener: Opener },
): Constraint {
  return cachedConstraint(opened.format, constraintRequest(turn, attempt, opened));
}

const anyObject = { type: "object", additionalProperties: true } as const;

/** What a format needs to say that. */
export function constraintRequest(
  turn: Pick<Turn, "profile" | "model" | "compile" | "parallel" | "levers">,
  attempt: Attempt,
  opened: { readonly format: Format; readonly opener: Opener },
): ConstraintRequest {
  const { parallel, profile, compile } = turn;
  const { spacing } = profile.calls;
  const { controlTokens: specialTokens } = turn.model.info;
  const layout = opened.format.argumentsLayout({ parallel, spacing, specialTokens });
  const callable =
    turn.levers.grammar === "names"
      ? attempt.callable.map((tool) => ({ ...tool, inputSchema: anyObject }))
      : attempt.callable;
  const { tools } = compileTools(callable, { compile: { ...compile, layout }, onBadTool: "refuse" });
  return {
    tools,
    parallel,
    spacing,
    opener: opened.opener,
    specialTokens,
  };
}

/** Tokens that may still be spent. All retries together get as many as the profile says, and no more than a reply. */
export function tokensLeft(turn: Turn): number {
  const { replyTokens, attempts } = turn.account;
  const forRetries = attempts <= 1 ? 0 : Math.min(turn.profile.retry.tokens, turn.maxTokens);
  return Math.max(0, turn.maxTokens + forRetries - replyTokens);
}

/** Whether one more decoding attempt is allowed. */
export function mayTryAgain(turn: Turn): boolean {
  return turn.account.attempts < turn.profile.retry.attempts && tokensLeft(turn) > 0;
}

/** Whether going back to a fault is allowed and possible: the last attempt is kept for saying what is wrong. */
export function mayGoBack(turn: Turn): boolean {
  const { rewind, askAgain } = turn.levers;
  if (!turn.model.info.continuesPrefix) return false;
  const kept = askAgain ? 1 : 0;
  return rewind && mayTryAgain(turn) && turn.account.attempts + kept < turn.profile.retry.attempts;
}

/** The sampling of a call's attempt: the profile's own at first, then its schedule of temperatures. */
export function callSampling(turn: Turn): Sampling {
  const base = turn.profile.sampling.call;
  const { temperatures } = turn.profile.retry;
  const attempt = turn.account.attempts;
  if (attempt <= 1 || temperatures.length === 0) return base;
  const temperature = temperatures[Math.min(attempt, temperatures.length) - 1] ?? base.temperature;
  return { ...base, temperature: Math.max(temperature, base.temperature) };
}

/** The seed of the current attempt, so that a retry does not draw what was refused. */
export function attemptSeed(turn: Turn): number {
  return turn.seed + (turn.account.attempts - 1) * 0x9e37;
}

let lastCallId = 0;

/** An id that no other call of this process has. */
export function newCallId(): string {
  lastCallId += 1;
  return `call_${Date.now().toString(36)}${lastCallId.toString(36).padStart(4, "0")}`;
}
