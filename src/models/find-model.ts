// From what a person names as the model to a file and its profile: a catalogue id, a `.gguf` path, or a hub URI.
// Fetches nothing unless told to; a missing model is an error that names the command which fetches it.
import { open, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { CallwrightError, isAbsence, systemErrorCode } from "../vocabulary/index.ts";
import { type Catalogue, layersOfModel, loadCatalogue } from "./catalogue.ts";
import type { EndpointEntry } from "./endpoint-entry.ts";
import { type FetchModelOptions, fetchModel } from "./fetch-model.ts";
import { checkModelFile, removeModelFile } from "./file-record.ts";
import { checkGguf, type GgufHeader } from "./local/check-gguf.ts";
import { layerOfFile } from "./match-family.ts";
import type { FetchableModel, ModelEntry } from "./model-entry.ts";
import { modelPath } from "./model-path.ts";
import { askNearNames } from "./near-names.ts";
import type { Profile } from "./profile.ts";
import { defaultLayer, type ProfileLayer, resolveLayers } from "./profile-layers.ts";
import { parseHubUri } from "./sources/hub-source.ts";

export interface FoundModel {
  /** The catalogue id, the hub URI, or the file's name without `.gguf`. */
  readonly id: string;
  readonly path: string;
  readonly profile: Profile;
  /** The profile by who set what: the defaults, the file itself, then the catalogues. */
  readonly layers: readonly ProfileLayer[];
  /** What the file says of its model; absent where it cannot be read, which is said when it is opened. */
  readonly header?: GgufHeader;
  readonly entry?: ModelEntry;
}

export interface FindModelOptions extends FetchModelOptions {
  /** Fetch a model that is not there. Only for commands that say so. */
  readonly fetch?: boolean;
  /** Loaded from `home` where not given. */
  readonly catalogue?: Catalogue;
}

/** What a name stands for, before any file is looked at. */
export type NamedModel =
  | { readonly type: "entry"; readonly model: ModelEntry }
  | { readonly type: "hub"; readonly model: FetchableModel }
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "endpoint"; readonly entry: EndpointEntry };

/**
 * Finds the model; the catalogue's default where none is named.
 * Throws `CallwrightError`: `model-unknown` (with near names), `model-missing`, `model-file-invalid` (the file was
 * removed if it was in the cache), and what `fetchModel` throws.
 */
export async function findModel(name: string | undefined, options: FindModelOptions): Promise<FoundModel> {
  const catalogue = options.catalogue ?? (await loadCatalogue(options));
  const named = nameModel(name ?? catalogue.default, catalogue);
  switch (named.type) {
    case "entry": {
      const path = await pathOf(named.model, options);
      return foundModel(catalogue, { id: named.model.id, path, entry: named.model });
    }
    case "hub": {
      const path = await pathOf(named.model, options);
      return foundModel(catalogue, { id: named.model.id, path });
    }
    case "file": {
      await checkMagic(named.path);
      const id = basename(named.path).replace(/\.gguf$/i, "");
      return foundModel(catalogue, { id, path: named.path });
    }
    case "endpoint": {
      const text = `${named.entry.id} is a server, not a file: what is asked for here needs a model of its own.`;
      throw new CallwrightError("request-invalid", text);
    }
    default:
      return named satisfies never;
  }
}

/** Reads a name as an id, a hub URI, a path, or the address of a server. Throws `model-unknown`. */
export function nameModel(name: string, catalogue: Catalogue): NamedModel {
  const entry = catalogue.models.find(({ id }) => id === name);
  if (entry !== undefined) return { type: "entry", model: entry };
  const endpoint = catalogue.endpoints.find(({ id }) => id === name);
  if (endpoint !== undefined) return { type: "endpoint", entry: endpoint };
  if (/^https?:\/\//i.test(name)) return { type: "endpoint", entry: { id: name, urls: [name] } };
  if (/^hf:/i.test(name)) {
    if (parseHubUri(name) !== undefined) {
      return { type: "hub", model: { id: name, sources: [{ type: "hub", uri: name }] } };
    }
    throw new CallwrightError(
      "model-unknown",
      `"${name}" is not a hub URI of the form hf:owner/repo/file.gguf[@revision].`,
    );
  }
  if (/\.gguf$/i.test(name)) return { type: "file", path: resolve(name) };
  const hint = askNearNames(
    name,
    [...catalogue.models, ...catalogue.endpoints].map(({ id }) => id),
  );
  throw new CallwrightError(
    "model-unknown",
    `There is no model "${name}".${hint} A model is an id from "callwright models list", a path ending in .gguf, hf:owner/repo/file.gguf, or the address of a server (http://…/v1).`,
  );
}

async function pathOf(model: FetchableModel, options: FindModelOptions): Promise<string> {
  if (options.fetch === true) return fetchModel(model, options);
  const path = modelPath(options.home, model.id);
  const onHash = () => options.onNotice?.(`checking ${model.id}, once`);
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const check = await checkModelFile(path, model, { onHash, ...signal });
  switch (check.type) {
    case "good":
      return path;
    case "missing":
      throw new CallwrightError(
        "model-missing",
        `The model ${model.id} is not on this machine. Fetch it with: callwright models pull ${model.id}`,
      );
    case "wrong":
      await removeModelFile(path);
      throw new CallwrightError(
        "model-file-invalid",
        `The file of ${model.id} was removed: ${check.reason}. Fetch it again with: callwright models pull ${model.id}`,
      );
    default:
      return check satisfies never;
  }
}

/** A file outside the cache is the user's own: refused where it cannot be a model, but never touched. */
async function checkMagic(path: string): Promise<void> {
  const refuse = (error: unknown): never => {
    if (isAbsence(error)) throw new CallwrightError("model-missing", `There is no file ${path}.`);
    const reason = systemErrorCode(error) ?? String(error);
    throw new CallwrightError("file-unreadable", `${path} cannot be read (${reason}).`, { cause: error });
  };
  const stats = await stat(path).catch(refuse);
  // A pipe or a device would keep whoever opens it waiting.
  if (!stats.isFile()) throw new CallwrightError("file-unreadable", `${path} is not a file.`);
  const file = await open(path, "r").catch(refuse);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    if (bytesRead === 4 && buffer.toString("latin1") === "GGUF") return;
  } catch (error) {
    throw new CallwrightError("file-unreadable", `${path} cannot be read.`, { cause: error });
  } finally {
    await file.close();
  }
  throw new CallwrightError(
    "model-file-invalid",
    `${path} is not a GGUF file. Name a model file of llama.cpp, or see "callwright models list" for what can be fetched.`,
  );
}

function foundModel(
  catalogue: Catalogue,
  { id, path, entry }: Pick<FoundModel, "id" | "path" | "entry">,
): FoundModel {
  const header = readHeader(path);
  const file = header === undefined ? {} : { header };
  const layers = profileLayers(catalogue, {
    id,
    fileName: basename(path),
    ...file,
    ...(entry ? { entry } : {}),
  });
  return { id, path, profile: resolveLayers(layers), layers, ...file, ...(entry ? { entry } : {}) };
}

/** How a model is treated, by who says so. A file that is named like that of an entry is treated like it. */
export function profileLayers(
  catalogue: Catalogue,
  model: Pick<FoundModel, "id" | "entry" | "header"> & { readonly fileName?: string },
): readonly ProfileLayer[] {
  const { id, header, fileName = "" } = model;
  const entry =
    model.entry ?? catalogue.models.find((one) => fileNames(one).includes(fileName.toLowerCase()));
  const own = layersOfModel(catalogue, {
    ...(entry === undefined ? {} : { entry }),
    ...(header === undefined ? {} : { file: { header, fileName } }),
  });
  const named = { ...defaultLayer, values: { ...defaultLayer.values, name: entry?.id ?? id } };
  return [named, ...(header === undefined ? [] : [layerOfFile(header)]), ...own];
}

function readHeader(path: string): GgufHeader | undefined {
  try {
    return checkGguf(path);
  } catch (error) {
    if (error instanceof CallwrightError) return undefined;
    throw error;
  }
}

function fileNames({ id, sources }: ModelEntry): readonly string[] {
  const names = sources.map((source) => {
    switch (source.type) {
      case "hub":
        return basename(source.uri.replace(/@[^@]*$/, ""));
      case "url":
        return basename(new URL(source.url).pathname);
      case "path":
        return basename(source.path);
      case "python-wheels":
        return source.files.length === 1 ? basename(source.files[0] ?? "") : "";
      default:
        return source satisfies never;
    }
  });
  return [`${id}.gguf`, ...names].map((name) => name.toLowerCase());
}
