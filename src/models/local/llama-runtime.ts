// The one file that touches node-llama-cpp: loads weights, tokenizes, evaluates, takes back the tail of the sequence.
// Built on `controlledEvaluate` and token bias; knows nothing of grammars, prompts or calls.
import { open } from "node:fs/promises";
import {
  getLlama,
  type Llama,
  type LlamaContext,
  type LlamaContextSequence,
  LlamaLogLevel,
  type LlamaModel,
  readGgufFileInfo,
  TokenBias,
} from "node-llama-cpp";
import { CallwrightError, isAborted } from "../../vocabulary/index.ts";
import { createFreeCores } from "./free-cores.ts";
import { holdConsole } from "./hold-console.ts";
import type { Candidate } from "./sample-token.ts";
import { type TokenBytes, tokenBytes } from "./token-bytes.ts";

export interface RuntimeOptions {
  readonly path: string;
  /** Tokens of the window; those the model was trained for at most. */
  readonly contextSize: number;
  /** 0: as many of the useful cores as other programs leave free. */
  readonly threads: number;
  readonly batch: number;
  readonly flashAttention: "auto" | boolean;
  readonly gpuLayers?: number;
  readonly signal?: AbortSignal;
  /** Share of the weights loaded, 0–1. */
  readonly onLoad?: (share: number) => void;
}

/** Which tokens may be sampled: only `ids`, or all but `ids`. `mayEnd` allows the end tokens beside `ids`. */
export interface TokenFilter {
  readonly side: "allowed" | "refused";
  readonly ids: ArrayLike<number> & Iterable<number>;
  readonly mayEnd: boolean;
}

const magic = "GGUF";

/** A loaded model with one sequence. */
export class LlamaRuntime {
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  readonly #sequence: LlamaContextSequence;
  /** Absent where the number of threads is fixed. */
  readonly #freeCores: (() => number) | undefined;
  readonly #biases = new WeakMap<TokenFilter, TokenBias>();
  readonly vocabulary: TokenBytes;
  readonly endTokens: ReadonlySet<number>;

  private constructor(llama: Llama, model: LlamaModel, context: LlamaContext, followsLoad: boolean) {
    this.#freeCores = followsLoad ? createFreeCores(llama.cpuMathCores) : undefined;
    this.#llama = llama;
    this.#model = model;
    this.#context = context;
    this.#sequence = context.getSequence({
      contextShift: {
        strategy: () => {
          throw new CallwrightError(
            "context-overflow",
            `The window of ${context.contextSize} tokens is full. Give a shorter prompt${this.mayGrow ? " or a larger --ctx" : ""}.`,
          );
        },
      },
    });
    const ggml = model.fileInfo.metadata.tokenizer.ggml;
    this.vocabulary = tokenBytes({ model: ggml.model, tokens: ggml.tokens, types: ggml.token_type ?? [] });
    const end = new Set<number>();
    for (const token of model.iterateAllTokens()) if (model.isEogToken(token)) end.add(token);
    this.endTokens = end;
  }

  /**
   * Loads weights and makes a context. Throws `CallwrightError`: `model-file-invalid` (no GGUF, truncated),
   * `model-unsupported` (architecture unknown to this llama.cpp, no memory), `aborted`.
   */
  static async open(options: RuntimeOptions): Promise<LlamaRuntime> {
    await checkMagic(options.path);
    const llama = await loadRuntime(options);
    try {
      const model = await llama.loadModel({
        modelPath: options.path,
        ...(options.gpuLayers === undefined ? {} : { gpuLayers: options.gpuLayers }),
        ...(options.signal ? { loadSignal: options.signal } : {}),
        ...(options.onLoad ? { onLoadProgress: options.onLoad } : {}),
      });
      const contextSize = Math.min(options.contextSize, model.trainContextSize);
      const context = await model.createContext({
        contextSize,
        batchSize: Math.min(options.batch, contextSize),
        threads: options.threads > 0 ? options.threads : llama.cpuMathCores,
        flashAttention: options.flashAttention,
        ...(options.signal ? { createSignal: options.signal } : {}),
      });
      return new LlamaRuntime(llama, model, context, options.threads <= 0);
    } catch (error) {
      await llama.dispose();
      if (options.signal?.aborted || isAborted(error)) throw aborted(error);
      throw await explainLoadFailure(options.path, error);
    }
  }

  get contextSize(): number {
    return this.#context.contextSize;
  }

  get architecture(): string {
    return this.#model.architecture ?? "unknown";
  }

  get trainedContextSize(): number {
    return this.#model.trainContextSize;
  }

  /** Whether the model was trained for a larger window than it has here. */
  get mayGrow(): boolean {
    return this.contextSize < this.trainedContextSize;
  }

  get template(): string | undefined {
    const template: unknown = this.#model.fileInfo.metadata.tokenizer.chat_template;
    return typeof template === "string" && template !== "" ? template : undefined;
  }

  get beginText(): string {
    return this.#model.tokens.bosString ?? "";
  }

  get endText(): string {
    return this.#model.tokens.eosString ?? "";
  }

  /** The begin token where the vocabulary asks for one before every prompt. */
  get beginToken(): number | undefined {
    return this.#model.tokens.shouldPrependBosToken ? (this.#model.tokens.bos ?? undefined) : undefined;
  }

  get rollback(): "any" | "checkpoint" {
    return this.#sequence.needsCheckpoints ? "checkpoint" : "any";
  }

  /** Tokens that are evaluated and in the sequence. */
  get tokens(): readonly number[] {
    return this.#sequence.contextTokens;
  }

  tokenize(text: string, special: boolean): number[] {
    return this.#model.tokenize(text, special, "trimLeadingSpace");
  }

  /** Appends tokens without looking at what may follow. */
  async append(tokens: readonly number[]): Promise<void> {
    this.#followLoad();
    await this.#sequence.controlledEvaluate([...tokens] as never);
  }

  /** Appends tokens and gives the likeliest tokens after each position asked for, counted from the first appended. */
  async appendAndLook(
    tokens: readonly number[],
    look: {
      readonly positions: readonly number[];
      readonly filter?: TokenFilter;
      readonly candidates: number;
    },
  ): Promise<readonly (readonly Candidate[])[]> {
    this.#followLoad();
    const wanted = new Set(look.positions);
    const options = {
      temperature: 1,
      topK: look.candidates,
      topP: 1,
      minP: 0,
      seed: 0,
      ...(look.filter ? { tokenBias: this.#bias(look.filter) } : {}),
    };
    const input = tokens.map((token, index) =>
      wanted.has(index) ? [token, { generateNext: { token: true, probabilities: true, options } }] : token,
    );
    const output = await this.#sequence.controlledEvaluate(input as never);
    return look.positions.map((position) => {
      const probabilities = output[position]?.next.probabilities;
      if (!probabilities) throw mismatch("controlledEvaluate gave no probabilities");
      return [...probabilities].map(([token, probability]) => ({ token: token as number, probability }));
    });
  }

  /** Takes back everything from `length` on. */
  async truncate(length: number): Promise<void> {
    const end = this.#sequence.nextTokenIndex;
    if (length >= end) return;
    if (length === 0) await this.#sequence.clearHistory();
    else await this.#sequence.eraseContextTokenRanges([{ start: length, end }]);
  }

  async close(): Promise<void> {
    await this.#context.dispose();
    await this.#model.dispose();
    await this.#llama.dispose();
  }

  #followLoad(): void {
    const threads = this.#freeCores?.();
    if (threads !== undefined && threads !== this.#llama.maxThreads) this.#llama.maxThreads = threads;
  }

  /**
   * The public `set()` refuses end tokens, which a place where the text may end has to allow, and one where it may not
   * has to forbid. So the map behind it is filled directly; should it ever be gone, that is said instead of going unmasked.
   */
  #bias(filter: TokenFilter): TokenBias {
    const known = this.#biases.get(filter);
    if (known) return known;
    const bias = new TokenBias(this.#model.tokenizer);
    const entries = (bias as unknown as { _biases?: unknown })._biases;
    if (!(entries instanceof Map)) throw mismatch("TokenBias keeps no map of biases");
    if (filter.side === "allowed") {
      for (const id of filter.ids) entries.set(id, 1000);
      if (filter.mayEnd) for (const id of this.endTokens) entries.set(id, 1000);
    } else {
      for (const id of filter.ids) entries.set(id, Number.NEGATIVE_INFINITY);
      if (filter.mayEnd) for (const id of this.endTokens) entries.delete(id);
      else for (const id of this.endTokens) entries.set(id, Number.NEGATIVE_INFINITY);
    }
    this.#biases.set(filter, bias);
    return bias;
  }
}

function loadRuntime(options: Pick<RuntimeOptions, "gpuLayers" | "signal">): Promise<Llama> {
  const load = () =>
    getLlama({
      build: "never",
      logLevel: LlamaLogLevel.disabled,
      logger: () => {},
      progressLogs: false,
      ...(options.gpuLayers === 0 ? { gpu: false as const } : {}),
    });
  return holdConsole(load, async (error, lines) => {
    // Ctrl-C reaches the child process too by which the runtime tries its binary out, and may end it before this
    // process has looked at the signal itself.
    await new Promise(setImmediate);
    if (options.signal?.aborted) throw aborted(error);
    const said = lines[0] ?? (error instanceof Error ? error.message : String(error));
    throw new CallwrightError(
      "model-unsupported",
      `llama.cpp cannot be loaded on this machine: ${said.trim()}. Install again, with optional dependencies.`,
      { cause: error },
    );
  });
}

async function checkMagic(path: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, "r");
  } catch (error) {
    throw new CallwrightError("model-missing", `There is no readable model file at ${path}.`, {
      cause: error,
    });
  }
  try {
    const head = Buffer.alloc(4);
    await handle.read(head, 0, 4, 0);
    if (head.toString("latin1") !== magic) {
      throw new CallwrightError(
        "model-file-invalid",
        `${path} is no GGUF file (it does not begin with "${magic}"). Give a .gguf file, or pull the model again.`,
      );
    }
  } finally {
    await handle.close();
  }
}

async function explainLoadFailure(path: string, error: unknown): Promise<CallwrightError> {
  const cause = error instanceof Error ? error.message : String(error);
  let architecture: string;
  try {
    const info = await readGgufFileInfo(path, { logWarnings: false });
    architecture = info.metadata.general.architecture;
  } catch {
    // The header cannot even be read, which is what the message then says; the load's own error stays the cause.
    return new CallwrightError(
      "model-file-invalid",
      `${path} cannot be read as a GGUF file; it is probably truncated. Remove it and pull the model again.`,
      { cause: error },
    );
  }
  if (/memory|VRAM|context size/i.test(cause)) {
    return new CallwrightError(
      "model-unsupported",
      `${path} does not fit this machine's memory: ${cause}. Give a smaller --ctx or a smaller model.`,
      { cause: error },
    );
  }
  return new CallwrightError(
    "model-file-invalid",
    `llama.cpp cannot load ${path} (architecture "${architecture}"): the file is truncated or damaged, or this build does not know the architecture. Run "callwright models verify", or choose another model.`,
    { cause: error, details: { architecture } },
  );
}

function aborted(cause: unknown): CallwrightError {
  return new CallwrightError("aborted", "Aborted.", { cause });
}

function mismatch(what: string): CallwrightError {
  return new CallwrightError(
    "runtime-mismatch",
    `This build of node-llama-cpp does not behave as 3.21.1 does: ${what}. Install the version that package.json names.`,
  );
}
