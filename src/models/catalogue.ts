// Loads the model catalogue: the one shipped with the package, with the user's own `models.json` laid over it.
// Knows entries and profiles; fetching and finding files is elsewhere.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CallwrightError, joinPointer } from "../vocabulary/index.ts";
import { type CatalogueFile, catalogueFault, parseCatalogue } from "./catalogue-schema.ts";
import { userCataloguePath } from "./home-folder.ts";
import type { ModelEntry } from "./model-entry.ts";
import { layProfiles, type PartialProfile, type Profile, resolveProfile } from "./profile.ts";
import { parseProfile } from "./profile-schema.ts";

export interface Catalogue {
  /** Id of the model that is used where none is named. */
  readonly default: string;
  readonly models: readonly ModelEntry[];
  /** By name, each with what it extends already laid under it. */
  readonly profiles: Readonly<Record<string, PartialProfile>>;
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
  const chosen = user.default ?? shipped.default;
  if (chosen === undefined || !models.some(({ id }) => id === chosen)) {
    const file = user.default === undefined ? shippedPath : userPath;
    throw catalogueFault(file, "/default", `no model has the id ${chosen ?? "(none)"}`);
  }
  return { default: chosen, models, profiles: Object.fromEntries(profiles) };
}

/** How a model of the catalogue is treated. Its window is never larger than what it was trained for. */
export function profileOfEntry(catalogue: Catalogue, entry: ModelEntry): Profile {
  const profile = resolveProfile({ name: entry.id }, ...entryLayers(catalogue, entry));
  if (entry.context === undefined || entry.context >= profile.context.size) return profile;
  return resolveProfile(profile, { context: { size: entry.context } });
}

function entryLayers(catalogue: Catalogue, { id, profile }: ModelEntry): readonly PartialProfile[] {
  if (profile === undefined) return [];
  if (typeof profile === "string") return [catalogue.profiles[profile] ?? {}];
  const { extends: base, ...own } = profile;
  return base === undefined ? [own] : [catalogue.profiles[base] ?? {}, { name: id }, own];
}

async function readCatalogue(path: string): Promise<CatalogueFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CallwrightError("file-unreadable", `The catalogue ${path} cannot be read: ${String(error)}`, {
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

type ProfileTable = ReadonlyMap<string, PartialProfile>;

/** A file's profiles over those below. One that extends its own name is laid over the one of that name below. */
function layProfileFile(below: ProfileTable, { profiles = {} }: CatalogueFile, file: string): ProfileTable {
  const laid = new Map(below);
  const written = new Map(Object.entries(profiles));
  for (const name of written.keys()) laid.set(name, resolve(name, []));
  return laid;

  function resolve(name: string, path: readonly string[]): PartialProfile {
    const profile = written.get(name);
    if (profile === undefined) return below.get(name) ?? {};
    const { extends: base, ...own } = profile;
    const pointer = joinPointer("/profiles", name);
    parseProfile(own, { file, pointer });
    if (base === undefined) return { name, ...own };
    if (base === name && below.has(name)) return layProfiles(below.get(name) ?? {}, own);
    if (!written.has(base)) requireProfile(below, base, { file, pointer: `${pointer}/extends` });
    if (base === name || path.includes(base)) {
      throw catalogueFault(file, `${pointer}/extends`, `${name} extends itself in a circle`);
    }
    return layProfiles(resolve(base, [...path, name]), { name }, own);
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
