// The contract of a model: it continues text under a span's rules, and can be asked how likely a text is.
// Knows nothing of tools or calls. Local, remote and scripted models implement it.
import type { PromptPart, TemplateInput } from "../formats/format.ts";
import type { Grammar } from "../gbnf-builder/grammar.ts";
import type { Sampling } from "./profile.ts";

export interface ModelInfo {
  readonly id: string;
  readonly architecture: string;
  /** Tokens of the window. */
  readonly contextSize: number;
  /** Tokens of the largest window that the model was trained for; absent where that is not known. */
  readonly trainedContextSize?: number;
  readonly vocabularySize: number;
  /** How many requests are worked on at once; absent: as many as come. */
  readonly sequences?: number;
  /** Whether the tail of what was evaluated can be taken back: anywhere, only to a checkpoint, or not at all. */
  readonly rollback: "any" | "checkpoint" | "none";
  /** Whether a request's `prefix` is continued; where not, a retry has to ask again instead. */
  readonly continuesPrefix: boolean;
  /** Whether grammars are enforced while decoding; where not, turns are written as free text, and read and mended afterwards. */
  readonly enforcesGrammar: boolean;
  /** Whether `score` and `alternatives` work. */
  readonly givesProbabilities: boolean;
  /** The file's own chat template, absent for base models. */
  readonly template?: string;
  /** Spellings of the vocabulary's control and user-defined tokens. */
  readonly specialTokens: readonly string[];
  /** Those of them that no plain text becomes: control tokens. The others come of any text that spells them. */
  readonly controlTokens: readonly string[];
  /** Path of the weights, absent where there are none. */
  readonly path?: string;
}

/** What one `generate` may write. */
export type Span =
  /** Any text until the model ends; special tokens only if listed. `nonEmpty`: it may not end before its first token. */
  | {
      readonly type: "free";
      readonly specials: readonly string[];
      readonly nonEmpty?: boolean;
      readonly forbidden?: Forbidden;
    }
  /** Texts of the grammar, which ends the span as soon as nothing may follow. Where the text may end and may also go on, the model decides by its end token. */
  | { readonly type: "constrained"; readonly grammar: Grammar; readonly forbidden?: Forbidden };

/** Values that must not stand right behind the prefix: none of the texts, complete and followed by a delimiter. */
export interface Forbidden {
  readonly texts: readonly string[];
}

export interface GenerateRequest {
  readonly prompt: readonly PromptPart[];
  /**
   * How many UTF-16 units of the prompt other requests with the same system text and tools begin with too. Asked only
   * where much of the prompt would have to be evaluated.
   */
  readonly stablePrefix?: () => number;
  /** The assistant's turn as decided so far, to be continued. */
  readonly prefix: readonly PromptPart[];
  /** How many UTF-16 units at the end of `prefix` the span's grammar has already read. 0 where the grammar starts here. */
  readonly consumed?: number;
  readonly span: Span;
  readonly sampling: Sampling;
  readonly seed: number;
  /** Tokens this span may add, forced ones included. */
  readonly maxTokens: number;
  /** How many of the likeliest tokens to report with each sampled piece. */
  readonly alternatives?: number;
  readonly signal?: AbortSignal;
}

/** Stopping to read the events stops the generation; what was read is what counts as decided. */
export type ModelEvent =
  | { readonly type: "prefill-progress"; readonly done: number; readonly total: number }
  /** What somebody should know of how the model got here. */
  | { readonly type: "notice"; readonly code: string; readonly text: string }
  /**
   * The prompt and prefix are in, or as much of them as there was time for before `generate` throws: tokens found in the
   * sequence, read from a file, and evaluated now; of the latter, `ofPrompt` are the prompt's.
   */
  | {
      readonly type: "prefill-end";
      readonly reused: number;
      readonly loaded: number;
      readonly evaluated: number;
      readonly ofPrompt: number;
      readonly milliseconds: number;
    }
  | {
      readonly type: "piece";
      /** Whole characters only; a token that ends inside one gives its text with the next piece. */
      readonly text: string;
      readonly source: "forced" | "drafted" | "sampled";
      readonly tokens: number;
      readonly alternatives?: readonly Alternative[];
    }
  | { readonly type: "end"; readonly reason: SpanEnd };

/**
 * Why a span ended: the grammar allows nothing more, the model ended by itself, tokens or window ran out, only forbidden
 * text would have been possible (or a server wrote what its grammar does not allow), or a server's filter cut it off.
 */
export type SpanEnd = "accepted" | "end-of-generation" | "length" | "impossible" | "content-filter";

export interface Alternative {
  readonly text: string;
  /** Probability among all tokens allowed here, 0–1. */
  readonly probability: number;
}

export interface ScoreRequest {
  readonly prompt: readonly PromptPart[];
  readonly prefix: readonly PromptPart[];
  readonly continuations: readonly PromptPart[];
  readonly signal?: AbortSignal;
}

/**
 * Requests that come while as many as `info.sequences` are under way wait until one has ended or was left, so whoever
 * reads one must not ask for the next in the midst of it.
 */
export interface Model {
  readonly info: ModelInfo;
  /**
   * Throws `CallwrightError`: `context-overflow` where prompt, prefix and one token do not fit; `aborted`;
   * `request-invalid` after `close`.
   */
  generate(request: GenerateRequest): AsyncIterable<ModelEvent>;
  /** Natural logarithm of each continuation's probability right after prompt and prefix. */
  score(request: ScoreRequest): Promise<readonly number[]>;
  renderTemplate(input: TemplateInput): string;
  countTokens(parts: readonly PromptPart[]): Promise<number>;
  /** Waits for the requests that were made before. */
  close(): Promise<void>;
}
