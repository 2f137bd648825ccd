// Loads the model catalogue: the one shipped with the package, with the user's own `models.json` laid over it.
// Knows entries and profiles; fetching and finding files is elsewhere.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { CallwrightError, isAbsence, joinPointer, systemErrorCode } from "../vocabulary/index.ts";
import { type CatalogueFile, catalogueFault, parseCatalogue } from "./catalogue-schema.ts";
import type { EndpointEntry } from "./endpoint-entry.ts";
import { userCataloguePath } from "./home-folder.ts";
import { type Family, layerOfFile, type ModelFile, matchFamily } from "./match-family.ts";
import type { ModelEntry } from "./model-entry.ts";
import { defaultLayer, type ProfileLayer, type ProfileOrigin, resolveLayers } from "./profile-layers.ts";
import { parseProfile } from "./profile-schema.ts";

export interface Catalogue {
  /** Id of the model that is used where none is named. */
  readonly default: string;
  readonly models: readonly ModelEntry[];
  /** Servers of models. */
  readonly endpoints: readonly EndpointEntry[];
  /** By name, each as layers: what it extends, then its own. */
  readonly profiles: Readonly<Record<string, readonly ProfileLayer[]>>;
  /** In the order in which a model's file is compared with them: the user's first. */
  readonly families: readonly Family[];
  /** By id, the name of the file that had the last word on how the entry's model is treated. */
  readonly entryFiles: Readonly<Record<string, string>>;
}

export interface LoadCatalogueOptions {
  /** Folder that may hold the user's `models.json`. */
  readonly home: string;
  /** The shipped catalogue; the package's own by default. */
  readonly shipped?: string;
}

// The same place relative to `src/models/` and to `dist/models/`.
const shippedCatalogue = fileURLToPath(new URL("../../models.example.json", import.meta.url));

/** Throws `catalogue-invalid` or `profile-invalid` with a pointer, `file-unreadable` where a file cannot be read. */
export async function loadCatalogue(options: LoadCatalogueOptions): Promise<Catalogue> {
  const shippedPath = options.shipped ?? shippedCatalogue;
  const userPath = userCataloguePath(options.home);
  const shipped = await readCatalogue(shippedPath);
  if (shipped === undefined) {
    throw new CallwrightError(
      "file-unreadable",
      `The shipped catalogue ${shippedPath} is missing; install again.`,
    );
  }
  const user = (await readCatalogue(userPath)) ?? {};
  const below = layProfileFile(new Map(), shipped, shippedPath);
  const profiles = layProfileFile(below, user, userPath);
  const shippedModels = layEntries([], shipped, { file: shippedPath, profiles: below });
  const models = layEntries(shippedModels, user, { file: userPath, profiles });
  const shippedEndpoints = layEndpoints([], shipped, { file: shippedPath, profiles: below });
  const endpoints = layEndpoints(shippedEndpoints, user, { file: userPath, profiles });
  const entryFiles = [
    ...(shipped.models ?? []).map(({ id }) => [id, basename(shippedPath)] as const),
    ...(user.models ?? [])
      .filter(({ profile, context }) => profile !== undefined || context !== undefined)
      .map(({ id }) => [id, basename(userPath)] as const),
    ...(shipped.endpoints ?? []).map(({ id }) => [id, basename(shippedPath)] as const),
    ...(user.endpoints ?? []).map(({ id }) => [id, basename(userPath)] as const),
  ];
  const chosen = user.default ?? shipped.default;
  const known = [...models, ...endpoints];
  const twice = endpoints.find(({ id }) => models.some((model) => model.id === id));
  if (twice !== undefined) {
    throw catalogueFault(userPath, "/endpoints", `${twice.id} is the id of a model too; choose another one`);
  }
  if (chosen === undefined || !known.some(({ id }) => id === chosen)) {
    const file = user.default === undefined ? shippedPath : userPath;
    throw catalogueFault(file, "/default", `no model has the id ${chosen ?? "(none)"}`);
  }
  return {
    default: chosen,
    models,
    endpoints,
    profiles: Object.fromEntries(profiles),
    families: [...familiesOf(user), ...familiesOf(shipped)],
    entryFiles: Object.fromEntries(entryFiles),
  };
}

/** The profile of models that neither an entry nor a family speaks for. */
const unknownFamily = "unknown";

/**
 * What the catalogue says of a model, by its entry, else by the family of its file, else as unknown. Its window is never larger than what it
 * was trained for.
 */
export function layersOfModel(
  catalogue: Catalogue,
  { entry, file }: { readonly entry?: ModelEntry; readonly file?: ModelFile },
): readonly ProfileLayer[] {
  const family = file === undefined ? undefined : matchFamily(catalogue.families, file);
  if (entry === undefined) return catalogue.profiles[family ?? unknownFamily] ?? [];
  const own = layersOfEntry(catalogue, entry, family);
  const { size } = resolveLayers([defaultLayer, ...own]).context;
  if (entry.context === undefined || entry.context >= size) return own;
  return [...own, { origin: originOf(catalogue, entry), values: { context: { size: entry.context } } }];
}

/**
 * How the model of an endpoint is treated: as its entry says, else by the family that the model's name and template show,
 * else as unknown.
 */
export function layersOfEndpoint(
  catalogue: Catalogue,
  entry: EndpointEntry,
  server?: { readonly model: string; readonly template?: string },
): readonly ProfileLayer[] {
  const { model = entry.model ?? "", template } = server ?? {};
  const header = { architecture: "", ...(template === undefined ? {} : { template }) };
  const family = matchFamily(catalogue.families, { header, fileName: model.split("/").at(-1) ?? "" });
  const named = { ...defaultLayer, values: { ...defaultLayer.values, name: entry.id } };
  return [named, layerOfFile(header), ...layersOfEntry(catalogue, entry, family)];
}

function layersOfEntry(
  catalogue: Catalogue,
  entry: Pick<ModelEntry, "id" | "profile">,
  family: string | undefined,
): readonly ProfileLayer[] {
  const profile = entry.profile ?? family ?? unknownFamily;
  if (typeof profile === "string") return catalogue.profiles[profile] ?? [];
  const { extends: base, ...own } = profile;
  const below = base === undefined ? [] : (catalogue.profiles[base] ?? []);
  return [...below, { origin: originOf(catalogue, entry), values: { name: entry.id, ...own } }];
}

function originOf({ entryFiles }: Catalogue, { id }: Pick<ModelEntry, "id">): ProfileOrigin {
  return { type: "entry", id, file: entryFiles[id] ?? "" };
}

function familiesOf({ profiles = {} }: CatalogueFile): readonly Family[] {
  return Object.entries(profiles).flatMap(([profile, { match }]) =>
    match === undefined ? [] : [{ profile, match }],
  );
}

async function readCatalogue(path: string): Promise<CatalogueFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isAbsence(error)) return undefined;
    const reason = systemErrorCode(error) ?? String(error);
    throw new CallwrightError("file-unreadable", `The catalogue ${path} cannot be read (${reason}).`, {
      cause: error,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw catalogueFault(
      path,
      "",
      `it is not JSON (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  return parseCatalogue(value, path);
}

type ProfileTable = ReadonlyMap<string, readonly ProfileLayer[]>;

/** A file's profiles over those below. One that extends its own name is laid over the one of that name below. */
function layProfileFile(below: ProfileTable, { profiles = {} }: CatalogueFile, file: string): ProfileTable {
  const laid = new Map(below);
  const written = new Map(Object.entries(profiles));
  for (const name of written.keys()) laid.set(name, resolve(name, []));
  return laid;

  function resolve(name: string, path: readonly string[]): readonly ProfileLayer[] {
    const profile = written.get(name);
    if (profile === undefined) return below.get(name) ?? [];
    const { extends: base, match: _match, ...own } = profile;
    const pointer = joinPointer("/profiles", name);
    parseProfile(own, { file, pointer });
    const layer = {
      origin: { type: "profile", name, file: basename(file) },
      values: { name, ...own },
    } as const;
    if (base === undefined) return [layer];
    if (base === name && below.has(name)) return [...(below.get(name) ?? []), layer];
    if (!written.has(base)) requireProfile(below, base, { file, pointer: `${pointer}/extends` });
    if (base === name || path.includes(base)) {
      throw catalogueFault(file, `${pointer}/extends`, `${name} extends itself in a circle`);
    }
    return [...resolve(base, [...path, name]), layer];
  }
}

function layEntries(
  below: readonly ModelEntry[],
  { models = [] }: CatalogueFile,
  { file, profiles }: { readonly file: string; readonly profiles: ProfileTable },
): readonly ModelEntry[] {
  const entries = new Map(below.map((entry) => [entry.id, entry]));
  for (const [index, written] of models.entries()) {
    const known = entries.get(written.id);
    const sources = written.sources ?? known?.sources;
    if (sources === undefined) {
      throw catalogueFault(file, `/models/${index}`, `a new model (${written.id}) needs "sources"`);
    }
    checkEntryProfile(profiles, written.profile, { file, pointer: `/models/${index}/profile` });
    const described = { title: written.id, family: "unknown", licence: "unknown", ...known };
    entries.set(written.id, { ...described, ...written, sources });
  }
  return [...entries.values()];
}

function layEndpoints(
  below: readonly EndpointEntry[],
  { endpoints = [] }: CatalogueFile,
  { file, profiles }: { readonly file: string; readonly profiles: ProfileTable },
): readonly EndpointEntry[] {
  const entries = new Map(below.map((entry) => [entry.id, entry]));
  for (const [index, written] of endpoints.entries()) {
    const urls = written.urls ?? entries.get(written.id)?.urls;
    if (urls === undefined) {
      throw catalogueFault(file, `/endpoints/${index}`, `a new endpoint (${written.id}) needs "urls"`);
    }
    checkEntryProfile(profiles, written.profile, { file, pointer: `/endpoints/${index}/profile` });
    entries.set(written.id, { ...entries.get(written.id), ...written, urls });
  }
  return [...entries.values()];
}

function checkEntryProfile(profiles: ProfileTable, profile: ModelEntry["profile"], place: Place): void {
  if (profile === undefined) return;
  if (typeof profile === "string") {
    requireProfile(profiles, profile, place);
    return;
  }
  const { extends: base, ...own } = profile;
  if (base !== undefined) requireProfile(profiles, base, { ...place, pointer: `${place.pointer}/extends` });
  parseProfile(own, place);
}

interface Place {
  readonly file: string;
  readonly pointer: string;
}

function requireProfile(profiles: ProfileTable, name: string, { file, pointer }: Place): void {
  if (profiles.has(name)) return;
  const known = [...profiles.keys()].join(", ");
  throw catalogueFault(
    file,
    pointer,
    `there is no profile ${name}${known === "" ? "" : `; known: ${known}`}`,
  );
}
