// Opens a model file: the runtime with the profile's measured settings, and the `Model` over it.
import { basename } from "node:path";
import { CallwrightError } from "../../vocabulary/index.ts";
import { homeFolder, statesFolder } from "../home-folder.ts";
import type { Model } from "../model.ts";
import type { Profile } from "../profile.ts";
import { fileFingerprint } from "./file-fingerprint.ts";
import { LlamaRuntime } from "./llama-runtime.ts";
import { LocalModel, type SpeedLevers } from "./local-model.ts";
import { openRenderer } from "./open-renderer.ts";
import { createPrefixStore, type PrefixStore } from "./prefix-store.ts";

export interface OpenLocalModelOptions {
  readonly path: string;
  readonly profile: Profile;
  /** How the model is called in events; the file's name by default. */
  readonly id?: string;
  /** Tokens of the window; the profile's by default, and never more than the model was trained for. */
  readonly contextSize?: number;
  /** 0 keeps everything on the CPU; left out, the runtime decides. */
  readonly gpuLayers?: number;
  /** 0: as many as useful. */
  readonly threads?: number;
  /** How many conversations are kept at once. Default: the profile's. */
  readonly sequences?: number;
  /** Bytes that states of prompt beginnings may take on disk; 0 keeps none. Default: 1 GiB. */
  readonly stateBytes?: number;
  readonly speed?: Partial<SpeedLevers>;
  /** Where verdicts on templates and states are kept. Default: the user's own folder. */
  readonly home?: string;
  readonly signal?: AbortSignal;
  readonly onLoad?: (share: number) => void;
}

/**
 * Loads a GGUF file. Throws `CallwrightError`: `model-missing`, `model-file-invalid`, `model-unsupported`, `aborted`,
 * `request-invalid` for a window that no model can have.
 */
export async function openLocalModel(options: OpenLocalModelOptions): Promise<Model> {
  const contextSize = options.contextSize ?? options.profile.context.size;
  if (!Number.isInteger(contextSize) || contextSize < 64) {
    throw new CallwrightError(
      "request-invalid",
      `A window of ${contextSize} tokens is too small; give at least 64.`,
    );
  }
  const { runtime } = options.profile;
  const opened = await LlamaRuntime.open({
    path: options.path,
    contextSize,
    threads: options.threads ?? runtime.threads,
    batch: runtime.batch,
    flashAttention: runtime.flashAttention,
    sequences: options.sequences ?? runtime.sequences,
    ...(options.gpuLayers === undefined ? {} : { gpuLayers: options.gpuLayers }),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.onLoad ? { onLoad: options.onLoad } : {}),
  });
  try {
    const text = options.profile.template.replacement ?? opened.template;
    const template = text === undefined ? {} : { template: await openTemplate(text, opened, options) };
    const id = options.id ?? basename(options.path, ".gguf");
    const prefixes = await openPrefixes(opened, options);
    return new LocalModel(opened, {
      id,
      path: options.path,
      ...template,
      ...(prefixes ? { prefixes } : {}),
      ...(options.speed ? { speed: options.speed } : {}),
    });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

const defaultStateBytes = 2 ** 30;

/** None for a model that cannot take back its tail: what it has beside its tokens is not in such a file. */
async function openPrefixes(
  runtime: LlamaRuntime,
  options: OpenLocalModelOptions,
): Promise<PrefixStore | undefined> {
  const { stateBytes: bytes = defaultStateBytes, home = homeFolder(), path } = options;
  if (bytes <= 0 || runtime.rollback !== "any") return undefined;
  const { flashAttention, kv } = options.profile.runtime;
  const build = [
    runtime.engineVersion,
    runtime.sequences.length,
    flashAttention,
    kv,
    options.gpuLayers ?? "",
  ];
  const identity = ["1", await fileFingerprint(path), ...build].join(" ");
  return createPrefixStore({ folder: statesFolder(home), identity, bytes });
}

async function openTemplate(text: string, runtime: LlamaRuntime, options: OpenLocalModelOptions) {
  const { beginText, endText, templateEngine: engine, engineVersion } = runtime;
  const render = await openRenderer({
    template: text,
    beginText,
    endText,
    home: options.home ?? homeFolder(),
    engine,
    engineVersion,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return { text, render };
}
