// One required call for one schema, and what became of it. The judge is ajv, asked again after the engine's own check.
// Knows nothing of where schemas come from or how results are kept.
import { decodeTurn } from "../../src/decode/decode-turn.ts";
import { foldTurn, type TurnResult } from "../../src/decode/fold-turn.ts";
import type { DecodeContext, TurnRequest } from "../../src/decode/turn-request.ts";
import type { PartialProfile } from "../../src/models/profile.ts";
import { compileSchema } from "../../src/schema-grammar/index.ts";
import { createValidator } from "../../src/schema-grammar/validator.ts";
import { CallwrightError } from "../../src/vocabulary/index.ts";
import type { ToolSchema } from "../draw-schemas.ts";
import { percent, printTable } from "./print-table.ts";

/**
 * Everything is sampled at temperature 1, so that the model tries what the grammar lets it try. Left alone, a model of
 * this size at that temperature never ends a string or a list, so both are capped where the schema leaves them open.
 */
export const hotProfile: PartialProfile = {
  calls: { stringLimit: 80, itemLimit: 4 },
  sampling: {
    call: { temperature: 1, topK: 0, topP: 1, minP: 0 },
    text: { temperature: 1, topK: 0, topP: 1, minP: 0 },
  },
  retry: { temperatures: [1] },
};

/**
 * `valid`: delivered at the first attempt, and valid. `repaired`: delivered and valid, but something was refused before.
 * `invalid`: delivered and not valid, or given up as `call-invalid`. `length`: cut by the token limit, nothing delivered.
 * `none`: the turn ended without any of these. `refused`: the schema was refused before generation, with the error's code.
 */
export type CallEnding = "valid" | "repaired" | "invalid" | "length" | "none" | "refused";

export interface CallOutcome {
  readonly id: string;
  readonly ending: CallEnding;
  /** Whether the compiler says that the grammar is the schema. */
  readonly exact: boolean;
  /** Whether it says that the grammar lets nothing through that the schema refuses; so of every exact one. */
  readonly sound: boolean;
  readonly reason: string;
  readonly tokens: { readonly forced: number; readonly sampled: number };
  readonly milliseconds: number;
}

export interface RunCallOptions {
  readonly seed: number;
  readonly maxTokens: number;
}

/** Faults of the schema are an outcome; whatever else is thrown goes on. */
export async function runCall(
  context: DecodeContext,
  item: ToolSchema,
  options: RunCallOptions,
): Promise<CallOutcome> {
  const nothing = {
    id: item.id,
    exact: false,
    sound: false,
    tokens: { forced: 0, sampled: 0 },
    milliseconds: 0,
  };
  try {
    // Closing objects is the way in which calls are generated; it only ever takes values away.
    const { exact, residual } = compileSchema(item.schema, { objects: "closed" });
    const result = await foldTurn(decodeTurn(context, requestFor(item, options)));
    const { tokens, milliseconds } = result.usage;
    return {
      id: item.id,
      exact,
      sound: residual.every(({ direction }) => direction === "under"),
      ...judge(result, item),
      tokens: { forced: tokens.forced, sampled: tokens.sampled + tokens.drafted },
      milliseconds: Math.round(milliseconds.total),
    };
  } catch (error) {
    if (!(error instanceof CallwrightError) || !isSchemaFault(error)) throw error;
    return { ...nothing, ending: "refused", reason: `${error.code}: ${error.message}` };
  }
}

function requestFor(item: ToolSchema, options: RunCallOptions): TurnRequest {
  return {
    messages: [{ role: "user", content: item.prompt }],
    tools: [{ name: item.name, description: item.description, inputSchema: item.schema }],
    toolChoice: "required",
    parallel: false,
    seed: options.seed,
    maxTokens: options.maxTokens,
  };
}

function isSchemaFault({ code }: CallwrightError): boolean {
  return code === "schema-invalid" || code === "schema-unsatisfiable" || code === "schema-too-deep";
}

function judge(
  result: TurnResult,
  item: ToolSchema,
): { readonly ending: CallEnding; readonly reason: string } {
  const refusal = result.refusals[0]?.faults[0] ?? result.invalid?.[0]?.faults[0];
  const refused = refusal === undefined ? "" : `${refusal.pointer} ${refusal.keyword}: ${refusal.came}`;
  const call = result.calls[0];
  if (call !== undefined) {
    const fault = createValidator(item.schema)(call.input)[0];
    if (fault !== undefined) {
      return { ending: "invalid", reason: `delivered: ${fault.pointer} ${fault.keyword}: ${fault.came}` };
    }
    if (call.name !== item.name) return { ending: "invalid", reason: `delivered: tool ${call.name}` };
    if (result.finish === "length") return { ending: "invalid", reason: "delivered although cut by length" };
    const isFirst = result.refusals.length === 0 && result.repairs.length === 0 && result.usage.attempts <= 1;
    return isFirst ? { ending: "valid", reason: "" } : { ending: "repaired", reason: refused };
  }
  if (result.invalid !== undefined) return { ending: "invalid", reason: `given up: ${refused}` };
  if (result.finish === "length") return { ending: "length", reason: "" };
  return { ending: "none", reason: `finish ${result.finish}: ${result.text.slice(0, 60)}` };
}

export interface CallSummary {
  readonly endings: Readonly<Record<CallEnding, number>>;
  readonly exact: number;
  readonly sound: number;
  /** Calls under an exact or sound schema that were not valid at the first attempt. Must be none. */
  readonly broken: readonly CallOutcome[];
  /** Share of turns cut by the token limit among those that generated. */
  readonly cutShare: number;
  readonly forcedShare: number;
  /** What must hold and does not, in words. */
  readonly breaches: readonly string[];
}

/** The bound on calls that the token limit cut. */
const cutLimit = 0.02;

export function summarizeCalls(outcomes: readonly CallOutcome[]): CallSummary {
  const endings = { valid: 0, repaired: 0, invalid: 0, length: 0, none: 0, refused: 0 };
  for (const outcome of outcomes) endings[outcome.ending] += 1;
  const generated = outcomes.filter(({ ending }) => ending !== "refused");
  const sound = generated.filter((outcome) => outcome.exact || outcome.sound);
  const broken = sound.filter(({ ending }) => ending !== "valid" && ending !== "length");
  const delivered = outcomes.filter(({ reason }) => reason.startsWith("delivered"));
  const cutShare = generated.length === 0 ? 0 : endings.length / generated.length;
  const forced = sum(generated.map(({ tokens }) => tokens.forced));
  const all = forced + sum(generated.map(({ tokens }) => tokens.sampled));
  return {
    endings,
    exact: generated.filter((outcome) => outcome.exact).length,
    sound: sound.length,
    broken,
    cutShare,
    forcedShare: all === 0 ? 0 : forced / all,
    breaches: [
      ...broken.map(
        ({ id, ending, reason }) => `${id}: the grammar promised validity, yet ${ending} (${reason})`,
      ),
      ...delivered.map(({ id, reason }) => `${id}: ${reason}`),
      // A share of few calls says nothing: one of forty is more than 2 %.
      ...(generated.length >= 50 && cutShare >= cutLimit
        ? [`${endings.length} of ${generated.length} calls were cut by length`]
        : []),
      ...(generated.length === 0 ? ["nothing was generated"] : []),
    ],
  };
}

export function printCalls(summary: CallSummary): string {
  const total = sum(Object.values(summary.endings));
  const generated = total - summary.endings.refused;
  const rows = Object.entries(summary.endings).map(([ending, count]) => [
    ending,
    String(count),
    percent(count, total),
  ]);
  return [
    printTable(["ending", "calls", "share"], rows, ["calls", "share"]),
    `exact schemas: ${summary.exact} of ${generated} (${percent(summary.exact, generated)})`,
    `exact, or only lacking what was closed on purpose: ${summary.sound} of ${generated} (${percent(summary.sound, generated)})`,
    `broken under one of these: ${summary.broken.length}`,
    `forced share of the tokens: ${percent(summary.forcedShare, 1)}`,
  ].join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
