// The one file that touches node-llama-cpp: loads weights, tokenizes, makes sequences and token biases.
// Knows nothing of grammars, prompts or calls. Over 300 lines, since a second file would have to touch node-llama-cpp too.
import {
  getLlama,
  type Llama,
  type LlamaContext,
  LlamaLogLevel,
  type LlamaModel,
  TokenBias,
} from "node-llama-cpp";
import type { TemplateEngine } from "../../formats/index.ts";
import { CallwrightError, isAborted } from "../../vocabulary/index.ts";
import { checkGguf } from "./check-gguf.ts";
import { explainLoadFailure } from "./explain-load-failure.ts";
import { createFreeCores } from "./free-cores.ts";
import { holdConsole } from "./hold-console.ts";
import { nativeTemplateEngine } from "./native-template.ts";
import { RuntimeSequence, type SequenceHost, type TokenFilter } from "./runtime-sequence.ts";
import { type TokenBytes, tokenBytes } from "./token-bytes.ts";
import { type Tokenizer, withoutBlank } from "./tokenizer.ts";

export interface RuntimeOptions {
  readonly path: string;
  /** Tokens of the window; those the model was trained for at most. */
  readonly contextSize: number;
  /** 0: as many of the useful cores as other programs leave free. */
  readonly threads: number;
  readonly batch: number;
  readonly flashAttention: "auto" | boolean;
  /** How many conversations are kept at once, each with a window of its own. */
  readonly sequences: number;
  readonly gpuLayers?: number;
  readonly signal?: AbortSignal;
  /** Share of the weights loaded, 0–1. */
  readonly onLoad?: (share: number) => void;
}

/** Lines of llama.cpp that are kept to explain a failure. */
const mostLines = 20;

/** A loaded model with its sequences. */
export class LlamaRuntime implements Tokenizer, SequenceHost {
  readonly #llama: Llama;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  /** Absent where the number of threads is fixed. */
  readonly #freeCores: (() => number) | undefined;
  readonly #biases = new WeakMap<TokenFilter, TokenBias>();
  readonly #tokenizer: Tokenizer;
  #lastEvaluation: Promise<void> = Promise.resolve();
  readonly vocabulary: TokenBytes;
  readonly endTokens: ReadonlySet<number>;
  readonly sequences: readonly [RuntimeSequence, ...RuntimeSequence[]];
  /** Whether the tail of a sequence can be taken back to anywhere or only to a checkpoint. */
  readonly rollback: "any" | "checkpoint";

  private constructor(llama: Llama, model: LlamaModel, context: LlamaContext, followsLoad: boolean) {
    this.#freeCores = followsLoad ? createFreeCores(llama.cpuMathCores) : undefined;
    this.#llama = llama;
    this.#model = model;
    this.#context = context;
    this.#tokenizer = tokenizerOf(model);
    this.vocabulary = this.#tokenizer.vocabulary;
    this.endTokens = this.#tokenizer.endTokens;
    const first = this.#createSequence();
    this.rollback = first.needsCheckpoints ? "checkpoint" : "any";
    const others = Array.from({ length: context.totalSequences - 1 }, () => this.#createSequence());
    this.sequences = [
      new RuntimeSequence(first, this),
      ...others.map((each) => new RuntimeSequence(each, this)),
    ];
  }

  /**
   * Loads weights and makes a context. Throws `CallwrightError`: `model-file-invalid` (no GGUF, cut off, damaged),
   * `model-unsupported` (architecture unknown to this llama.cpp, no memory), `aborted`.
   */
  static async open(options: RuntimeOptions): Promise<LlamaRuntime> {
    const { architecture = "unknown" } = checkGguf(options.path);
    const said: string[] = [];
    const llama = await loadRuntime(options, (line) => said.length < mostLines && said.push(line));
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
        sequences: options.sequences,
        ...(options.signal ? { createSignal: options.signal } : {}),
      });
      return new LlamaRuntime(llama, model, context, options.threads <= 0);
    } catch (error) {
      await llama.dispose();
      if (options.signal?.aborted || isAborted(error)) throw aborted(error);
      throw explainLoadFailure(options.path, { error, said, architecture });
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
    return templateOf(this.#model);
  }

  /** llama.cpp's own engine for chat templates, where this build has it. */
  get templateEngine(): TemplateEngine | undefined {
    return nativeTemplateEngine(this.#llama);
  }

  get engineVersion(): string {
    return versionOf(this.#llama);
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

  tokenize(text: string, special: boolean): number[] {
    return this.#tokenizer.tokenize(text, special);
  }

  async close(): Promise<void> {
    await this.#context.dispose();
    await this.#model.dispose();
    await this.#llama.dispose();
  }

  alone<Result>(evaluation: () => Promise<Result>): Promise<Result> {
    const result = this.#lastEvaluation.then(() => {
      this.#followLoad();
      return evaluation();
    });
    // Who comes next waits for this one, however it ends; its failure is told to whoever asked for it.
    this.#lastEvaluation = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  #followLoad(): void {
    const threads = this.#freeCores?.();
    if (threads !== undefined && threads !== this.#llama.maxThreads) this.#llama.maxThreads = threads;
  }

  /**
   * The public `set()` refuses end tokens, which a place where the text may end has to allow, and one where it may not
   * has to forbid. So the map behind it is filled directly; should it ever be gone, that is said instead of going unmasked.
   */
  bias(filter: TokenFilter): TokenBias {
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

  mismatch(what: string): CallwrightError {
    return mismatch(what);
  }

  #createSequence() {
    const context = this.#context;
    return context.getSequence({
      contextShift: {
        strategy: () => {
          throw new CallwrightError(
            "context-overflow",
            `The window of ${context.contextSize} tokens is full. Give a shorter prompt${this.mayGrow ? " or a larger --ctx" : ""}.`,
          );
        },
      },
    });
  }
}

/** What a file says of the prompts that its model is given. */
export interface PromptFacts extends Tokenizer {
  readonly template?: string;
  readonly beginText: string;
  readonly endText: string;
  /** llama.cpp's own engine for chat templates, where this build has it. */
  readonly templateEngine?: TemplateEngine;
  readonly engineVersion: string;
}

/** llama.cpp's own engine for chat templates, in a process that loads no model. */
export async function loadTemplateEngine(): Promise<TemplateEngine | undefined> {
  return nativeTemplateEngine(await loadRuntime({ gpuLayers: 0 }, () => undefined));
}

/** Looks at a file's vocabulary and template without loading its weights. Throws as `LlamaRuntime.open` does. */
export async function withPromptFacts<T>(
  path: string,
  signal: AbortSignal | undefined,
  look: (facts: PromptFacts) => T | Promise<T>,
): Promise<T> {
  const { architecture = "unknown" } = checkGguf(path);
  const said: string[] = [];
  const options = { gpuLayers: 0, ...(signal ? { signal } : {}) };
  const llama = await loadRuntime(options, (line) => said.length < mostLines && said.push(line));
  try {
    const model = await llama
      .loadModel({ modelPath: path, vocabOnly: true, ...(signal ? { loadSignal: signal } : {}) })
      .catch((error: unknown) => {
        if (signal?.aborted || isAborted(error)) throw aborted(error);
        throw explainLoadFailure(path, { error, said, architecture });
      });
    const template = templateOf(model);
    const templateEngine = nativeTemplateEngine(llama);
    return await look({
      ...(template === undefined ? {} : { template }),
      beginText: model.tokens.bosString ?? "",
      endText: model.tokens.eosString ?? "",
      ...tokenizerOf(model),
      ...(templateEngine ? { templateEngine } : {}),
      engineVersion: versionOf(llama),
    });
  } finally {
    await llama.dispose();
  }
}

function versionOf(llama: Llama): string {
  return llama.llamaCppRelease.release;
}

function templateOf(model: LlamaModel): string | undefined {
  const template: unknown = model.fileInfo.metadata.tokenizer.chat_template;
  return typeof template === "string" && template !== "" ? template : undefined;
}

function tokenizerOf(model: LlamaModel): Tokenizer {
  const { ggml } = model.fileInfo.metadata.tokenizer;
  const endTokens = new Set<number>();
  for (const token of model.iterateAllTokens()) if (model.isEogToken(token)) endTokens.add(token);
  const vocabulary = tokenBytes({ model: ggml.model, tokens: ggml.tokens, types: ggml.token_type ?? [] });
  const tokenize = withoutBlank((text, special) => model.tokenize(text, special), vocabulary);
  return { vocabulary, endTokens, tokenize };
}

function loadRuntime(
  options: Pick<RuntimeOptions, "gpuLayers" | "signal">,
  onError: (line: string) => void,
): Promise<Llama> {
  const load = () =>
    getLlama({
      build: "never",
      logLevel: LlamaLogLevel.error,
      logger: (_level, line) => onError(line),
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

function aborted(cause: unknown): CallwrightError {
  return new CallwrightError("aborted", "Aborted.", { cause });
}

function mismatch(what: string): CallwrightError {
  return new CallwrightError(
    "runtime-mismatch",
    `This build of node-llama-cpp does not behave as 3.21.1 does: ${what}. Install the version that package.json names.`,
  );
}
