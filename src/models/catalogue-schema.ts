// JSON Schema of a model catalogue (`models.example.json`, the user's `models.json`), and the check against it.
// Profiles are judged by their own schema, and only after the catalogue as a whole.
import { createValidator } from "../schema-grammar/validator.ts";
import { CallwrightError, type JsonObject } from "../vocabulary/index.ts";
import { type EndpointEntry, endpointApis, endpointEngines } from "./endpoint-entry.ts";
import { firstFault } from "./first-fault.ts";
import type { FamilyProfile, ModelEntry } from "./model-entry.ts";

const name = { type: "string", minLength: 1 } as const;
const size = { type: "integer", minimum: 1 } as const;
const sha256 = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;
const names = { type: "array", items: name, minItems: 1 } as const;

const hubUri = {
  type: "string",
  pattern: "^hf:[\\w.-]+/[\\w.-]+/[^@]+\\.gguf(@[\\w./-]+)?$",
} as const;

const source = {
  type: "object",
  required: ["type"],
  properties: { type: { enum: ["hub", "url", "path", "python-wheels"] } },
  allOf: [
    whenType("hub", { uri: hubUri, size, sha256 }, ["uri"]),
    whenType("url", { url: { type: "string", pattern: "^https?://" }, size, sha256 }),
    whenType("path", { path: name, size, sha256 }),
    whenType("python-wheels", { packages: wheelNames(), files: names, size, sha256 }),
  ],
} as const;

const familyMatch = {
  type: "object",
  additionalProperties: false,
  minProperties: 1,
  properties: { architecture: name, name: { ...name, format: "regex" }, template: name },
} as const;

export const catalogueSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Callwright model catalogue",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: { type: "string" },
    default: name,
    models: {
      type: "array",
      items: {
        type: "object",
        required: ["id"],
        additionalProperties: false,
        properties: {
          id: { type: "string", pattern: "^[a-z0-9][a-z0-9._-]*$" },
          title: name,
          family: name,
          licence: name,
          context: size,
          profile: { type: ["string", "object"] },
          sources: { type: "array", items: source, minItems: 1 },
        },
      },
    },
    endpoints: {
      type: "array",
      items: {
        type: "object",
        required: ["id"],
        additionalProperties: false,
        properties: {
          id: { type: "string", pattern: "^[a-z0-9][a-z0-9._-]*$" },
          title: name,
          urls: {
            type: "array",
            minItems: 1,
            uniqueItems: true,
            items: { type: "string", pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$" },
          },
          engine: { enum: endpointEngines },
          api: { enum: endpointApis },
          model: name,
          keyVariable: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
          headers: { type: "object", additionalProperties: { type: "string" } },
          context: size,
          profile: { type: ["string", "object"] },
        },
      },
    },
    profiles: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: { match: { type: "array", items: familyMatch, minItems: 1 } },
      },
    },
  },
} satisfies JsonObject;

/** One catalogue file as written. An entry whose id the shipped catalogue has may leave out what it does not change. */
export interface CatalogueFile {
  readonly default?: string;
  readonly models?: readonly (Pick<ModelEntry, "id"> & Partial<ModelEntry>)[];
  readonly endpoints?: readonly (Pick<EndpointEntry, "id"> & Partial<EndpointEntry>)[];
  readonly profiles?: Readonly<Record<string, FamilyProfile>>;
}

const findCatalogueFaults = createValidator(catalogueSchema);

/** Checks one catalogue file. Throws `catalogue-invalid` with the pointer of the first fault. */
export function parseCatalogue(value: unknown, file: string): CatalogueFile {
  const fault = firstFault(findCatalogueFaults(value));
  if (fault !== undefined) {
    throw catalogueFault(file, fault.pointer, fault.text);
  }
  const catalogue = value as CatalogueFile;
  checkEntries(catalogue, file);
  return catalogue;
}

/** The one form of errors about a catalogue. */
export function catalogueFault(file: string, pointer: string, text: string): CallwrightError {
  const place = pointer === "" ? "its root" : pointer;
  return new CallwrightError(
    "catalogue-invalid",
    `The catalogue ${file} is not valid at ${place}: ${text}.`,
    {
      pointer,
    },
  );
}

function checkEntries(catalogue: CatalogueFile, file: string): void {
  const seen = new Set<string>();
  for (const [index, { id }] of (catalogue.endpoints ?? []).entries()) {
    if (seen.has(id)) throw catalogueFault(file, `/endpoints/${index}/id`, `the id ${id} is listed twice`);
    seen.add(id);
  }
  for (const [index, entry] of (catalogue.models ?? []).entries()) {
    if (seen.has(entry.id)) {
      throw catalogueFault(file, `/models/${index}/id`, `the id ${entry.id} is listed twice`);
    }
    seen.add(entry.id);
    for (const [at, source] of (entry.sources ?? []).entries()) {
      if (source.type === "python-wheels" && source.packages.length !== source.files.length) {
        const text = `${source.packages.length} packages need as many files, ${source.files.length} came`;
        throw catalogueFault(file, `/models/${index}/sources/${at}/files`, text);
      }
    }
  }
}

function whenType(type: string, properties: JsonObject, required = Object.keys(properties)) {
  return {
    if: { properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's keyword.
    then: { required, properties: { type: true, ...properties }, additionalProperties: false },
  };
}

function wheelNames() {
  return {
    type: "array",
    minItems: 1,
    items: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.+!_-]+$" },
  };
}
