// The catalogue's models that are on this machine, as models to serve. The user's own catalogue may be changed while the server
// runs: a model whose profile changed is opened anew. Fetches nothing.
import { stat } from "node:fs/promises";
import { createEngine, type EngineOptions } from "../engine.ts";
import { layersOfModel } from "../models/catalogue.ts";
import { loadCatalogue, modelPath, type Profile, resolveLayers } from "../models/index.ts";
import type { ModelEntry } from "../models/model-entry.ts";
import { defaultLayer } from "../models/profile-layers.ts";
import { isAbsence } from "../vocabulary/index.ts";
import type { ModelSource, ServedModel } from "./server-options.ts";

export interface CatalogueModelsOptions {
  readonly home: string;
  /** How engines are made, but for their model. */
  readonly engine: Omit<EngineOptions, "model" | "home">;
  /** Told when the catalogue cannot be read any more. */
  readonly log: (line: string) => void;
  /** Milliseconds for which the list is taken to be true. */
  readonly freshMilliseconds?: number;
}

/** Weights in memory, with a window's cache beside them; a rough guess, for choosing what makes room. */
const memoryPerFileByte = 1.25;

export function catalogueModels({
  home,
  engine,
  log,
  freshMilliseconds = 2000,
}: CatalogueModelsOptions): ModelSource {
  let last: readonly ServedModel[] = [];
  let checked = Number.NEGATIVE_INFINITY;
  let fault: string | undefined;

  async function read(): Promise<readonly ServedModel[]> {
    const catalogue = await loadCatalogue({ home });
    const ordered = [...catalogue.models].sort(
      (a, b) => Number(b.id === catalogue.default) - Number(a.id === catalogue.default),
    );
    const served: ServedModel[] = [];
    for (const entry of ordered) {
      const bytes = await sizeOf(modelPath(home, entry.id));
      if (bytes === undefined) continue;
      const profile = resolveLayers([defaultLayer, ...layersOfModel(catalogue, { entry })]);
      served.push(
        servedModel(entry, {
          profile,
          bytes: Math.ceil(bytes * memoryPerFileByte),
          createEngine: () => createEngine({ ...engine, home, model: entry.id }),
        }),
      );
    }
    return served;
  }

  return {
    list: async () => {
      if (performance.now() - checked < freshMilliseconds) return last;
      try {
        last = await read();
        fault = undefined;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (fault !== message) log(`the catalogue cannot be read, the last one holds: ${message}`);
        fault = message;
        if (last.length === 0) throw error;
      }
      checked = performance.now();
      return last;
    },
    get fault() {
      return fault;
    },
  };
}

function servedModel(
  entry: ModelEntry,
  {
    profile,
    bytes,
    createEngine: create,
  }: { profile: Profile; bytes: number } & Pick<ServedModel, "createEngine">,
): ServedModel {
  const quantisation = /(?:^|[-_.])((?:i?q\d\w*|f16|bf16|f32))$/i.exec(entry.id)?.[1];
  return {
    id: entry.id,
    contextSize: profile.context.size,
    replySize: profile.context.reserve,
    reasons: profile.reasoning.marks !== undefined,
    bytes,
    family: entry.family,
    ...(quantisation === undefined ? {} : { quantisation: quantisation.toUpperCase() }),
    version: JSON.stringify(profile),
    createEngine: create,
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
