// The normal form of one schema place: its own keywords first, then references, then what combines schemas.
// The order decides nothing but the order of keys: own properties, then those of references and of `allOf`, then branches.
import { CallwrightError, type JsonSchema, type JsonValue } from "../../vocabulary/index.ts";
import {
  andLanguages,
  exactlyOneLanguage,
  type Language,
  noLanguage,
  notLanguage,
  orLanguages,
} from "../algebra/language.ts";
import { enterScope, type Scope } from "../algebra/scope.ts";
import type { Term } from "../algebra/term.ts";
import { noNumber } from "../number-set.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { noString } from "../string-language.ts";
import { arrayOfNode } from "./array-keywords.ts";
import { termOfReference, termOfSchema } from "./child-term.ts";
import type { Compilation } from "./compilation.ts";
import { conditionLanguage, foldUndeclared } from "./condition.ts";
import { CycleError } from "./cycle-error.ts";
import { dependencyLanguages } from "./dependencies.ts";
import { languageOf } from "./language-of.ts";
import { objectOfNode } from "./object-keywords.ts";
import { numbersOfNode, numbersOfTypes, stringsOfNode } from "./scalar-keywords.ts";
import { unevaluatedLanguage } from "./unevaluated.ts";
import { valuesLanguage } from "./values-language.ts";

const references = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/** What the node allows, looked into as deep as its own values but not into their children. */
export function nodeLanguage(compilation: Compilation, term: Extract<Term, { type: "schema" }>): Language {
  const { node } = term;
  const { schema } = node;
  const scope = enterScope(compilation.algebra.scopes, term.scope, node.resource);
  const { context } = compilation;
  let language = ownLanguage(compilation, node, scope);
  const narrow = (other: Language) => {
    language = andLanguages(context, language, other);
  };
  for (const keyword of references) {
    if (schema[keyword] === undefined) continue;
    narrow(languageOf(compilation, termOfReference(compilation, node, { keyword, scope })));
  }
  for (const branch of (schema.allOf ?? []) as readonly JsonSchema[]) {
    narrow(languageOf(compilation, termOfSchema(compilation, branch, scope)));
  }
  if (schema.anyOf !== undefined) {
    const branches = branchLanguages(compilation, node, { keyword: "anyOf", scope });
    const any = branches.reduce((a, b) => orLanguages(context, a, b), noLanguage);
    narrow(foldUndeclared(context, any));
  }
  if (schema.oneOf !== undefined) {
    const branches = branchLanguages(compilation, node, { keyword: "oneOf", scope });
    narrow(foldUndeclared(context, exactlyOneLanguage(context, branches)));
  }
  for (const dependency of dependencyLanguages(compilation, node, scope)) narrow(dependency);
  if (schema.not !== undefined) {
    narrow(
      notLanguage(
        context,
        languageOf(compilation, termOfSchema(compilation, schema.not as JsonSchema, scope)),
      ),
    );
  }
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
    const part = (keyword: string) =>
      languageOf(compilation, termOfSchema(compilation, (schema[keyword] ?? true) as JsonSchema, scope));
    narrow(
      conditionLanguage(context, { condition: part("if"), implied: part("then"), otherwise: part("else") }),
    );
  }
  if (schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined) {
    narrow(unevaluatedLanguage(compilation, node, scope));
  }
  return language;
}

/** By the keywords that need no other schema at this place. */
function ownLanguage(compilation: Compilation, node: SchemaNode, scope: Scope): Language {
  const { schema } = node;
  const { type } = schema;
  const types = type === undefined ? undefined : new Set((Array.isArray(type) ? type : [type]) as string[]);
  const allows = (name: string) => types === undefined || types.has(name);
  const start = numbersOfTypes(types);
  const numbers = start === undefined ? undefined : numbersOfNode(compilation, node, start);
  const strings = allows("string") ? stringsOfNode(compilation, node) : undefined;
  const array = allows("array") ? arrayOfNode(compilation, node, scope) : undefined;
  const object = allows("object") ? objectOfNode(compilation, node, scope) : undefined;
  const own: Language = {
    isNull: allows("null"),
    booleans: allows("boolean") ? 3 : 0,
    numbers: numbers?.set ?? noNumber,
    strings: strings?.set ?? noString,
    arrays: array === undefined ? [] : [{ shape: array, where: { type: "true", id: 0 } }],
    objects: object === undefined ? [] : [{ shape: object, where: { type: "true", id: 0 } }],
    areNumbersLoose: numbers?.isLoose ?? false,
    areStringsLoose: strings?.isLoose ?? false,
  };
  const { context } = compilation;
  const listed = schema.enum as readonly JsonValue[] | undefined;
  const narrowed =
    listed === undefined ? own : andLanguages(context, own, valuesLanguage(compilation, listed));
  const only = schema.const;
  return only === undefined ? narrowed : andLanguages(context, narrowed, valuesLanguage(compilation, [only]));
}

/** The branches' normal forms. A branch that leads straight back here adds nothing and is left out. */
function branchLanguages(
  compilation: Compilation,
  node: SchemaNode,
  options: { readonly keyword: "anyOf" | "oneOf"; readonly scope: Scope },
): readonly Language[] {
  const branches: Language[] = [];
  let cycle: CycleError | undefined;
  for (const branch of node.schema[options.keyword] as readonly JsonSchema[]) {
    try {
      branches.push(languageOf(compilation, termOfSchema(compilation, branch, options.scope)));
    } catch (error) {
      if (!(error instanceof CycleError)) throw error;
      cycle = error;
    }
  }
  if (branches.length === 0 && cycle !== undefined) throw cycle;
  return branches;
}

/** The normal form of the whole; a cycle without base becomes the caller's mistake. */
export function checkedLanguageOf(compilation: Compilation, term: Term): Language {
  try {
    return languageOf(compilation, term);
  } catch (error) {
    if (!(error instanceof CycleError)) throw error;
    const { pointer } = error;
    const message = `The schema refers to itself without any value between, at #${pointer}: nothing can be decided. Mend the references there.`;
    throw new CallwrightError("schema-invalid", message, { pointer });
  }
}
