// Where the tokens and the time of a turn or a run came from.

/** Counts of tokens by how they came about. */
export interface TokenCounts {
  /** In the sequence already, not evaluated again. */
  readonly reused: number;
  /** Read from a state file. */
  readonly loaded: number;
  /** Prompt tokens evaluated. */
  readonly prefilled: number;
  /** Tokens of the reply fed without sampling, because only one continuation was possible. */
  readonly forced: number;
  /** Tokens proposed by a draft and accepted. */
  readonly drafted: number;
  /** Tokens the model chose. */
  readonly sampled: number;
  /** Of the reply's tokens, those of reasoning. */
  readonly reasoning: number;
}

export interface Usage {
  readonly tokens: TokenCounts;
  /** Decoding attempts: 1 where nothing had to be tried again. */
  readonly attempts: number;
  /** Milliseconds by phase. */
  readonly milliseconds: Readonly<Record<"template" | "prefill" | "decode" | "total", number>>;
}

export const emptyUsage: Usage = {
  tokens: { reused: 0, loaded: 0, prefilled: 0, forced: 0, drafted: 0, sampled: 0, reasoning: 0 },
  attempts: 0,
  milliseconds: { template: 0, prefill: 0, decode: 0, total: 0 },
};

/** The sum of two usages, field by field. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    tokens: {
      reused: a.tokens.reused + b.tokens.reused,
      loaded: a.tokens.loaded + b.tokens.loaded,
      prefilled: a.tokens.prefilled + b.tokens.prefilled,
      forced: a.tokens.forced + b.tokens.forced,
      drafted: a.tokens.drafted + b.tokens.drafted,
      sampled: a.tokens.sampled + b.tokens.sampled,
      reasoning: a.tokens.reasoning + b.tokens.reasoning,
    },
    attempts: a.attempts + b.attempts,
    milliseconds: {
      template: a.milliseconds.template + b.milliseconds.template,
      prefill: a.milliseconds.prefill + b.milliseconds.prefill,
      decode: a.milliseconds.decode + b.milliseconds.decode,
      total: a.milliseconds.total + b.milliseconds.total,
    },
  };
}
