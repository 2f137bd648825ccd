// From a schema found under a keyword to its term: true, false and bare references are seen through.
import { CallwrightError, isJsonObject, type JsonSchema } from "../../vocabulary/index.ts";
import { enterScope, type Scope } from "../algebra/scope.ts";
import { anyTerm, noneTerm, schemaTerm, type Term, unknownTerm } from "../algebra/term.ts";
import { findKeyword } from "../reading/keywords.ts";
import { type ReferenceTarget, resolveReference } from "../reading/resolve-reference.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { metaSchema } from "../validator.ts";
import { type Compilation, report } from "./compilation.ts";

const locations = new Set(["$defs", "definitions"]);
/** Bare references that are followed in a row; more are a chain that leads nowhere new. */
const chainLimit = 100;

/** The term of a schema at a place that was reached in the scope. */
export function termOfSchema(compilation: Compilation, schema: JsonSchema, scope: Scope): Term {
  let current = schema;
  let inside = scope;
  for (let steps = 0; ; steps++) {
    if (current === true) return anyTerm;
    if (current === false) return noneTerm;
    const node = nodeOf(compilation, current as object);
    const words = Object.keys(node.schema).filter((name) => findKeyword(name) && !locations.has(name));
    if (words.length === 0) return anyTerm;
    inside = enterScope(compilation.algebra.scopes, inside, node.resource);
    if (words.length > 1 || words[0] !== "$ref" || node.ignoredNames.length > 0 || steps >= chainLimit) {
      return schemaTerm(compilation.algebra.terms, node, inside);
    }
    const target = referenceTarget(compilation, node, "$ref");
    if (target === undefined) return unknownTerm;
    if (target.schema === current) return schemaTerm(compilation.algebra.terms, node, inside);
    inside = enterScope(compilation.algebra.scopes, inside, target.resource);
    current = target.schema;
  }
}

/** The term that a `$ref`, `$dynamicRef` or `$recursiveRef` of the node stands for. */
export function termOfReference(
  compilation: Compilation,
  node: SchemaNode,
  options: { readonly keyword: "$ref" | "$dynamicRef" | "$recursiveRef"; readonly scope: Scope },
): Term {
  const { keyword, scope } = options;
  const target = referenceTarget(compilation, node, keyword);
  if (target === undefined) return unknownTerm;
  const inside = enterScope(compilation.algebra.scopes, scope, target.resource);
  return termOfSchema(compilation, dynamicTarget(target, keyword, scope) ?? target.schema, inside);
}

/** Where the scope moves a dynamic reference to; undefined where it stays. */
function dynamicTarget(target: ReferenceTarget, keyword: string, scope: Scope): JsonSchema | undefined {
  const { anchor, resource } = target;
  if (keyword === "$dynamicRef" && anchor !== undefined && resource.dynamicAnchors.has(anchor)) {
    return scope.anchors.get(anchor);
  }
  return keyword === "$recursiveRef" && resource.isRecursiveAnchor ? scope.recursive : undefined;
}

function referenceTarget(
  compilation: Compilation,
  node: SchemaNode,
  keyword: string,
): ReferenceTarget | undefined {
  const reference = node.schema[keyword] as string;
  const target = resolveReference(compilation.document, node, { reference, knownDocuments: metaSchema });
  if (target !== undefined) return target;
  const pointer = `${node.pointer}/${keyword}`;
  if (!reference.startsWith("#")) {
    const reason = `the document of ${reference} was not handed in, so that it refuses nothing`;
    report(compilation, { pointer, keyword, direction: "over", reason });
    return undefined;
  }
  const message = `The schema is malformed at ${pointer}: nothing in it is named ${reference}. Define it, or mend the reference.`;
  throw new CallwrightError("schema-invalid", message, { pointer });
}

function nodeOf(compilation: Compilation, schema: object): SchemaNode {
  const node = isJsonObject(schema) ? compilation.document.nodes.get(schema) : undefined;
  if (node === undefined) throw new Error("a schema that was not read cannot be compiled");
  return node;
}
