// The options by which a command names its model and how it is run, and the engine they open.
import { createEngine, type Engine, type EngineOptions } from "../engine.ts";
import { findFormat } from "../formats/index.ts";
import { defaultProfile, layProfiles } from "../models/index.ts";
import { type Command, InvalidArgumentError, Option } from "./commander.ts";
import { createFetchProgress } from "./fetch-progress.ts";
import { fetchSettings } from "./fetch-settings.ts";
import { interruptSignal } from "./interrupt.ts";

export interface ModelOptions {
  readonly model?: string;
  readonly format?: string;
  readonly ctx?: number;
  readonly gpuLayers?: number;
  readonly threads?: number;
  readonly seed?: number;
  readonly maxTokens?: number;
  readonly fetch?: boolean;
}

/** Adds the options that every command with a model has. */
export function addModelOptions(command: Command): Command {
  return command
    .option(
      "--model <name>",
      "catalogue id, path of a .gguf file, hf:owner/repo/file.gguf, or a server's http://…/v1 (default: the * of models list)",
    )
    .option("--format <name>", "format of calls, whatever the model's profile says; see models probe")
    .option("--fetch", "fetch the model if it is not there")
    .option(
      "--ctx <tokens>",
      `size of the window, at most what the model was trained for (default: its profile's, mostly ${defaultProfile.context.size})`,
      wholeNumber,
    )
    .option(
      "--gpu-layers <number>",
      "layers given to the GPU; 0 for the CPU alone (default: as many as fit)",
      wholeNumber,
    )
    .option("--threads <number>", "threads to compute with (default: the idle cores)", wholeNumber)
    .option("--seed <number>", "draws other tokens where the model samples (default: 0)", wholeNumber)
    .option(
      "--max-tokens <number>",
      `tokens one reply may have (default: its profile's, mostly ${defaultProfile.context.reserve})`,
      wholeNumber,
    );
}

/** How much a model may reason, for commands that ask it something. */
export interface ReasoningOptions {
  readonly reasoning?: "on" | "off" | "auto";
  readonly reasoningBudget?: number;
}

/** Adds the options by which a command says how the model reasons. */
export function addReasoningOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--reasoning <mode>",
        "whether the model reasons first; auto leaves it to the model (default: its profile's)",
      ).choices(["on", "off", "auto"]),
    )
    .option(
      "--reasoning-budget <tokens>",
      "tokens after which reasoning is ended (default: its profile's)",
      wholeNumber,
    );
}

/** Opens the engine that the options describe, with progress on stderr. */
export async function openEngine(options: ModelOptions, more: Partial<EngineOptions> = {}): Promise<Engine> {
  // A wrong name need not wait for the model.
  const { format } = options;
  if (format !== undefined && format !== "auto") findFormat(format);
  const progress = createFetchProgress();
  const load = createLoadProgress(process.stderr);
  try {
    const engine = createEngine({
      ...more,
      ...fetchSettings(),
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(format === undefined ? {} : { profile: layProfiles(more.profile ?? {}, { format }) }),
      ...(options.ctx === undefined ? {} : { contextSize: options.ctx }),
      ...(options.gpuLayers === undefined ? {} : { gpuLayers: options.gpuLayers }),
      ...(options.threads === undefined ? {} : { threads: options.threads }),
      fetch: options.fetch ?? false,
      signal: interruptSignal(),
      onProgress: progress.show,
      onNotice: (text) => {
        load.end();
        progress.notice(text);
      },
      onLoad: (share) => {
        progress.end();
        load.show(share);
      },
    });
    await engine.open();
    return engine;
  } finally {
    progress.end();
    load.end();
  }
}

/** How much of the weights is loaded: one line that is redrawn, on a terminal only. */
function createLoadProgress(stream: NodeJS.WriteStream) {
  return {
    show: (share: number) => {
      if (stream.isTTY) stream.write(`\r\u001b[2Kloading the model ${Math.floor(share * 100)} %`);
    },
    end: () => {
      if (stream.isTTY) stream.write("\r\u001b[2K");
    },
  };
}

/** What of the options a turn is asked with. */
export function turnOptions(options: ModelOptions & ReasoningOptions) {
  const { reasoning: mode, reasoningBudget: budget } = options;
  const reasoning = { ...(mode === undefined ? {} : { mode }), ...(budget === undefined ? {} : { budget }) };
  return {
    reasoning,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
    signal: interruptSignal(),
  };
}

/** Reads a whole number of zero or more. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
