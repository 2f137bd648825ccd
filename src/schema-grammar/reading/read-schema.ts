// Reads a schema: checks each keyword's value, cleans what real files carry (null keywords, empty arrays for
// objects, boolean bounds of draft 4, OpenAPI's nullable), and indexes identifiers and anchors.
// Changes nothing that it was given, and does not know what the keywords mean.
import { isJsonObject, type JsonObject, type JsonSchema, joinPointer } from "../../vocabulary/index.ts";
import { cleanPlainValue, depthLimit, inShort, invalid, tooDeep } from "./clean-values.ts";
import { indexAnchors } from "./index-anchors.ts";
import {
  type Dialect,
  dialectOf,
  dialectOfMetaSchema,
  findKeyword,
  isKeywordOf,
  type Keyword,
  unstatedDialect,
} from "./keywords.ts";
import { mendBounds, mendContains, mendNullable, mendPrototypeKey } from "./mend-keywords.ts";
import type { SchemaDocument, SchemaResource } from "./schema-document.ts";

const defaultBase = "schema:///root.json";
const objectShapes = new Set(["schema-map", "name-list-map", "dependencies"]);
/** Words that cleaning has dealt with, or that would mislead a validator. */
const readElsewhere = new Set(["id", "nullable", "$async"]);
const keptBesideRef = new Set([
  "$ref",
  "$defs",
  "definitions",
  "$schema",
  "$comment",
  "title",
  "description",
]);

/** Reads a document. Throws `CallwrightError` (`schema-invalid`, `schema-too-deep`) with the pointer of the fault. */
export function readSchema(
  schema: unknown,
  documents: Readonly<Record<string, unknown>> = {},
): SchemaDocument {
  const unread = new Map<string, unknown>();
  for (const [uri, content] of Object.entries(documents)) unread.set(withoutFragment(uri), content);
  const document = {
    nodes: new Map(),
    resources: new Map(),
    aliases: new Map(),
    parts: new Map(),
    read: new Map(),
    warnings: [],
    hasDynamicAnchors: false,
    unread,
  } as unknown as { -readonly [K in keyof SchemaDocument]: SchemaDocument[K] };
  const resource = readDocument(document, schema, defaultBase, "");
  document.root = resource.root;
  document.resource = resource;
  return document;
}

/** Reads one more document under a URI and adds it to the index. */
export function readDocument(
  document: SchemaDocument,
  schema: unknown,
  uri: string,
  pointer: string,
): SchemaResource {
  const dialect = statedDialect(document, schema) ?? unstatedDialect;
  const resource = createResource(document, { uri, dialect, pointer, parent: undefined });
  const reader: Reader = { document, resource, depth: 0 };
  (resource as { root: JsonSchema }).root = readPlace(reader, schema, pointer, true);
  return resource;
}

/** By `$schema`: a known draft, or a meta-schema among the documents that were handed in. */
function statedDialect(document: SchemaDocument, schema: unknown): Dialect | undefined {
  const uri = isJsonObject(schema) ? schema.$schema : undefined;
  if (typeof uri !== "string") return undefined;
  return dialectOf(uri) ?? dialectOfMetaSchema(document.unread.get(withoutFragment(uri)));
}

/** Reads a part that stands where no keyword announces a schema, because a reference leads to it. */
export function readPart(
  document: SchemaDocument,
  resource: SchemaResource,
  part: unknown,
  pointer: string,
): JsonSchema {
  return readPlace({ document, resource, depth: 0 }, part, pointer, false);
}

/** `uri` without `#` and what follows. */
export function withoutFragment(uri: string): string {
  const at = uri.indexOf("#");
  return at < 0 ? uri : uri.slice(0, at);
}

interface Reader {
  readonly document: SchemaDocument;
  readonly resource: SchemaResource;
  readonly depth: number;
}

function createResource(
  document: SchemaDocument,
  options: { uri: string; dialect: Dialect; pointer: string; parent: SchemaResource | undefined },
): SchemaResource {
  const { uri, dialect, pointer, parent } = options;
  const resource: SchemaResource = {
    uri,
    dialect,
    root: true,
    pointer,
    document: parent?.document ?? parent,
    anchors: new Map(),
    dynamicAnchors: new Map(),
    isRecursiveAnchor: false,
  };
  if (!document.resources.has(uri)) document.resources.set(uri, resource);
  return resource;
}

function readPlace(reader: Reader, schema: unknown, pointer: string, isRoot: boolean): JsonSchema {
  if (typeof schema === "boolean") return schema;
  if (!isJsonObject(schema)) {
    if (Array.isArray(schema) && schema.length === 0) {
      warn(reader, pointer, "empty array read as empty object");
      return readPlace(reader, {}, pointer, isRoot);
    }
    throw invalid(pointer, `a schema has to be an object or a boolean, not ${inShort(schema)}`);
  }
  const known = readBefore(reader, schema);
  if (known !== undefined) return known;
  if (reader.depth > depthLimit) throw tooDeep(pointer);
  const inside = enterResource(reader, schema, pointer, isRoot);
  const cleaned = cleanKeywords(inside, schema, pointer);
  if (inside.resource !== reader.resource) (inside.resource as { root: JsonSchema }).root = cleaned;
  const { document } = reader;
  document.read.set(schema, cleaned);
  document.nodes.set(cleaned, {
    id: document.nodes.size,
    schema: cleaned,
    pointer,
    resource: inside.resource,
    ignoredNames:
      dropsSiblings(inside, schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : [],
  });
  indexAnchors(inside, { raw: schema, cleaned, pointer });
  return cleaned;
}

/** What one object in several places was read as, where it stands in one resource each time. */
function readBefore({ document, resource }: Reader, schema: JsonObject): JsonSchema | undefined {
  const known = document.read.get(schema);
  return known !== undefined && document.nodes.get(known)?.resource === resource ? known : undefined;
}

/** Where `$id` (`id` in draft 4) begins a resource of its own, the reader for it; else the reader one level deeper. */
function enterResource(reader: Reader, schema: JsonObject, pointer: string, isRoot: boolean): Reader {
  const { document, resource } = reader;
  const inside = { document, resource, depth: reader.depth + 1 };
  const { dialect } = resource;
  const id = schema[dialect.isStated && dialect.draft === 4 ? "id" : "$id"];
  const isIgnored = dialect.isStated && dialect.draft <= 7 && schema.$ref !== undefined;
  if (typeof id !== "string" || isIgnored) return inside;
  // Up to draft 7 a fragment as identifier is an anchor.
  if (id.startsWith("#")) return inside;
  const uri = withoutFragment(resolveUri(id, resource.uri));
  if (isRoot) {
    document.resources.set(uri, resource);
    (resource as { uri: string }).uri = uri;
    return inside;
  }
  const own = dialectOf(schema.$schema) ?? dialect;
  const parent = resource;
  return { ...inside, resource: createResource(document, { uri, dialect: own, pointer, parent }) };
}

/** A reference made absolute; unchanged where it is no URI at all. */
export function resolveUri(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}

/** Whether the draft ignores what stands beside `$ref` here. */
function dropsSiblings(reader: Reader, schema: JsonObject): boolean {
  const { dialect } = reader.resource;
  return dialect.isStated && dialect.draft <= 7 && typeof schema.$ref === "string";
}

function cleanKeywords(reader: Reader, schema: JsonObject, pointer: string): JsonObject {
  const { dialect } = reader.resource;
  const isAlone = dropsSiblings(reader, schema);
  const keepsId = dialect.isStated && dialect.draft === 4;
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(schema)) {
    const keyword = findKeyword(name);
    if (keyword === undefined) {
      if (!readElsewhere.has(name) || (name === "id" && keepsId)) entries.push([name, value]);
      continue;
    }
    if (!isKeywordOf(name, keyword, dialect) || (isAlone && !keptBesideRef.has(name))) continue;
    const at = joinPointer(pointer, name);
    const cleaned = cleanValue(reader, keyword, value, at);
    if (cleaned !== undefined) entries.push([name, cleaned]);
  }
  return mendPrototypeKey(mendContains(mendNullable(mendBounds(entries, dialect), schema.nullable === true)));
}

/** The value as it is read; undefined where the keyword is left out. */
function cleanValue(reader: Reader, keyword: Keyword, value: unknown, pointer: string): unknown {
  if (value === null && keyword.shape !== "value") {
    warn(reader, pointer, "null keyword ignored");
    return undefined;
  }
  if (objectShapes.has(keyword.shape) && Array.isArray(value) && value.length === 0) {
    warn(reader, pointer, "empty array read as empty object");
    return {};
  }
  switch (keyword.shape) {
    case "schema":
      return readPlace(reader, value, pointer, false);
    case "schema-list":
      return readList(reader, value, pointer);
    case "schema-or-list":
      return Array.isArray(value) && value.length > 0
        ? readList(reader, value, pointer)
        : readPlace(reader, value, pointer, false);
    case "schema-map":
      return readMap(reader, value, pointer);
    case "dependencies":
    case "name-list-map":
      return readDependencies(reader, value, pointer);
    default:
      return cleanPlainValue({
        shape: keyword.shape,
        value,
        pointer,
        warn: (at, text) => warn(reader, at, text),
      });
  }
}

function readList(reader: Reader, value: unknown, pointer: string): JsonSchema[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid(pointer, `it has to be a list of at least one schema, not ${inShort(value)}`);
  }
  return value.map((item, index) => readPlace(reader, item, `${pointer}/${index}`, false));
}

function readMap(reader: Reader, value: unknown, pointer: string): JsonObject {
  if (!isJsonObject(value)) throw invalid(pointer, `it has to be an object, not ${inShort(value)}`);
  const entries: [string, JsonSchema][] = [];
  for (const [name, item] of Object.entries(value)) {
    const at = joinPointer(pointer, name);
    if (item === null) warn(reader, at, "null keyword ignored");
    else entries.push([name, readPlace(reader, item, at, false)]);
  }
  return Object.fromEntries(entries);
}

function readDependencies(reader: Reader, value: unknown, pointer: string): JsonObject {
  if (!isJsonObject(value)) throw invalid(pointer, `it has to be an object, not ${inShort(value)}`);
  const entries: [string, JsonSchema | readonly string[]][] = [];
  for (const [name, item] of Object.entries(value)) {
    const at = joinPointer(pointer, name);
    if (typeof item === "string") entries.push([name, [item]]);
    else if (Array.isArray(item) && item.every((entry) => typeof entry === "string"))
      entries.push([name, item]);
    else entries.push([name, readPlace(reader, item, at, false)]);
  }
  return Object.fromEntries(entries);
}

function warn(reader: Reader, pointer: string, text: string): void {
  reader.document.warnings.push({ pointer, text });
}
