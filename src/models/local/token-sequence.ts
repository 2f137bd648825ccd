// A sequence of a runtime: brings it to the tokens that a request needs, evaluates only what differs, and asks what may
// follow. Knows nothing of texts, grammars or calls.
import { CallwrightError, throwIfAborted } from "../../vocabulary/index.ts";
import type { ModelEvent } from "../model.ts";
import type { RuntimeSequence, TokenFilter } from "./runtime-sequence.ts";
import type { Candidate } from "./sample-token.ts";

/** Tokens evaluated between two looks at the abort signal; fewer where other sequences wait for their next token. */
const prefillChunk = 128;
const sharedChunk = 32;

/** What is needed of a runtime's sequence. */
export type SequenceRuntime = Pick<
  RuntimeSequence,
  | "append"
  | "appendAndLook"
  | "truncate"
  | "tokens"
  | "length"
  | "contextSize"
  | "mayGrow"
  | "endTokens"
  | "save"
  | "load"
>;

export interface PrefillOptions {
  /** How many of the wanted tokens are the prompt's. */
  readonly promptLength: number;
  /** How many of those that are held were read from a file for this request. */
  readonly loaded?: number;
  /** Whether others are at work on the same runtime. */
  readonly isShared?: () => boolean;
  /** Told when the first `length` tokens are held, and no more. */
  readonly keep?: { readonly length: number; readonly write: () => Promise<void> } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LookOptions {
  /** How many of the likeliest tokens are wanted. */
  readonly candidates: number;
  readonly filter?: TokenFilter;
  readonly signal?: AbortSignal | undefined;
}

export class TokenSequence {
  readonly #runtime: SequenceRuntime;
  /** What the runtime holds, mirrored: it gives its own tokens only as a copy, which no step can afford. */
  #held: number[] = [];
  /** How many of the held tokens are wanted, and the wanted ones after them. What is held beyond is from another request. */
  #agreed = 0;
  #pending: number[] = [];
  /** The unfiltered candidates after all that is held, where a score has just looked at them. */
  #looked: readonly Candidate[] | undefined;

  constructor(runtime: SequenceRuntime) {
    this.#runtime = runtime;
  }

  /** Wanted tokens, evaluated or not. */
  get length(): number {
    return this.#agreed + this.#pending.length;
  }

  /** How many of the wanted tokens are held already. */
  get agreed(): number {
    return this.#agreed;
  }

  /** Tokens that still fit. */
  get room(): number {
    return Math.max(0, this.#runtime.contextSize - 1 - this.length);
  }

  /**
   * Makes these the wanted tokens; evaluates nothing. Throws `context-overflow` where no further token would fit, and
   * `request-invalid` where there are none.
   */
  want(tokens: readonly number[]): void {
    const { contextSize, mayGrow } = this.#runtime;
    if (tokens.length === 0) {
      throw new CallwrightError("request-invalid", "There is nothing to continue: the prompt is empty.");
    }
    if (tokens.length + 1 >= contextSize) {
      throw new CallwrightError(
        "context-overflow",
        `The prompt has ${tokens.length} tokens and the window ${contextSize}. Shorten it${mayGrow ? " or give a larger --ctx" : ""}.`,
        { details: { needed: tokens.length + 1, available: contextSize } },
      );
    }
    // Read anew for each request, since an evaluation that failed leaves open how far it came.
    this.#held = [...this.#runtime.tokens];
    this.#agreed = commonLength(this.#held, tokens);
    this.#pending = tokens.slice(this.#agreed);
  }

  /** How many tokens are held between requests, and how many of them begin these. */
  compare(tokens: readonly number[]): { readonly common: number; readonly held: number } {
    const held = this.#runtime.tokens;
    return { common: commonLength(held, tokens), held: held.length };
  }

  /** Holds what a file holds instead; gives whether that begins what is wanted. Rejects where it cannot be read. */
  async restore(path: string): Promise<boolean> {
    const wanted = [...this.#held.slice(0, this.#agreed), ...this.#pending];
    this.#looked = undefined;
    try {
      await this.#runtime.load(path);
    } finally {
      this.want(wanted);
    }
    return this.#agreed === this.#held.length;
  }

  /** Writes the state after all that is held. */
  save(path: string): Promise<void> {
    return this.#runtime.save(path);
  }

  /** One more wanted token. */
  push(token: number): void {
    if (this.#pending.length === 0 && this.#held[this.#agreed] === token) this.#agreed += 1;
    else this.#pending.push(token);
  }

  /**
   * Evaluates what is wanted but for the last token, which is evaluated where its successor is asked for.
   * Ends in a `prefill-end`, also where it throws half-way.
   */
  async *prefill(options: PrefillOptions): AsyncGenerator<ModelEvent> {
    const { promptLength, loaded = 0, keep, signal } = options;
    const started = performance.now();
    const wanted = this.length;
    throwIfAborted(signal);
    if (this.#pending.length > 0) await this.#dropTail();
    const before = Math.min(this.#agreed, wanted - 1);
    const total = wanted - 1 - before;
    const end = (evaluated: number): ModelEvent => ({
      type: "prefill-end",
      reused: before - loaded,
      loaded,
      evaluated,
      ofPrompt: Math.max(0, Math.min(promptLength, before + evaluated) - before),
      milliseconds: performance.now() - started,
    });
    try {
      while (this.#pending.length > 1) {
        yield { type: "prefill-progress", done: total - (this.#pending.length - 1), total };
        const most = options.isShared?.() ? sharedChunk : prefillChunk;
        const toKeep = keep === undefined ? 0 : keep.length - this.#agreed;
        const size = Math.min(most, this.#pending.length - 1, toKeep > 0 ? toKeep : most);
        await this.#append(this.#pending.splice(0, size));
        if (size === toKeep) await keep?.write();
        throwIfAborted(signal);
      }
    } catch (error) {
      // What was evaluated until then is in the sequence and has taken its time.
      yield end(this.#agreed - before);
      throw error;
    }
    yield end(wanted - before);
  }

  /** The likeliest tokens after the wanted ones, which are evaluated for that. */
  async look(options: LookOptions): Promise<readonly Candidate[]> {
    throwIfAborted(options.signal);
    if (this.#pending.length === 0) {
      const seen = this.#alreadyLooked(options);
      if (seen.length > 0) return seen;
      // Only evaluating the last token again tells what may follow it.
      this.#agreed -= 1;
      this.#pending = this.#held.slice(this.#agreed, this.#agreed + 1);
    }
    await this.#dropTail();
    while (this.#pending.length > prefillChunk) {
      await this.#append(this.#pending.splice(0, prefillChunk));
      throwIfAborted(options.signal);
    }
    const fed = this.#pending.splice(0);
    const [candidates] = await this.#appendAndLook(fed, [fed.length - 1], options);
    return candidates ?? [];
  }

  /**
   * The likeliest tokens after the wanted ones and after each drafted token, `filters` in the same order. The drafts are
   * evaluated, but wanted only as far as they are pushed.
   */
  async lookAlong(
    drafts: readonly number[],
    options: Omit<LookOptions, "filter"> & { readonly filters: readonly TokenFilter[] },
  ): Promise<readonly (readonly Candidate[])[]> {
    const { signal, candidates, filters } = options;
    throwIfAborted(signal);
    if (this.#pending.length === 0) {
      this.#agreed -= 1;
      this.#pending = this.#held.slice(this.#agreed, this.#agreed + 1);
    }
    await this.#dropTail();
    const fed = [...this.#pending.splice(0), ...drafts];
    const first = fed.length - drafts.length - 1;
    const positions = [first, ...drafts.map((_, index) => first + 1 + index)];
    const seen = await this.#appendAndLook(fed, positions, { candidates, filter: filters });
    this.#agreed = this.#held.length - drafts.length;
    return seen;
  }

  /** Wants the first `length` tokens and these behind them; gives the candidates after each of these. */
  async follow(
    length: number,
    tokens: readonly number[],
    options: LookOptions,
  ): Promise<readonly (readonly Candidate[])[]> {
    throwIfAborted(options.signal);
    await this.#cut(length);
    const before = this.#pending.splice(0);
    const positions = tokens.map((_, index) => before.length + index);
    return this.#appendAndLook([...before, ...tokens], positions, options);
  }

  /** Wants only the first `length` tokens, after which these candidates were seen. */
  async returnTo(length: number, candidates: readonly Candidate[]): Promise<void> {
    await this.#cut(length);
    if (this.#pending.length === 0) this.#looked = candidates;
  }

  async #cut(length: number): Promise<void> {
    this.#agreed = length;
    this.#pending = [];
    await this.#dropTail();
  }

  /** Takes back what is held but not wanted. */
  async #dropTail(): Promise<void> {
    if (this.#agreed === this.#held.length) return;
    this.#looked = undefined;
    await this.#runtime.truncate(this.#agreed);
    // A model that can only return to a checkpoint may have had to go further back than was asked.
    const kept = this.#runtime.length;
    this.#pending.unshift(...this.#held.slice(kept, this.#agreed));
    this.#held.length = kept;
    this.#agreed = kept;
  }

  async #append(tokens: readonly number[]): Promise<void> {
    this.#looked = undefined;
    await this.#runtime.append(tokens);
    this.#hold(tokens);
  }

  async #appendAndLook(
    tokens: readonly number[],
    positions: readonly number[],
    {
      candidates,
      filter,
    }: { readonly candidates: number; readonly filter?: TokenFilter | readonly TokenFilter[] | undefined },
  ): Promise<readonly (readonly Candidate[])[]> {
    this.#looked = undefined;
    const seen = await this.#runtime.appendAndLook(tokens, {
      positions,
      candidates,
      ...(filter ? { filter } : {}),
    });
    this.#hold(tokens);
    return seen;
  }

  #hold(tokens: readonly number[]): void {
    this.#held.push(...tokens);
    this.#agreed = this.#held.length;
  }

  /** What a score saw here, as far as the filter lets it through; a filter of few allowed tokens needs its own look. */
  #alreadyLooked({ filter, candidates }: LookOptions): readonly Candidate[] {
    const { endTokens } = this.#runtime;
    if (this.#looked === undefined || this.#agreed < this.#held.length || filter?.side === "allowed")
      return [];
    const refused = new Set([...(filter?.ids ?? []), ...(filter?.mayEnd === false ? endTokens : [])]);
    return this.#looked.filter(({ token }) => !refused.has(token)).slice(0, candidates);
  }
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) length++;
  return length;
}
