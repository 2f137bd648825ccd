// One hand-made prompt in one turn with `auto`, judged against the call that was written down for it.
// Knows nothing of how the model was opened or where the results go.
import { decodeTurn } from "../../src/decode/decode-turn.ts";
import { foldTurn, type TurnResult } from "../../src/decode/fold-turn.ts";
import type { DecodeContext } from "../../src/decode/turn-request.ts";
import type { Call } from "../../src/vocabulary/index.ts";
import { matchesExpected } from "../../test/with-model/prompts/match-expected.ts";
import type { PromptWithExpectation } from "../../test/with-model/prompts/read-prompts.ts";
import { percent, printTable } from "./print-table.ts";

export interface PromptOutcome {
  readonly id: string;
  readonly tags: readonly string[];
  /** Whether a call was wanted. */
  readonly wantsCall: boolean;
  readonly calls: readonly Call[];
  readonly text: string;
  readonly finish: string;
  readonly attempts: number;
  readonly ok: boolean;
  /** Whether the right tool was called, whatever the arguments. */
  readonly rightTool: boolean;
  readonly reason: string;
  readonly tokens: { readonly forced: number; readonly sampled: number };
  readonly milliseconds: number;
}

/** Tokens that a reply to one prompt may have: plenty for every expected call, and enough of small talk to judge it. */
const maxTokens = 384;

/** The call is right if it is the only one and both its name and its arguments are the expected ones. */
export async function runPrompt(
  context: DecodeContext,
  prompt: PromptWithExpectation,
  options: { readonly seed?: number } = {},
): Promise<PromptOutcome> {
  const result = await foldTurn(
    decodeTurn(context, {
      messages: prompt.messages,
      tools: prompt.tools,
      toolChoice: "auto",
      seed: options.seed ?? 1,
      maxTokens,
    }),
  );
  const { tokens, milliseconds } = result.usage;
  return {
    id: prompt.id,
    tags: prompt.tags,
    wantsCall: prompt.expected !== null,
    calls: result.calls,
    text: result.text,
    finish: result.finish,
    attempts: result.usage.attempts,
    ...judge(result, prompt),
    tokens: { forced: tokens.forced, sampled: tokens.sampled + tokens.drafted },
    milliseconds: Math.round(milliseconds.total),
  };
}

function judge(
  result: TurnResult,
  prompt: PromptWithExpectation,
): { readonly ok: boolean; readonly rightTool: boolean; readonly reason: string } {
  const { expected } = prompt;
  const [first, ...others] = result.calls;
  if (expected === null) {
    // A call that was tried and given up is an answer by a call too.
    if (first === undefined && result.invalid === undefined) return { ok: true, rightTool: true, reason: "" };
    return { ok: false, rightTool: false, reason: `called ${first?.name ?? "in vain"}` };
  }
  if (first === undefined) {
    return { ok: false, rightTool: false, reason: `no call, finish ${result.finish}` };
  }
  const rightTool = first.name === expected.name;
  if (others.length > 0)
    return { ok: false, rightTool, reason: `${result.calls.length} calls instead of one` };
  return { ...matchesExpected(first, expected), rightTool };
}

export interface PromptSummary {
  readonly wanted: number;
  readonly right: number;
  readonly rightTool: number;
  /** Of those that want one: how many opened a call, valid or given up. */
  readonly opened: number;
  /** Of those that want none: how many were answered with a call; and of the small talk among them. */
  readonly noCall: number;
  readonly called: number;
  readonly smallTalk: number;
  readonly talkedOver: number;
  /** Forced tokens among all tokens of the turns that called. */
  readonly forcedShare: number;
  readonly byTag: readonly { readonly tag: string; readonly right: number; readonly of: number }[];
}

/** What the full sets must reach on the default model: of 40 that want a call, and of 20 that want none. */
export const promptGoals = { right: 30, opened: 36, called: 4, talkedOver: 1, forcedShare: 0.4 } as const;

export function summarizePrompts(outcomes: readonly PromptOutcome[]): PromptSummary {
  const wanting = outcomes.filter(({ wantsCall }) => wantsCall);
  const noCall = outcomes.filter(({ wantsCall }) => !wantsCall);
  const smallTalk = noCall.filter(({ tags: own }) => own.includes("small-talk"));
  const calling = wanting.filter(({ calls }) => calls.length > 0);
  const forced = calling.reduce((sum, { tokens }) => sum + tokens.forced, 0);
  const all = calling.reduce((sum, { tokens }) => sum + tokens.forced + tokens.sampled, 0);
  const tags = [...new Set(wanting.flatMap((outcome) => outcome.tags))].sort();
  return {
    wanted: wanting.length,
    right: wanting.filter(({ ok }) => ok).length,
    rightTool: wanting.filter(({ rightTool }) => rightTool).length,
    opened: wanting.filter(({ calls, finish }) => calls.length > 0 || finish === "invalid").length,
    noCall: noCall.length,
    called: noCall.filter(({ ok }) => !ok).length,
    smallTalk: smallTalk.length,
    talkedOver: smallTalk.filter(({ ok }) => !ok).length,
    forcedShare: all === 0 ? 0 : forced / all,
    byTag: tags.map((tag) => {
      const tagged = wanting.filter((outcome) => outcome.tags.includes(tag));
      return { tag, right: tagged.filter(({ ok }) => ok).length, of: tagged.length };
    }),
  };
}

/** What the full sets must reach and do not, in words; none is wanted. */
export function promptBreaches(outcomes: readonly PromptOutcome[]): readonly string[] {
  const summary = summarizePrompts(outcomes);
  return [
    ...(summary.right < promptGoals.right
      ? [`${summary.right} right calls, wanted ${promptGoals.right}`]
      : []),
    ...(summary.opened < promptGoals.opened
      ? [`${summary.opened} opened a call, wanted ${promptGoals.opened}`]
      : []),
    ...(summary.called > promptGoals.called
      ? [`${summary.called} that want no call answered with one, at most ${promptGoals.called}`]
      : []),
    ...(summary.talkedOver > promptGoals.talkedOver
      ? [`${summary.talkedOver} of small talk answered with a call, at most ${promptGoals.talkedOver}`]
      : []),
    ...(summary.forcedShare < promptGoals.forcedShare
      ? [
          `${percent(summary.forcedShare, 1)} of the tokens forced, wanted ${percent(promptGoals.forcedShare, 1)}`,
        ]
      : []),
  ];
}

export function printPrompts(outcomes: readonly PromptOutcome[]): string {
  const summary = summarizePrompts(outcomes);
  const rows = outcomes.map((outcome) => [
    outcome.id,
    outcome.ok ? "right" : "wrong",
    percent(outcome.tokens.forced, outcome.tokens.forced + outcome.tokens.sampled),
    `${outcome.milliseconds} ms`,
    outcome.ok ? "" : outcome.reason.slice(0, 100),
  ]);
  const shared = summary.byTag.filter(({ of }) => of >= 5);
  return [
    printTable(["prompt", "verdict", "forced", "time", "what is wrong"], rows, ["forced", "time"]),
    "",
    `right tool and arguments: ${summary.right} of ${summary.wanted} (tool alone: ${summary.rightTool})`,
    ...shared.map(({ tag, right, of }) => `  ${tag}: ${right} of ${of}`),
    `opened a call where one was wanted: ${summary.opened} of ${summary.wanted}`,
    `answered with a call where none was wanted: ${summary.called} of ${summary.noCall}`,
    `  small talk: ${summary.talkedOver} of ${summary.smallTalk}`,
    `forced share of the calls' tokens: ${percent(summary.forcedShare, 1)}`,
  ].join("\n");
}
