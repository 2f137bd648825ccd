// Reads a schema: checks each keyword's value, cleans what real files carry (null keywords, empty arrays for
// objects, boolean bounds of draft 4, OpenAPI's nullable), and indexes identifiers and anchors.
// Changes nothing that it was given, and does not know what the keywords mean.
import { CallwrightError, isJsonObject, type JsonObject, type JsonSchema } from "../../vocabulary/index.ts";
import {
  type Dialect,
  dialectOf,
  dialectOfMetaSchema,
  findKeyword,
  isKeywordOf,
  type Keyword,
  unstatedDialect,
} from "./keywords.ts";
import type { SchemaDocument, SchemaResource } from "./schema-document.ts";

/** Nested containers in a schema beyond which it is refused. */
export const depthLimit = 400;

const defaultBase = "schema:///root.json";
const objectShapes = new Set(["schema-map", "name-list-map", "dependencies"]);
const typeNames = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);
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
      return {};
    }
    throw invalid(pointer, `a schema has to be an object or a boolean, not ${describe(schema)}`);
  }
  const known = readBefore(reader, schema);
  if (known !== undefined) return known;
  if (reader.depth > depthLimit) {
    const message = `The schema nests deeper than ${depthLimit} levels (depth limit), at ${shorten(pointer)}. Use a recursive $ref, or flatten it.`;
    throw new CallwrightError("schema-too-deep", message, { pointer });
  }
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
    const at = `${pointer}/${escapePointer(name)}`;
    const cleaned = cleanValue(reader, keyword, value, at);
    if (cleaned !== undefined) entries.push([name, cleaned]);
  }
  return mendContains(mendNullable(mendBounds(entries, dialect), schema.nullable === true));
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
      return readDependencies(reader, value, pointer);
    default:
      return cleanPlainValue(reader, keyword.shape, value, pointer);
  }
}

function cleanPlainValue(reader: Reader, shape: Keyword["shape"], value: unknown, pointer: string): unknown {
  switch (shape) {
    case "count":
      if (typeof value === "number" && value >= 0 && Number.isInteger(value)) return value;
      throw invalid(pointer, `it has to be a whole number from 0 up, not ${describe(value)}`);
    case "number":
      if (typeof value === "number" && Number.isFinite(value)) return value;
      throw invalid(pointer, `it has to be a number, not ${describe(value)}`);
    case "divisor":
      if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
      throw invalid(pointer, `it has to be a number above 0, not ${describe(value)}`);
    case "bound":
      if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
      throw invalid(pointer, `it has to be a number or a boolean, not ${describe(value)}`);
    case "flag":
      if (typeof value === "boolean") return value;
      throw invalid(pointer, `it has to be true or false, not ${describe(value)}`);
    case "text":
      if (typeof value === "string") return value;
      throw invalid(pointer, `it has to be a string, not ${describe(value)}`);
    case "list":
      if (Array.isArray(value)) return value;
      throw invalid(pointer, `it has to be an array, not ${describe(value)}`);
    case "types":
      return cleanTypes(value, pointer);
    case "name-list":
      return cleanNames(reader, value, pointer);
    case "name-list-map":
      return readDependencies(reader, value, pointer);
    default:
      return value;
  }
}

function cleanTypes(value: unknown, pointer: string): unknown {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const wrong = names.find((name) => typeof name !== "string" || !typeNames.has(name));
  if (wrong === undefined && names.length > 0) return value;
  throw invalid(pointer, `a type is one of ${[...typeNames].join(", ")}, not ${describe(wrong ?? value)}`);
}

function cleanNames(reader: Reader, value: unknown, pointer: string): unknown {
  if (typeof value === "boolean") {
    // Draft 3 marked a property as required with a boolean of its own; it says nothing in later drafts.
    warn(
      reader,
      pointer,
      "boolean ignored: names of required properties stand in a list beside `properties`",
    );
    return undefined;
  }
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw invalid(pointer, `it has to be a list of property names, not ${describe(value)}`);
}

function readList(reader: Reader, value: unknown, pointer: string): JsonSchema[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid(pointer, `it has to be a list of at least one schema, not ${describe(value)}`);
  }
  return value.map((item, index) => readPlace(reader, item, `${pointer}/${index}`, false));
}

function readMap(reader: Reader, value: unknown, pointer: string): JsonObject {
  if (!isJsonObject(value)) throw invalid(pointer, `it has to be an object, not ${describe(value)}`);
  const entries: [string, JsonSchema][] = [];
  for (const [name, item] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(name)}`;
    if (item === null) warn(reader, at, "null keyword ignored");
    else entries.push([name, readPlace(reader, item, at, false)]);
  }
  return Object.fromEntries(entries);
}

function readDependencies(reader: Reader, value: unknown, pointer: string): JsonObject {
  if (!isJsonObject(value)) throw invalid(pointer, `it has to be an object, not ${describe(value)}`);
  const entries: [string, JsonSchema | readonly string[]][] = [];
  for (const [name, item] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(name)}`;
    if (typeof item === "string") entries.push([name, [item]]);
    else if (Array.isArray(item) && item.every((entry) => typeof entry === "string"))
      entries.push([name, item]);
    else entries.push([name, readPlace(reader, item, at, false)]);
  }
  return Object.fromEntries(entries);
}

/** Draft 4's boolean bounds become the numbers of later drafts; where draft 4 is stated, numeric ones mean nothing. */
function mendBounds(entries: [string, unknown][], dialect: Dialect): [string, unknown][] {
  if (!entries.some(([name]) => name.startsWith("exclusive"))) return entries;
  const keywords = new Map(entries);
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const value = keywords.get(exclusive);
    if (typeof value === "number" && dialect.isStated && dialect.draft === 4) keywords.delete(exclusive);
    if (typeof value !== "boolean") continue;
    const limit = keywords.get(bound);
    keywords.delete(exclusive);
    if (!value || limit === undefined) continue;
    keywords.delete(bound);
    keywords.set(exclusive, limit);
  }
  return [...keywords];
}

/** OpenAPI's `nullable: true` beside a type, as a type. */
function mendNullable(entries: [string, unknown][], isNullable: boolean): JsonObject {
  const cleaned = Object.fromEntries(entries) as JsonObject;
  const type = cleaned.type;
  if (!isNullable || type === undefined) return cleaned;
  const types = Array.isArray(type) ? type : [type];
  return types.includes("null") ? cleaned : { ...cleaned, type: [...types, "null"] };
}

/** `contains` asks for an item, which `minItems` then says as well: ajv forgets it for an empty array after a full one. */
function mendContains(schema: JsonObject): JsonObject {
  const { contains, minContains = 1, minItems = 0 } = schema;
  return contains === undefined || minContains === 0 || minItems !== 0 ? schema : { ...schema, minItems: 1 };
}

function indexAnchors(
  reader: Reader,
  place: { raw: JsonObject; cleaned: JsonObject; pointer: string },
): void {
  const { document, resource } = reader;
  const { raw, cleaned } = place;
  const { draft, isStated } = resource.dialect;
  const id = raw.$id ?? raw.id;
  if (typeof id === "string" && id.startsWith("#") && (draft <= 7 || !isStated)) {
    resource.anchors.set(id.slice(1), cleaned);
  }
  if (!isStated && typeof raw.id === "string") document.aliases.set(raw.id, cleaned);
  const anchor = raw.$anchor;
  if (typeof anchor === "string" && draft >= 2019) resource.anchors.set(anchor, cleaned);
  const dynamic = raw.$dynamicAnchor;
  if (typeof dynamic === "string" && draft >= 2020) {
    resource.anchors.set(dynamic, cleaned);
    resource.dynamicAnchors.set(dynamic, cleaned);
    document.hasDynamicAnchors = true;
  }
  if (raw.$recursiveAnchor === true && place.pointer === resource.pointer && (draft === 2019 || !isStated)) {
    resource.isRecursiveAnchor = true;
    document.hasDynamicAnchors = true;
  }
}

/** A name as a step of a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

function warn(reader: Reader, pointer: string, text: string): void {
  reader.document.warnings.push({ pointer, text });
}

function invalid(pointer: string, reason: string): CallwrightError {
  const message = `The schema is malformed at ${pointer === "" ? "its root" : shorten(pointer)}: ${reason}.`;
  return new CallwrightError("schema-invalid", message, { pointer });
}

function shorten(pointer: string): string {
  return pointer.length <= 120 ? pointer : `${pointer.slice(0, 60)} … ${pointer.slice(-40)}`;
}

function describe(value: unknown): string {
  if (value === undefined) return "undefined";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
