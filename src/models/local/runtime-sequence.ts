// One of a runtime's sequences: evaluates tokens, looks at what may follow, takes the tail back, writes its state to a file
// and reads it. Knows nothing of which tokens are wanted. (node-llama-cpp itself is touched by llama-runtime.ts alone.)
import type { Candidate } from "./sample-token.ts";

/** Which tokens may be sampled: only `ids`, or all but `ids`. `mayEnd` allows the end tokens beside `ids`. */
export interface TokenFilter {
  readonly side: "allowed" | "refused";
  readonly ids: ArrayLike<number> & Iterable<number>;
  readonly mayEnd: boolean;
}

/** What is needed of node-llama-cpp's sequence. */
export interface NativeSequence {
  readonly contextTokens: readonly number[];
  readonly nextTokenIndex: number;
  readonly needsCheckpoints: boolean;
  controlledEvaluate(
    input: never,
  ): Promise<
    readonly ({ readonly next: { readonly probabilities?: ReadonlyMap<number, number> } } | undefined)[]
  >;
  clearHistory(): Promise<void>;
  eraseContextTokenRanges(ranges: { readonly start: number; readonly end: number }[]): Promise<void>;
  saveStateToFile(path: string): Promise<unknown>;
  loadStateFromFile(path: string, risk: { readonly acceptRisk: true }): Promise<unknown>;
}

/** What the runtime does for its sequences. */
export interface SequenceHost {
  readonly contextSize: number;
  readonly mayGrow: boolean;
  readonly endTokens: ReadonlySet<number>;
  /**
   * Does this evaluation when no other is under way. In a batch of several sequences llama.cpp puts the logits into their
   * order when they are first read, which node-llama-cpp does from several threads: replies were swapped (seen in 2 of 32).
   */
  alone<Result>(evaluation: () => Promise<Result>): Promise<Result>;
  /** The sampler's form of a filter, made once. */
  bias(filter: TokenFilter): object;
  mismatch(what: string): Error;
}

export class RuntimeSequence {
  readonly #native: NativeSequence;
  readonly #host: SequenceHost;

  constructor(native: NativeSequence, host: SequenceHost) {
    this.#native = native;
    this.#host = host;
  }

  get contextSize(): number {
    return this.#host.contextSize;
  }

  get mayGrow(): boolean {
    return this.#host.mayGrow;
  }

  get endTokens(): ReadonlySet<number> {
    return this.#host.endTokens;
  }

  /** A copy of the tokens that are evaluated and in the sequence. */
  get tokens(): readonly number[] {
    return this.#native.contextTokens;
  }

  /** How many those are. */
  get length(): number {
    return this.#native.nextTokenIndex;
  }

  /** Appends tokens without looking at what may follow. */
  async append(tokens: readonly number[]): Promise<void> {
    await this.#host.alone(() => this.#native.controlledEvaluate([...tokens] as never));
  }

  /** Appends tokens and gives the likeliest tokens after each position asked for, counted from the first appended. */
  async appendAndLook(
    tokens: readonly number[],
    look: {
      readonly positions: readonly number[];
      /** One for all positions, or one for each. */
      readonly filter?: TokenFilter | readonly (TokenFilter | undefined)[] | undefined;
      readonly candidates: number;
    },
  ): Promise<readonly (readonly Candidate[])[]> {
    const options = (filter: TokenFilter | undefined) => ({
      temperature: 1,
      topK: look.candidates,
      topP: 1,
      minP: 0,
      seed: 0,
      ...(filter ? { tokenBias: this.#host.bias(filter) } : {}),
    });
    const { filter } = look;
    const wanted = new Map(
      look.positions.map((position, index) => [position, options(isList(filter) ? filter[index] : filter)]),
    );
    const input = tokens.map((token, index) => {
      const sampling = wanted.get(index);
      return sampling === undefined
        ? token
        : [token, { generateNext: { token: true, probabilities: true, options: sampling } }];
    });
    const output = await this.#host.alone(() => this.#native.controlledEvaluate(input as never));
    return look.positions.map((position) => {
      const probabilities = output[position]?.next.probabilities;
      if (!probabilities) throw this.#host.mismatch("controlledEvaluate gave no probabilities");
      return [...probabilities].map(([token, probability]) => ({ token, probability }));
    });
  }

  /** Takes back everything from `length` on. */
  async truncate(length: number): Promise<void> {
    const end = this.#native.nextTokenIndex;
    if (length >= end) return;
    if (length === 0) await this.#native.clearHistory();
    else await this.#native.eraseContextTokenRanges([{ start: length, end }]);
  }

  /** Writes all that is in the sequence. */
  async save(path: string): Promise<void> {
    await this.#native.saveStateToFile(path);
  }

  /** Holds what the file holds instead of its own; nothing where the file cannot be read, which rejects. */
  async load(path: string): Promise<void> {
    // A load that fails on a sequence with tokens leaves it unusable.
    await this.#native.clearHistory();
    try {
      await this.#native.loadStateFromFile(path, { acceptRisk: true });
    } catch (error) {
      await this.#native.clearHistory();
      throw error;
    }
  }
}

function isList(
  filter: TokenFilter | readonly (TokenFilter | undefined)[] | undefined,
): filter is readonly (TokenFilter | undefined)[] {
  return Array.isArray(filter);
}
