// What the keywords about objects say, as one shape: named keys, open keys by pattern, counts.

import type { JsonSchema } from "../../vocabulary/index.ts";
import {
  andObjectShapes,
  type NamedKey,
  type ObjectShape,
  type OpenKeys,
  objectShape,
} from "../algebra/object-shape.ts";
import type { Scope } from "../algebra/scope.ts";
import { andStringsOnce, notStringsOnce } from "../algebra/string-memo.ts";
import { andTerms, anyTerm, noneTerm, type Term, unstatedTerm } from "../algebra/term.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { anyString, containsString, isNoString, type StringLanguage } from "../string-language.ts";
import { stringsMatching } from "../string-patterns.ts";
import { termOfSchema } from "./child-term.ts";
import { type Compilation, report } from "./compilation.ts";
import { languageOf } from "./language-of.ts";
import { objectUnder } from "./scalar-keywords.ts";

/** Parts beyond which patterns of keys are not told apart any more. */
const openPartLimit = 64;

/** The shape of the objects that the node allows by its own keywords; undefined where it allows none. */
export function objectOfNode(
  compilation: Compilation,
  node: SchemaNode,
  scope: Scope,
): ObjectShape | undefined {
  const { schema } = node;
  const properties = objectUnder(schema, "properties");
  const open = openKeys(compilation, node, scope);
  const names = new Map<string, NamedKey>(
    node.ignoredNames.map((name) => [name, { value: unstatedTerm, isRequired: false, isDeclared: true }]),
  );
  const termFor = (name: string) =>
    open.patterns.filter(({ keys }) => containsString(keys, name)).map(({ value }) => value);
  for (const [name, property] of Object.entries(properties ?? {})) {
    const value = termOfSchema(compilation, property as JsonSchema, scope);
    const all = andTerms(compilation.algebra.terms, [value, ...termFor(name)]);
    names.set(name, { value: all, isRequired: false, isDeclared: true });
  }
  for (const name of (schema.required ?? []) as readonly string[]) {
    const known = names.get(name);
    const value =
      known?.value ?? open.parts.find(({ keys }) => containsString(keys, name))?.value ?? noneTerm;
    names.set(name, { value, isRequired: true, isDeclared: known !== undefined });
  }
  const { minProperties, maxProperties } = schema;
  const isRoot = node.pointer === "" && node.resource === compilation.document.resource;
  const shape = objectShape(compilation.algebra, {
    names,
    open: open.parts,
    min: Number(minProperties ?? 0),
    max: maxProperties === undefined ? undefined : Number(maxProperties),
    isClosable: compilation.isClosed && (properties !== undefined || isRoot),
    isLoose: open.isLoose,
  });
  const named = shape && schema.propertyNames !== undefined ? keyShape(compilation, node, scope) : undefined;
  return shape && named ? andObjectShapes(compilation.algebra, shape, named) : shape;
}

interface OpenKeysRead {
  readonly parts: readonly OpenKeys[];
  readonly patterns: readonly OpenKeys[];
  readonly isLoose: boolean;
}

function openKeys(compilation: Compilation, node: SchemaNode, scope: Scope): OpenKeysRead {
  const { schema } = node;
  const additional = schema.additionalProperties as JsonSchema | undefined;
  const rest = additional === undefined ? unstatedTerm : termOfSchema(compilation, additional, scope);
  const listed = Object.entries(objectUnder(schema, "patternProperties") ?? {});
  if (listed.length === 0) return { parts: [{ keys: anyString, value: rest }], patterns: [], isLoose: false };
  const patterns: OpenKeys[] = [];
  const inexact: StringLanguage[] = [];
  for (const [pattern, property] of listed) {
    const read = stringsMatching(pattern);
    if (read.exact)
      patterns.push({ keys: read.language, value: termOfSchema(compilation, property as JsonSchema, scope) });
    else {
      // Which keys it means is not known for sure, so that what it might mean is left open.
      inexact.push(read.language);
      reportPattern(compilation, node, read.reason ?? `the expression ${pattern} is not read exactly`);
    }
  }
  const parts = splitKeys(compilation, patterns, { rest, inexact });
  if (parts !== undefined) return { parts, patterns, isLoose: inexact.length > 0 };
  reportPattern(compilation, node, "telling its expressions apart needs more than the budget allows");
  return { parts: [{ keys: anyString, value: anyTerm }], patterns: [], isLoose: true };
}

interface KeyPart {
  readonly keys: StringLanguage;
  readonly values: readonly Term[];
}

/** All keys, split by which patterns match them; undefined over the budget. */
function splitKeys(
  compilation: Compilation,
  patterns: readonly OpenKeys[],
  others: { readonly rest: Term; readonly inexact: readonly StringLanguage[] },
): readonly OpenKeys[] | undefined {
  const { algebra } = compilation;
  let parts: KeyPart[] = [{ keys: anyString, values: [] }];
  for (const { keys, value } of [...patterns, ...others.inexact.map((keys) => ({ keys, value: anyTerm }))]) {
    const outside = notStringsOnce(algebra, keys);
    if (!outside.exact) return undefined;
    const split: KeyPart[] = [];
    for (const part of parts) {
      const inner = andStringsOnce(algebra, part.keys, keys);
      if (!inner.exact) return undefined;
      if (isNoString(inner.language)) {
        split.push(part);
        continue;
      }
      split.push({ keys: inner.language, values: [...part.values, value] });
      const outer = andStringsOnce(algebra, part.keys, outside.language);
      if (!outer.exact) return undefined;
      if (!isNoString(outer.language)) split.push({ keys: outer.language, values: part.values });
    }
    if (split.length > openPartLimit) return undefined;
    parts = split;
  }
  return parts.map(({ keys, values }) => {
    return { keys, value: values.length === 0 ? others.rest : andTerms(algebra.terms, values) };
  });
}

/** `propertyNames` as a shape: keys outside its language are forbidden. */
function keyShape(compilation: Compilation, node: SchemaNode, scope: Scope): ObjectShape | undefined {
  const { algebra } = compilation;
  const term = termOfSchema(compilation, node.schema.propertyNames as JsonSchema, scope);
  const { strings, areStringsLoose } = languageOf(compilation, term);
  const outside = areStringsLoose ? undefined : notStringsOnce(algebra, strings);
  if (isNoString(strings)) return objectShape(algebra, { open: [{ keys: anyString, value: noneTerm }] });
  const forbidden =
    outside === undefined || !outside.exact || isNoString(outside.language) ? [] : [outside.language];
  const open = [
    { keys: strings, value: unstatedTerm },
    ...forbidden.map((keys) => ({ keys, value: noneTerm })),
  ];
  const isLoose = areStringsLoose || outside?.exact === false;
  // A key outside a language that is too large is outside the right one as well.
  return objectShape(algebra, { open, isLoose });
}

function reportPattern(compilation: Compilation, node: SchemaNode, reason: string): void {
  const pointer = `${node.pointer}/patternProperties`;
  report(compilation, { pointer, keyword: "patternProperties", direction: "over", reason });
}
