// `unevaluatedProperties` and `unevaluatedItems`: in each case of what was evaluated, the rest is closed by their schema.

import type { JsonSchema } from "../../vocabulary/index.ts";
import { arrayShape } from "../algebra/array-shape.ts";
import { andLanguages, anyLanguage, type Language, noLanguage, orLanguages } from "../algebra/language.ts";
import { objectShape } from "../algebra/object-shape.ts";
import type { Scope } from "../algebra/scope.ts";
import { notStringsOnce } from "../algebra/string-memo.ts";
import { anyTerm, orTerms, type Term, unstatedTerm } from "../algebra/term.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { isNoString } from "../string-language.ts";
import { termOfSchema } from "./child-term.ts";
import { type Compilation, report } from "./compilation.ts";
import { type EvaluatedCase, evaluatedCases } from "./evaluated.ts";
import { languageOf } from "./language-of.ts";

/** What the node's two keywords allow, given all of its other ones. */
export function unevaluatedLanguage(compilation: Compilation, node: SchemaNode, scope: Scope): Language {
  const { unevaluatedProperties, unevaluatedItems } = node.schema;
  const term = (schema: unknown) =>
    schema === undefined ? anyTerm : termOfSchema(compilation, schema as JsonSchema, scope);
  const closing = { properties: term(unevaluatedProperties), items: term(unevaluatedItems) };
  const cases = evaluatedCases(compilation, node, scope);
  if (cases.some((item) => item.isLoose)) {
    const keyword = unevaluatedProperties === undefined ? "unevaluatedItems" : "unevaluatedProperties";
    const reason = "what the branches evaluate is not told apart exactly";
    report(compilation, { pointer: `${node.pointer}/${keyword}`, keyword, direction: "over", reason });
  }
  return cases
    .map((item) => closedCase(compilation, item, closing))
    .reduce((a, b) => orLanguages(compilation.context, a, b), noLanguage);
}

function closedCase(
  compilation: Compilation,
  item: EvaluatedCase,
  closing: { readonly properties: Term; readonly items: Term },
): Language {
  const { algebra, context } = compilation;
  const any = anyLanguage(context);
  const outside = notStringsOnce(algebra, item.keys);
  const parts = [
    { keys: item.keys, value: unstatedTerm },
    { keys: outside.language, value: outside.exact ? closing.properties : unstatedTerm },
  ];
  const object = objectShape(algebra, {
    open: parts.filter(({ keys }) => !isNoString(keys)),
    isLoose: item.isLoose || !outside.exact,
  });
  const array = arrayShape(algebra, {
    prefix: Array.from({ length: item.prefix }, () => anyTerm),
    rest: orTerms(algebra.terms, [closing.items, ...item.items]),
    isLoose: item.isLoose,
  });
  const closed: Language = {
    ...any,
    objects: object === undefined ? [] : [{ shape: object, where: { type: "true", id: 0 } }],
    arrays: array === undefined ? [] : [{ shape: array, where: { type: "true", id: 0 } }],
  };
  return andLanguages(context, languageOf(compilation, item.when), closed);
}
