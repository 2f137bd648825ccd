// Hints from prose while a call is decoded: a value that has not the form which its description states is written again
// in that form, and stands so only where the model finds it likely enough. Validation never asks for a hint.
import type { OfferedTool, PromptPart, ReadCall } from "../formats/index.ts";
import {
  followsHint,
  type Hint,
  type HintedValue,
  hintedValues,
  readHints,
  withHints,
} from "../schema-grammar/index.ts";
import { isJsonObject, type JsonSchema } from "../vocabulary/index.ts";
import type { OpenedCalls } from "./decode-calls.ts";
import type { Attempt, Turn } from "./turn.ts";

/** What became of a valid call's hints. */
export type HintVerdict =
  | { readonly type: "stands"; readonly rewritten: readonly RewrittenValue[] }
  /** Write on behind this text, which begins behind the opener, and write none of the forbidden texts there. */
  | { readonly type: "again"; readonly text: string; readonly forbidden: readonly string[] };

export interface RewrittenValue {
  readonly before: string;
  readonly after: string;
}

interface Trial {
  readonly tool: string;
  readonly pointer: string;
  readonly hint: Hint;
  readonly offset: number;
  /** The value as it was written first. */
  readonly before: string;
}

/** Nats by which a value in the stated form may be less likely than the model's own before the hint is given up. */
const mostDisagreement = 12;

export class HintTrials {
  readonly #turn: Turn;
  readonly #attempt: Attempt;
  readonly #opened: OpenedCalls;
  readonly #applied = new Map<string, Hint[]>();
  readonly #givenUp = new Set<Hint>();
  #trial: Trial | undefined;
  #rewritten: RewrittenValue[] = [];

  constructor(turn: Turn, attempt: Attempt, opened: OpenedCalls) {
    this.#turn = turn;
    this.#attempt = attempt;
    this.#opened = opened;
  }

  /** Whether calls of the tool may be written again, so that nothing of them can be shown before they are complete. */
  concern(tool: OfferedTool): boolean {
    return this.#hintsOf(tool).length > 0;
  }

  /** The tools as the grammar has to have them now. */
  get callable(): readonly OfferedTool[] {
    const { callable, candidates = callable } = this.#attempt;
    return candidates.map((tool) => {
      const hints = this.#applied.get(tool.name) ?? [];
      return hints.length === 0 ? tool : { ...tool, inputSchema: withHints(tool.inputSchema, hints) };
    });
  }

  /** Whether a value was written anew, about which the model is asked when its call is done. */
  get isTrying(): boolean {
    return this.#trial !== undefined;
  }

  /** Gives up the hint under which nothing could be written; the text to go on behind, undefined where there is none. */
  giveUp(text: string): string | undefined {
    const trial = this.#trial;
    if (trial === undefined) return undefined;
    this.#trial = undefined;
    this.#giveUp(trial);
    return text.slice(0, trial.offset) + trial.before;
  }

  /** Judges a valid call; `text` is what was written behind the opener. */
  async judge(call: ReadCall, tool: OfferedTool, text: string): Promise<HintVerdict> {
    if (!this.concern(tool) || !isJsonObject(call.input)) return { type: "stands", rewritten: [] };
    const trial = this.#trial;
    this.#trial = undefined;
    const after = trial && this.#placeOf(call, trial.pointer, text);
    if (trial !== undefined && after !== undefined) {
      const isStated = !this.#broken(tool, call).some(({ hint }) => hint === trial.hint);
      if (isStated && !(await this.#isLikely(trial, after.text, text))) {
        this.#giveUp(trial);
        return { type: "again", text: text.slice(0, trial.offset) + trial.before, forbidden: [] };
      }
      if (isStated) this.#rewritten.push({ before: trial.before, after: after.text });
      else this.#giveUp(trial);
    }
    for (const value of this.#broken(tool, call)) {
      const place = this.#placeOf(call, value.pointer, text);
      if (place === undefined) continue;
      const { pointer, hint } = value;
      this.#trial = { tool: tool.name, pointer, hint, offset: place.offset, before: place.text };
      const applied = this.#applied.get(tool.name) ?? [];
      if (!applied.includes(hint)) this.#applied.set(tool.name, [...applied, hint]);
      return { type: "again", text: text.slice(0, place.offset), forbidden: [place.text] };
    }
    const rewritten = this.#rewritten;
    this.#rewritten = [];
    return { type: "stands", rewritten };
  }

  #broken(tool: OfferedTool, call: ReadCall): readonly HintedValue[] {
    const values = hintedValues(tool.inputSchema, this.#hintsOf(tool), call.input);
    return values.filter((value) => !this.#givenUp.has(value.hint) && !followsHint(value));
  }

  #placeOf(call: ReadCall, pointer: string, text: string) {
    const found = call.locate(pointer);
    if (found === undefined) return undefined;
    const [offset, end] = found.map((at) => at - this.#opened.opener.text.length) as [number, number];
    return offset < 0 ? undefined : { offset, text: text.slice(offset, end), before: text.slice(0, offset) };
  }

  async #isLikely(trial: Trial, after: string, written: string): Promise<boolean> {
    const { model, signal } = this.#turn;
    const { special } = this.#opened.opener;
    const [own = 0, stated = 0] = await model.score({
      prompt: this.#attempt.prompt,
      prefix: this.#prefixUpTo(trial, written),
      continuations: [trial.before, after].map((text) => ({ text, special })),
      ...(signal ? { signal } : {}),
    });
    return stated >= own - mostDisagreement;
  }

  #prefixUpTo({ offset }: Trial, written: string): readonly PromptPart[] {
    const { prefix, opener } = this.#opened;
    const text = written.slice(0, offset);
    return text === "" ? prefix : [...prefix, { text, special: opener.special }];
  }

  #giveUp({ tool, hint }: Trial): void {
    this.#givenUp.add(hint);
    const left = (this.#applied.get(tool) ?? []).filter((applied) => applied !== hint);
    this.#applied.set(tool, left);
  }

  #hintsOf({ inputSchema }: OfferedTool): readonly Hint[] {
    const { model, profile } = this.#turn;
    const mayAsk = profile.calls.hints && model.info.givesProbabilities && model.info.rollback === "any";
    return mayAsk ? knownHints(inputSchema) : [];
  }
}

const hintsBySchema = new WeakMap<object, readonly Hint[]>();

function knownHints(schema: JsonSchema): readonly Hint[] {
  if (typeof schema !== "object") return [];
  const known = hintsBySchema.get(schema) ?? readHints(schema);
  hintsBySchema.set(schema, known);
  return known;
}
