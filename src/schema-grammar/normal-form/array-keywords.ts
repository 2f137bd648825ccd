// What the keywords about arrays say, as one shape.
import type { JsonSchema } from "../../vocabulary/index.ts";
import { type ArrayShape, arrayShape } from "../algebra/array-shape.ts";
import type { Scope } from "../algebra/scope.ts";
import { anyTerm, type Term } from "../algebra/term.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { termOfSchema } from "./child-term.ts";
import type { Compilation } from "./compilation.ts";

/** The shape of the arrays that the node allows by its own keywords; undefined where it allows none. */
export function arrayOfNode(
  compilation: Compilation,
  node: SchemaNode,
  scope: Scope,
): ArrayShape | undefined {
  const { schema } = node;
  const { contains, minContains, maxContains, minItems, maxItems, uniqueItems } = schema;
  const items = itemsOfNode(compilation, node, scope);
  const counted =
    contains === undefined
      ? []
      : [
          {
            item: termOfSchema(compilation, contains as JsonSchema, scope),
            min: Number(minContains ?? 1),
            max: maxContains === undefined ? undefined : Number(maxContains),
          },
        ];
  return arrayShape(compilation.algebra, {
    prefix: items.prefix,
    rest: items.rest ?? anyTerm,
    min: Number(minItems ?? 0),
    max: maxItems === undefined ? undefined : Number(maxItems),
    contains: counted,
    isUnique: uniqueItems === true,
  });
}

/** Items by position as `prefixItems`, `items` and `additionalItems` have them; `rest` is undefined where none says. */
export function itemsOfNode(
  compilation: Compilation,
  node: SchemaNode,
  scope: Scope,
): { readonly prefix: readonly Term[]; readonly rest: Term | undefined } {
  const { prefixItems, items, additionalItems } = node.schema;
  const term = (schema: unknown) => termOfSchema(compilation, schema as JsonSchema, scope);
  const listed = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  return { prefix: listed.map(term), rest: rest === undefined ? undefined : term(rest) };
}
