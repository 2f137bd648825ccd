// The way by which a place was reached, as far as dynamic references need it: the outermost holder of each anchor.
import type { JsonObject, JsonSchema } from "../../vocabulary/index.ts";
import type { SchemaResource } from "../reading/schema-document.ts";

/** Interned: equal scopes are one object. */
export interface Scope {
  readonly id: number;
  readonly anchors: ReadonlyMap<string, JsonObject>;
  readonly recursive: JsonSchema | undefined;
  /** Scopes entered from this one, by resource. */
  readonly entered: Map<SchemaResource, Scope>;
}

export interface ScopeTable {
  readonly empty: Scope;
  readonly byKey: Map<string, Scope>;
  readonly numbers: Map<object, number>;
}

export function createScopeTable(): ScopeTable {
  const empty: Scope = { id: 0, anchors: new Map(), recursive: undefined, entered: new Map() };
  return { empty, byKey: new Map([["", empty]]), numbers: new Map() };
}

/** The scope after entering a resource. What was entered first keeps its anchors. */
export function enterScope(table: ScopeTable, scope: Scope, resource: SchemaResource): Scope {
  if (resource.dynamicAnchors.size === 0 && !resource.isRecursiveAnchor) return scope;
  const known = scope.entered.get(resource);
  if (known !== undefined) return known;
  const anchors = new Map([...resource.dynamicAnchors, ...scope.anchors]);
  const recursive = scope.recursive ?? (resource.isRecursiveAnchor ? resource.root : undefined);
  const next = intern(table, anchors, recursive);
  scope.entered.set(resource, next);
  return next;
}

function intern(
  table: ScopeTable,
  anchors: Map<string, JsonObject>,
  recursive: JsonSchema | undefined,
): Scope {
  const parts = [...anchors]
    .map(([name, schema]) => `${JSON.stringify(name)}:${numberOf(table, schema)}`)
    .sort();
  const key = `${parts.join(",")};${typeof recursive === "object" ? numberOf(table, recursive) : ""}`;
  const known = table.byKey.get(key);
  if (known !== undefined) return known;
  const scope: Scope = { id: table.byKey.size, anchors, recursive, entered: new Map() };
  table.byKey.set(key, scope);
  return scope;
}

function numberOf(table: ScopeTable, schema: object): number {
  const known = table.numbers.get(schema) ?? table.numbers.size + 1;
  table.numbers.set(schema, known);
  return known;
}
