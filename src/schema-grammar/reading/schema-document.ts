// A schema as read: checked, cleaned, with its places, resources and anchors indexed.
import type { JsonObject, JsonSchema } from "../../vocabulary/index.ts";
import type { SchemaWarning } from "../compiled-schema.ts";
import type { Dialect } from "./keywords.ts";

/** A place of a schema that holds keywords. */
export interface SchemaNode {
  readonly id: number;
  /** Cleaned: every keyword in it has a value of the right shape and means something in its dialect. */
  readonly schema: JsonObject;
  /** JSON pointer into the document; in a document other than the first, its URI and `#` stand before it. */
  readonly pointer: string;
  readonly resource: SchemaResource;
  /** Properties declared beside a `$ref` in a draft that ignores them: they say nothing but where people write them. */
  readonly ignoredNames: readonly string[];
}

/** A part of a document with a URI of its own. */
export interface SchemaResource {
  readonly uri: string;
  readonly dialect: Dialect;
  /** Cleaned. */
  readonly root: JsonSchema;
  readonly pointer: string;
  /** The whole document that it stands in. */
  readonly document: SchemaResource | undefined;
  readonly anchors: Map<string, JsonObject>;
  readonly dynamicAnchors: Map<string, JsonObject>;
  isRecursiveAnchor: boolean;
}

/** A schema and all that its references may name. Grows when a reference leads to a part not read before. */
export interface SchemaDocument {
  /** Cleaned. */
  readonly root: JsonSchema;
  readonly resource: SchemaResource;
  readonly nodes: Map<JsonObject, SchemaNode>;
  readonly resources: Map<string, SchemaResource>;
  /** Identifiers written as `id` where no draft is stated: known by that name, without being a base. */
  readonly aliases: Map<string, JsonObject>;
  /** Parts read because a reference leads to them, by their content as given. */
  readonly parts: Map<object, JsonSchema>;
  /** Cleaned places by what was given: an object of JavaScript may stand in many places at once. */
  readonly read: Map<JsonObject, JsonObject>;
  readonly warnings: SchemaWarning[];
  /** Whether any dynamic or recursive anchor exists, so that the way to a place matters. */
  hasDynamicAnchors: boolean;
  /** Documents by URI that were handed in and not read yet. */
  readonly unread: Map<string, unknown>;
}
