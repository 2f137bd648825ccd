// The catalogue's models that are on this machine, as models to serve. The user's own catalogue may be changed while the server
// runs: a model whose profile changed is opened anew. Fetches nothing.
import { stat } from "node:fs/promises";
import { createEngine, type EngineOptions } from "../engine.ts";
import {
  type Catalogue,
  type EndpointEntry,
  findModel,
  layersOfEndpoint,
  layersOfModel,
  loadCatalogue,
  modelPath,
  nameModel,
  type Profile,
  resolveLayers,
} from "../models/index.ts";
import { defaultLayer } from "../models/profile-layers.ts";
import { isAbsence } from "../vocabulary/index.ts";
import type { ModelSource, ServedModel } from "./server-options.ts";

export interface CatalogueModelsOptions {
  readonly home: string;
  /** Ids, paths or hub URIs, the default model first. Default: every model of the catalogue that is on this machine. */
  readonly names?: readonly string[];
  /** How engines are made, but for their model. */
  readonly engine: Omit<EngineOptions, "model" | "home">;
  /** Told when the catalogue cannot be read any more. */
  readonly log: (line: string) => void;
  /** Milliseconds for which the list is taken to be true. */
  readonly freshMilliseconds?: number;
}

/** Turns that one server of an endpoint is given at once; it queues what it cannot work on. */
const endpointSlots = 8;

/** Weights in memory, with a window's cache beside them; a rough guess, for choosing what makes room. */
const memoryPerFileByte = 1.25;

/** `list` throws what `findModel` throws as long as no list was had. */
export function catalogueModels({
  home,
  names = [],
  engine,
  log,
  freshMilliseconds = 2000,
}: CatalogueModelsOptions): ModelSource {
  let last: readonly ServedModel[] = [];
  let checked = Number.NEGATIVE_INFINITY;
  let fault: string | undefined;

  async function read(): Promise<readonly ServedModel[]> {
    const catalogue = await loadCatalogue({ home });
    if (names.length > 0) return Promise.all(names.map((name) => findNamed(name, catalogue)));
    const ordered = [...catalogue.models].sort(
      (a, b) => Number(b.id === catalogue.default) - Number(a.id === catalogue.default),
    );
    const served: ServedModel[] = [];
    for (const entry of ordered) {
      const bytes = await sizeOf(modelPath(home, entry.id));
      if (bytes === undefined) continue;
      const profile = resolveLayers([defaultLayer, ...layersOfModel(catalogue, { entry })]);
      served.push(servedModel({ id: entry.id, name: entry.id, profile, bytes, family: entry.family }));
    }
    return served;
  }

  async function findNamed(name: string, catalogue: Catalogue): Promise<ServedModel> {
    const named = nameModel(name, catalogue);
    if (named.type === "endpoint") return servedEndpoint(name, named.entry, catalogue);
    const { id, path, profile, entry } = await findModel(name, { home, catalogue });
    const bytes = (await sizeOf(path)) ?? 0;
    return servedModel({
      id,
      name,
      profile,
      bytes,
      ...(entry === undefined ? {} : { family: entry.family }),
    });
  }

  /** Another server's model: it needs no memory here, and works on as many requests as that server does. */
  function servedEndpoint(name: string, entry: EndpointEntry, catalogue: Catalogue): ServedModel {
    const profile = resolveLayers(layersOfEndpoint(catalogue, entry));
    const served = servedModel({ id: entry.id, name, profile, bytes: 0 });
    const contextSize = engine.contextSize ?? entry.context ?? profile.context.size;
    const version = JSON.stringify([entry, profile]);
    return { ...served, contextSize, slots: endpointSlots * entry.urls.length, version };
  }

  function servedModel({ id, name, profile, bytes, family }: Described): ServedModel {
    const quantisation = /(?:^|[-_.])((?:i?q\d\w*|f16|bf16|f32))$/i.exec(id)?.[1];
    return {
      id,
      contextSize: engine.contextSize ?? profile.context.size,
      replySize: profile.context.reserve,
      reasons: profile.reasoning.marks !== undefined,
      bytes: Math.ceil(bytes * memoryPerFileByte),
      ...(family === undefined ? {} : { family }),
      ...(quantisation === undefined ? {} : { quantisation: quantisation.toUpperCase() }),
      version: JSON.stringify(profile),
      createEngine: () => createEngine({ ...engine, home, model: name }),
    };
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

interface Described {
  readonly id: string;
  /** By which the engine finds it. */
  readonly name: string;
  readonly profile: Profile;
  /** Of its file. */
  readonly bytes: number;
  readonly family?: string;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
