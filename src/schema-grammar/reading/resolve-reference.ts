// Finds what a `$ref` names: within its resource, in another resource or document by URI, by pointer or by anchor.
// Knows nothing of dynamic scope; the caller turns a dynamic reference into the anchor it lands on.
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  joinPointer,
  unescapeStep,
} from "../../vocabulary/index.ts";
import { readDocument, readPart, resolveUri, withoutFragment } from "./read-schema.ts";
import type { SchemaDocument, SchemaNode, SchemaResource } from "./schema-document.ts";

/** What a reference led to, and the anchor's name where it was named by one. */
export interface ReferenceTarget {
  readonly schema: JsonSchema;
  readonly resource: SchemaResource;
  readonly anchor: string | undefined;
}

/** Documents that are known without being handed in, by URI without fragment. */
export type KnownDocuments = (uri: string) => unknown;

/** What the reference names, or undefined where nothing has that name. */
export function resolveReference(
  document: SchemaDocument,
  from: SchemaNode,
  options: { reference: string; knownDocuments: KnownDocuments },
): ReferenceTarget | undefined {
  const { reference, knownDocuments } = options;
  const at = reference.indexOf("#");
  const fragment = at < 0 ? "" : reference.slice(at + 1);
  if (at === 0) {
    const { resource } = from;
    const found = findInside(document, resource, fragment);
    if (found !== undefined || resource.document === undefined)
      return found ?? findAlias(document, reference);
    // Files whose inner identifiers were never meant as bases point into the whole document all the same.
    return findInside(document, resource.document, fragment);
  }
  const uri = withoutFragment(resolveUri(reference, from.resource.uri));
  const resource = findResource(document, uri, knownDocuments);
  return resource === undefined ? findAlias(document, reference) : findInside(document, resource, fragment);
}

function findResource(
  document: SchemaDocument,
  uri: string,
  knownDocuments: KnownDocuments,
): SchemaResource | undefined {
  const known = document.resources.get(uri);
  if (known !== undefined) return known;
  const content = document.unread.get(uri) ?? knownDocuments(uri);
  return content === undefined ? undefined : readDocument(document, content, uri, `${uri}#`);
}

function findAlias(document: SchemaDocument, reference: string): ReferenceTarget | undefined {
  const schema = document.aliases.get(reference);
  const node = schema && document.nodes.get(schema);
  return node && { schema: node.schema, resource: node.resource, anchor: undefined };
}

function findInside(
  document: SchemaDocument,
  resource: SchemaResource,
  fragment: string,
): ReferenceTarget | undefined {
  if (fragment === "") return { schema: resource.root, resource, anchor: undefined };
  if (fragment.startsWith("/")) return followPointer(document, resource, fragment);
  const anchor = decodePercents(fragment);
  const schema = resource.anchors.get(anchor);
  return schema && { schema, resource, anchor };
}

function followPointer(
  document: SchemaDocument,
  start: SchemaResource,
  fragment: string,
): ReferenceTarget | undefined {
  let current: unknown = start.root;
  let resource = start;
  let pointer = start.pointer;
  for (const raw of fragment.slice(1).split("/")) {
    const step = unescapeStep(decodePercents(raw));
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
    pointer = joinPointer(pointer, step);
    const node = isJsonObject(current) ? document.nodes.get(current) : undefined;
    if (node !== undefined) resource = node.resource;
  }
  if (typeof current === "boolean") return { schema: current, resource, anchor: undefined };
  if (!isJsonObject(current)) return undefined;
  return { schema: partAt(document, resource, { content: current, pointer }), resource, anchor: undefined };
}

function partAt(
  document: SchemaDocument,
  resource: SchemaResource,
  part: { content: JsonObject; pointer: string },
): JsonSchema {
  if (document.nodes.has(part.content)) return part.content;
  const known = document.parts.get(part.content);
  if (known !== undefined) return known;
  const schema = readPart(document, resource, part.content, part.pointer);
  document.parts.set(part.content, schema);
  return schema;
}

function decodePercents(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is no escape; the text then means itself.
    return text;
  }
}
