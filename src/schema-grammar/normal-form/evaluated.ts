// Which keys and items of a value other keywords have looked at, case by case: it depends on which branches hold.
// Source: JSON Schema 2020-12 core, 10.3 and 11.
import type { JsonSchema } from "../../vocabulary/index.ts";
import { enterScope, type Scope } from "../algebra/scope.ts";
import { andTerms, anyTerm, hasTerm, notTerm, type Term } from "../algebra/term.ts";
import type { SchemaNode } from "../reading/schema-document.ts";
import { anyString, orStrings, type StringLanguage, stringsOf } from "../string-language.ts";
import { stringsMatching } from "../string-patterns.ts";
import { termOfReference, termOfSchema } from "./child-term.ts";
import type { Compilation } from "./compilation.ts";
import { objectUnder } from "./scalar-keywords.ts";

/** Where `when` holds, these keys and items are evaluated. The cases of a node cover all values that it allows. */
export interface EvaluatedCase {
  readonly when: Term;
  readonly keys: StringLanguage;
  /** How many items from the start, and which later ones by what they match. */
  readonly prefix: number;
  readonly items: readonly Term[];
  /** Whether the keys or items are not told exactly. */
  readonly isLoose: boolean;
}

/** Cases beyond which branches are not told apart. */
const caseLimit = 64;

interface Walk {
  readonly compilation: Compilation;
  readonly visited: ReadonlySet<Term>;
}

const nothingEvaluated: EvaluatedCase = {
  when: anyTerm,
  keys: stringsOf([]),
  prefix: 0,
  items: [],
  isLoose: false,
};

/** The cases of a node by all of its keywords but `unevaluatedProperties` and `unevaluatedItems` of its own. */
export function evaluatedCases(
  compilation: Compilation,
  node: SchemaNode,
  scope: Scope,
): readonly EvaluatedCase[] {
  return casesOfNode({ compilation, visited: new Set() }, node, { scope, includesUnevaluated: false });
}

function casesOfTerm(walk: Walk, term: Term): readonly EvaluatedCase[] {
  if (term.type !== "schema" || walk.visited.has(term)) return [nothingEvaluated];
  const inside = { ...walk, visited: new Set([...walk.visited, term]) };
  const scope = enterScope(walk.compilation.algebra.scopes, term.scope, term.node.resource);
  return casesOfNode(inside, term.node, { scope, includesUnevaluated: true });
}

function casesOfNode(
  walk: Walk,
  node: SchemaNode,
  options: { readonly scope: Scope; readonly includesUnevaluated: boolean },
): readonly EvaluatedCase[] {
  const { scope } = options;
  const { compilation } = walk;
  const { schema } = node;
  const term = (part: unknown) => termOfSchema(compilation, part as JsonSchema, scope);
  let cases: readonly EvaluatedCase[] = [ownCase(compilation, node, options)];
  for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"] as const) {
    if (schema[keyword] === undefined) continue;
    cases = both(
      compilation,
      cases,
      casesOfTerm(walk, termOfReference(compilation, node, { keyword, scope })),
    );
  }
  for (const branch of (schema.allOf ?? []) as readonly unknown[]) {
    cases = both(compilation, cases, casesOfTerm(walk, term(branch)));
  }
  for (const branch of (schema.anyOf ?? []) as readonly unknown[]) {
    cases = both(compilation, cases, casesWhere(walk, term(branch)));
  }
  if (schema.oneOf !== undefined) {
    const branches = (schema.oneOf as readonly unknown[]).map(term);
    const exclusive = branches.flatMap((branch) => given(compilation, branch, casesOfTerm(walk, branch)));
    cases = both(compilation, cases, exclusive);
  }
  if (schema.if !== undefined) {
    const condition = term(schema.if);
    const then = both(
      compilation,
      casesOfTerm(walk, condition),
      casesOfTerm(walk, term(schema.then ?? true)),
    );
    const otherwise = casesOfTerm(walk, term(schema.else ?? true));
    const not = notTerm(compilation.algebra.terms, condition);
    cases = both(compilation, cases, [
      ...given(compilation, condition, then),
      ...given(compilation, not, otherwise),
    ]);
  }
  for (const [trigger, part] of dependentSchemas(node)) {
    const has = hasTerm(compilation.algebra.terms, trigger);
    const without = { ...nothingEvaluated, when: notTerm(compilation.algebra.terms, has) };
    cases = both(compilation, cases, [...given(compilation, has, casesOfTerm(walk, term(part))), without]);
  }
  return cases;
}

function dependentSchemas(node: SchemaNode): readonly (readonly [string, unknown])[] {
  const entries = [
    ...Object.entries(objectUnder(node.schema, "dependentSchemas") ?? {}),
    ...Object.entries(objectUnder(node.schema, "dependencies") ?? {}),
  ];
  return entries.filter(([, part]) => !Array.isArray(part));
}

/** What the node's own keywords evaluate, whatever the value. */
function ownCase(
  compilation: Compilation,
  node: SchemaNode,
  options: { readonly scope: Scope; readonly includesUnevaluated: boolean },
): EvaluatedCase {
  const { schema } = node;
  const { draft, isStated } = node.resource.dialect;
  const has = (name: string) => schema[name] !== undefined;
  const term = (part: unknown) => termOfSchema(compilation, part as JsonSchema, options.scope);
  const isUnevaluated = (name: string) => options.includesUnevaluated && has(name);
  const read = ownKeys(compilation, node);
  const allKeys = has("additionalProperties") || isUnevaluated("unevaluatedProperties");
  const { items, prefixItems } = schema;
  const listed = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const restIsEvaluated =
    (has("items") && !Array.isArray(items)) ||
    (has("additionalItems") && Array.isArray(items)) ||
    isUnevaluated("unevaluatedItems");
  const matched = has("contains") && !(isStated && draft === 2019) ? [term(schema.contains)] : [];
  return {
    when: anyTerm,
    keys: allKeys ? anyString : read.keys,
    prefix: listed.length,
    items: restIsEvaluated ? [anyTerm] : matched,
    isLoose: read.isLoose,
  };
}

function ownKeys(compilation: Compilation, node: SchemaNode): { keys: StringLanguage; isLoose: boolean } {
  let keys = stringsOf(Object.keys(objectUnder(node.schema, "properties") ?? {}));
  let isLoose = false;
  for (const pattern of Object.keys(objectUnder(node.schema, "patternProperties") ?? {})) {
    const read = stringsMatching(pattern);
    const joined = orStrings(keys, read.language, compilation.algebra.states);
    keys = joined.language;
    if (!read.exact || !joined.exact) isLoose = true;
  }
  return { keys, isLoose };
}

/** The cases of a branch that need not hold: those where it holds, and the one where it does not. */
function casesWhere(walk: Walk, branch: Term): readonly EvaluatedCase[] {
  const cases = casesOfTerm(walk, branch);
  if (
    cases.every((item) => item.keys === nothingEvaluated.keys && item.prefix === 0 && item.items.length === 0)
  ) {
    return [nothingEvaluated];
  }
  const not = notTerm(walk.compilation.algebra.terms, branch);
  return [...given(walk.compilation, branch, cases), { ...nothingEvaluated, when: not }];
}

function given(
  compilation: Compilation,
  when: Term,
  cases: readonly EvaluatedCase[],
): readonly EvaluatedCase[] {
  return cases.map((item) => ({ ...item, when: andTerms(compilation.algebra.terms, [when, item.when]) }));
}

function both(
  compilation: Compilation,
  a: readonly EvaluatedCase[],
  b: readonly EvaluatedCase[],
): readonly EvaluatedCase[] {
  if (a.length * b.length > caseLimit)
    return a.map((item) => ({ ...item, keys: anyString, items: [anyTerm], isLoose: true }));
  return a.flatMap((left) => b.map((right) => bothCases(compilation, left, right)));
}

function bothCases(compilation: Compilation, a: EvaluatedCase, b: EvaluatedCase): EvaluatedCase {
  const keys = orStrings(a.keys, b.keys, compilation.algebra.states);
  return {
    when: andTerms(compilation.algebra.terms, [a.when, b.when]),
    keys: keys.language,
    prefix: Math.max(a.prefix, b.prefix),
    items: [...a.items, ...b.items],
    isLoose: a.isLoose || b.isLoose || !keys.exact,
  };
}
