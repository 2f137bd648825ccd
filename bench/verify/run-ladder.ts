// One ladder prompt in one turn, and which rungs of the repair ladder it took. Prompts tagged `open` run without the
// grammar, so that the model errs in every way; the others under it, where only keywords that no grammar sees go wrong.
import { decodeTurn } from "../../src/decode/decode-turn.ts";
import { foldTurn, type TurnResult } from "../../src/decode/fold-turn.ts";
import type { DecodeContext } from "../../src/decode/turn-request.ts";
import { resolveProfile } from "../../src/models/profile.ts";
import { createValidator } from "../../src/schema-grammar/validator.ts";
import type { Prompt } from "../../test/with-model/prompts/read-prompts.ts";
import { printTable } from "./print-table.ts";
import { hotProfile } from "./run-call.ts";

export interface LadderOutcome {
  readonly id: string;
  readonly kind: "open" | "residual";
  readonly model: string;
  readonly ending: "valid" | "delivered-invalid" | "call-invalid" | "length" | "none";
  /** How often each rung fired: repair, back to the fault, saying what is wrong, giving up. */
  readonly rungs: { readonly 2: number; readonly 3: number; readonly 4: number; readonly 5: number };
  readonly attempts: number;
  /** The profile's cap on them. */
  readonly attemptLimit: number;
  /** Tokens evaluated again by each return to the fault. */
  readonly reevaluated: readonly number[];
  readonly reason: string;
  readonly milliseconds: number;
}

/** Tokens of one turn, all attempts together: room for a few of an ordinary call's length. */
const maxTokens = 512;

export async function runLadderPrompt(
  context: DecodeContext,
  prompt: Prompt,
  options: { readonly seed?: number } = {},
): Promise<LadderOutcome> {
  const kind = prompt.tags.includes("open") ? "open" : "residual";
  // Left without a grammar, a model at temperature 1 makes the mistakes that repairs are for.
  const profile = kind === "open" ? resolveProfile(context.profile, hotProfile) : context.profile;
  const result = await foldTurn(
    decodeTurn(
      { ...context, profile },
      {
        messages: prompt.messages,
        tools: prompt.tools,
        toolChoice: "required",
        parallel: false,
        seed: options.seed ?? 1,
        maxTokens,
        levers: { grammar: kind === "open" ? "off" : "full" },
      },
    ),
  );
  return {
    id: prompt.id,
    kind,
    model: context.model.info.id,
    ...judge(result, prompt),
    rungs: {
      2: result.repairs.length,
      3: result.retries.filter(({ rung }) => rung === 3).length,
      4: result.retries.filter(({ rung }) => rung === 4).length,
      5: result.invalid === undefined ? 0 : 1,
    },
    attempts: result.usage.attempts,
    attemptLimit: context.profile.retry.attempts,
    reevaluated: result.retries.filter(({ rung }) => rung === 3).map(({ reevaluated }) => reevaluated),
    milliseconds: Math.round(result.usage.milliseconds.total),
  };
}

function judge(result: TurnResult, prompt: Prompt): Pick<LadderOutcome, "ending" | "reason"> {
  for (const call of result.calls) {
    const tool = prompt.tools.find(({ name }) => name === call.name);
    if (tool === undefined)
      return { ending: "delivered-invalid", reason: `tool ${call.name} was not offered` };
    const fault = createValidator(tool.inputSchema)(call.input)[0];
    if (fault === undefined) continue;
    return { ending: "delivered-invalid", reason: `${fault.pointer} ${fault.keyword}: ${fault.came}` };
  }
  if (result.calls.length > 0) return { ending: "valid", reason: "" };
  const fault = result.invalid?.at(-1)?.faults[0];
  if (result.invalid !== undefined) {
    return { ending: "call-invalid", reason: `${fault?.pointer ?? ""} ${fault?.keyword ?? "no call"}` };
  }
  if (result.finish === "length") return { ending: "length", reason: "" };
  return { ending: "none", reason: `finish ${result.finish}` };
}

/** Tokens that a return to the fault may evaluate again. */
const reevaluationLimit = 64;
const rungs = [2, 3, 4, 5] as const;

/** What must hold of each turn and does not, in words; none is wanted. */
export function ladderBreaches(outcomes: readonly LadderOutcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => {
    const costliest = Math.max(0, ...outcome.reevaluated);
    return [
      ...(outcome.attempts > outcome.attemptLimit
        ? [`${outcome.id}: ${outcome.attempts} attempts, at most ${outcome.attemptLimit} are allowed`]
        : []),
      ...(costliest > reevaluationLimit
        ? [`${outcome.id}: going back evaluated ${costliest} tokens again, at most ${reevaluationLimit}`]
        : []),
      ...(outcome.ending === "delivered-invalid"
        ? [`${outcome.id}: delivered invalid: ${outcome.reason}`]
        : []),
      ...(outcome.ending === "none"
        ? [`${outcome.id}: neither call nor call-invalid, ${outcome.reason}`]
        : []),
    ];
  });
}

/** Rungs that no turn took. Over the full set every one of them must have fired. */
export function unusedRungs(outcomes: readonly LadderOutcome[]): readonly number[] {
  return rungs.filter((rung) => outcomes.every((outcome) => outcome.rungs[rung] === 0));
}

export function printLadder(outcomes: readonly LadderOutcome[]): string {
  const names = new Set(outcomes.map(groupName));
  const rows = [...names].map((name) => {
    const group = outcomes.filter((outcome) => groupName(outcome) === name);
    return rowOf(name, group);
  });
  const head = [
    "model, set",
    "valid",
    "invalid",
    "cut",
    "rung 2",
    "rung 3",
    "rung 4",
    "rung 5",
    "attempts",
    "again",
  ];
  return printTable(head, rows, head.slice(1));
}

function groupName({ model, kind }: LadderOutcome): string {
  return `${model}, ${kind}`;
}

function rowOf(name: string, group: readonly LadderOutcome[]): readonly string[] {
  return [
    name,
    ...(["valid", "call-invalid", "length"] as const).map((ending) => count(group, ending)),
    ...rungs.map((rung) => String(group.reduce((sum, outcome) => sum + outcome.rungs[rung], 0))),
    String(Math.max(...group.map(({ attempts }) => attempts))),
    String(Math.max(0, ...group.flatMap(({ reevaluated }) => reevaluated))),
  ];
}

function count(group: readonly LadderOutcome[], ending: LadderOutcome["ending"]): string {
  return String(group.filter((outcome) => outcome.ending === ending).length);
}
