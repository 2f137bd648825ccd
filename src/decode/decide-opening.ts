// Whether a turn opens a call: the one place that reads `calls.decision` of the profile.
// `greedy` leaves it to the model's own next tokens. `score` asks how much probability the beginnings of calls hold
// together at this place, adds how much of a tool's name the request speaks of, and compares with the profile's threshold.
import type { ConstraintRequest, Format, Opener, PromptPart } from "../formats/index.ts";
import type { TurnEvent } from "../vocabulary/index.ts";
import { forcedStart } from "./cached-constraint.ts";
import type { OpenedCalls } from "./decode-calls.ts";
import { generateFreeText } from "./free-text.ts";
import { nameShare } from "./likely-tools.ts";
import { type Attempt, constraintRequest, type Turn } from "./turn.ts";

export type Opening =
  /** Let the model write, and watch for an opener. */
  { readonly type: "watch" } | { readonly type: "call" | "text"; readonly mass: number };

/** How a call of one tool begins in one format: from the opener up to the tool's name. */
export interface CallBeginning {
  readonly opener: Opener;
  readonly text: string;
}

/** Where an ordinary fence or brace stands, this much of the probability has to lie on a call's own beginning. */
const confirmation = 0.5;

/** Yields the progress of the prompt's evaluation, which happens here where a score is asked for. */
export async function* decideOpening(place: {
  readonly turn: Turn;
  readonly attempt: Attempt;
  readonly prefix: readonly PromptPart[];
}): AsyncGenerator<TurnEvent, Opening> {
  const { turn, attempt, prefix } = place;
  const { decision } = turn.profile.calls;
  const isForced = decision.kind === "score" && turn.levers.forceOpening;
  if (!isForced || attempt.callable.length === 0 || !canScore(turn)) return { type: "watch" };
  yield* evaluatePrompt(place);
  // A model that would call something which is not offered does not want one of these tools, so names count.
  const scores = await turn.model.score({
    prompt: attempt.prompt,
    prefix,
    continuations: callBeginnings(turn, attempt).map(({ opener, text }) => ({
      text,
      special: opener.special,
    })),
    ...(turn.signal ? { signal: turn.signal } : {}),
  });
  const mass = scores.reduce((sum, score) => sum + Math.exp(score), 0);
  const score = logOdds(mass) + decision.nameWeight * nameShare(turn.asked, attempt.callable);
  return { type: score >= logOdds(decision.threshold) ? "call" : "text", mass };
}

/** 0 and 1 are taken for what is nearly so. */
function logOdds(probability: number): number {
  const kept = Math.min(Math.max(probability, 1e-4), 1 - 1e-4);
  return Math.log(kept / (1 - kept));
}

/** Brings the prompt into the sequence, with progress and counts, before anything is asked about it. */
async function* evaluatePrompt({
  turn,
  attempt,
  prefix,
}: {
  readonly turn: Turn;
  readonly attempt: Attempt;
  readonly prefix: readonly PromptPart[];
}): AsyncGenerator<TurnEvent, void> {
  const events = generateFreeText(turn, attempt, {
    prefix,
    sampling: turn.profile.sampling.text,
    maxTokens: 0,
  });
  for await (const event of events) yield* turn.account.count(event);
}

/** Whether an opener that ordinary text may hold as well really begins a call. */
export async function confirmOpening(turn: Turn, attempt: Attempt, opened: OpenedCalls): Promise<boolean> {
  if (opened.opener.strength === "certain" || !canScore(turn)) return true;
  const forced = forcedStart(opened.format, callRequest(turn, attempt, opened));
  if (forced === "") return true;
  const [score = 0] = await turn.model.score({
    prompt: attempt.prompt,
    prefix: opened.prefix,
    continuations: [{ text: forced, special: opened.opener.special }],
    ...(turn.signal ? { signal: turn.signal } : {}),
  });
  return Math.exp(score) >= confirmation;
}

/** The ways in which this model begins a call of any of the tools, in all its formats. */
export function callBeginnings(turn: Turn, attempt: Attempt): readonly CallBeginning[] {
  return turn.formats.flatMap((format) =>
    format.openers.flatMap((opener) => {
      const request = callRequest(turn, attempt, { format, opener });
      return request.tools.flatMap((tool) => {
        const forced = forcedStart(format, { ...request, tools: [tool] });
        const nameEnd = forced.indexOf(tool.name) + tool.name.length;
        return nameEnd < tool.name.length ? [] : [{ opener, text: opener.text + forced.slice(0, nameEnd) }];
      });
    }),
  );
}

function callRequest(
  turn: Turn,
  attempt: Attempt,
  opened: { readonly format: Format; readonly opener: Opener },
): ConstraintRequest {
  // A list, which is what is forced where calls may be several, is not how models begin by themselves.
  return constraintRequest({ ...turn, parallel: false }, attempt, opened);
}

/** A score is taken back afterwards, which a model that cannot take back its tail would have to pay for in full. */
function canScore(turn: Turn): boolean {
  return turn.model.info.givesProbabilities && turn.model.info.rollback === "any";
}
