// The options by which a command names its model and how it is run, and the engine they open.
import { createEngine, type Engine, type EngineOptions } from "../engine.ts";
import { findFormat } from "../formats/index.ts";
import { layProfiles } from "../models/index.ts";
import { type Command, InvalidArgumentError } from "./commander.ts";
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
    .option("--model <name>", "catalogue id, path of a .gguf file, or hf:owner/repo/file.gguf")
    .option("--format <name>", "format of calls, whatever the model's profile says; see models probe")
    .option("--fetch", "fetch the model if it is not there")
    .option("--ctx <tokens>", "size of the window, at most what the model was trained for", wholeNumber)
    .option("--gpu-layers <number>", "layers given to the GPU; 0 for the CPU alone", wholeNumber)
    .option("--threads <number>", "threads to compute with", wholeNumber)
    .option("--seed <number>", "makes the run repeatable", wholeNumber)
    .option("--max-tokens <number>", "tokens one reply may have", wholeNumber);
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
export function turnOptions(options: ModelOptions) {
  return {
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
