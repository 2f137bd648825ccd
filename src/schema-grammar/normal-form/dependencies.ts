// `dependentRequired`, `dependentSchemas` and the older `dependencies`: one key calls for others, or for a schema.
import type { JsonSchema } from "../../vocabulary/index.ts";
import { type Language, noLanguage } from "../algebra/language.ts";
import { objectShape } from "../algebra/object-shape.ts";
import type { Scope } from "../algebra/scope.ts";
import { hasTerm, unstatedTerm } from "../algebra/term.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { termOfSchema } from "./child-term.ts";
import type { Compilation } from "./compilation.ts";
import { implicationLanguage } from "./condition.ts";
import { languageOf } from "./language-of.ts";
import { objectUnder } from "./scalar-keywords.ts";

/** What each dependency of the node allows. */
export function dependencyLanguages(
  compilation: Compilation,
  node: SchemaNode,
  scope: Scope,
): readonly Language[] {
  const found: Language[] = [];
  for (const keyword of ["dependencies", "dependentRequired", "dependentSchemas"]) {
    for (const [trigger, needed] of Object.entries(objectUnder(node.schema, keyword) ?? {})) {
      const has = languageOf(compilation, hasTerm(compilation.algebra.terms, trigger));
      const then = Array.isArray(needed)
        ? requiring(compilation, needed as readonly string[])
        : languageOf(compilation, termOfSchema(compilation, needed as JsonSchema, scope));
      found.push(implicationLanguage(compilation.context, has, then));
    }
  }
  return found;
}

function requiring(compilation: Compilation, names: readonly string[]): Language {
  const keys = names.map((name) => {
    return [name, { value: unstatedTerm, isRequired: true, isDeclared: false }] as const;
  });
  const shape = objectShape(compilation.algebra, { names: new Map(keys) });
  return { ...noLanguage, objects: shape === undefined ? [] : [{ shape, where: { type: "true", id: 0 } }] };
}
