// The keywords of JSON Schema: what value each takes, and in which drafts it means something.
// Knows nothing of what the keywords mean.

/** Drafts that differ in reading. Drafts 2019 and 2020 are 2019-09 and 2020-12. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

/** How a document is read. Where no `$schema` states a draft, keywords of all drafts count. */
export interface Dialect {
  readonly draft: Draft;
  readonly isStated: boolean;
  /** Whether the stated meta-schema leaves out the vocabulary of assertions. */
  readonly lacksAssertions?: boolean;
  /** Whether it makes formats assertions. */
  readonly assertsFormats?: boolean;
}

/** What a keyword's value has to be. */
export type KeywordShape =
  | "schema"
  | "schema-list"
  | "schema-map"
  | "schema-or-list"
  | "dependencies"
  | "count"
  | "number"
  | "divisor"
  | "bound"
  | "flag"
  | "name-list"
  | "name-list-map"
  | "types"
  | "list"
  | "text"
  | "value";

export interface Keyword {
  readonly shape: KeywordShape;
  readonly since?: Draft;
  readonly until?: Draft;
}

const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["$ref", { shape: "text" }],
  ["$dynamicRef", { shape: "text", since: 2020 }],
  ["$recursiveRef", { shape: "text", since: 2019, until: 2019 }],
  ["$defs", { shape: "schema-map" }],
  ["definitions", { shape: "schema-map" }],
  ["type", { shape: "types" }],
  ["enum", { shape: "list" }],
  ["const", { shape: "value", since: 6 }],
  ["multipleOf", { shape: "divisor" }],
  ["maximum", { shape: "number" }],
  ["minimum", { shape: "number" }],
  ["exclusiveMaximum", { shape: "bound" }],
  ["exclusiveMinimum", { shape: "bound" }],
  ["maxLength", { shape: "count" }],
  ["minLength", { shape: "count" }],
  ["pattern", { shape: "text" }],
  ["format", { shape: "text" }],
  // Draft 7 lets them refuse strings; before it they were unknown, after it annotations.
  ["contentMediaType", { shape: "value", since: 7, until: 7 }],
  ["contentEncoding", { shape: "value", since: 7, until: 7 }],
  ["items", { shape: "schema-or-list" }],
  ["prefixItems", { shape: "schema-list", since: 2020 }],
  ["additionalItems", { shape: "schema", until: 2019 }],
  ["unevaluatedItems", { shape: "schema", since: 2019 }],
  ["maxItems", { shape: "count" }],
  ["minItems", { shape: "count" }],
  ["uniqueItems", { shape: "flag" }],
  ["contains", { shape: "schema", since: 6 }],
  ["minContains", { shape: "count", since: 2019 }],
  ["maxContains", { shape: "count", since: 2019 }],
  ["maxProperties", { shape: "count" }],
  ["minProperties", { shape: "count" }],
  ["required", { shape: "name-list" }],
  ["properties", { shape: "schema-map" }],
  ["patternProperties", { shape: "schema-map" }],
  ["additionalProperties", { shape: "schema" }],
  ["unevaluatedProperties", { shape: "schema", since: 2019 }],
  ["propertyNames", { shape: "schema", since: 6 }],
  ["dependencies", { shape: "dependencies" }],
  ["dependentRequired", { shape: "name-list-map", since: 2019 }],
  ["dependentSchemas", { shape: "schema-map", since: 2019 }],
  ["allOf", { shape: "schema-list" }],
  ["anyOf", { shape: "schema-list" }],
  ["oneOf", { shape: "schema-list" }],
  ["not", { shape: "schema" }],
  ["if", { shape: "schema", since: 7 }],
  ["then", { shape: "schema", since: 7 }],
  ["else", { shape: "schema", since: 7 }],
]);

/** What is known of a keyword, or undefined for an annotation or an unknown word. */
export function findKeyword(name: string): Keyword | undefined {
  return keywords.get(name);
}

/** Keywords of the vocabulary that a meta-schema may leave out. */
const assertions = new Set(
  `type enum const multipleOf maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength pattern maxItems
  minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired`.split(
    /\s+/,
  ),
);

/** Whether the keyword means something in the dialect. */
export function isKeywordOf(name: string, keyword: Keyword, dialect: Dialect): boolean {
  if (!dialect.isStated) return true;
  if (dialect.lacksAssertions === true && assertions.has(name)) return false;
  return dialect.draft >= (keyword.since ?? 4) && dialect.draft <= (keyword.until ?? 2020);
}

/** The dialect that a `$schema` names; undefined where it names none that is known. */
export function dialectOf(uri: unknown): Dialect | undefined {
  if (typeof uri !== "string") return undefined;
  const match = /^https?:\/\/json-schema\.org\/(?:draft-0([467])|draft\/(2019-09|2020-12))\/schema#?$/.exec(
    uri,
  );
  if (match === null) return undefined;
  const draft = match[1] === undefined ? Number(match[2]?.slice(0, 4)) : Number(match[1]);
  return { draft: draft as Draft, isStated: true };
}

/**
 * The dialect of a meta-schema of one's own, by the `$schema` that it states and its `$vocabulary`;
 * undefined where it is none that can be read.
 */
export function dialectOfMetaSchema(metaSchema: unknown): Dialect | undefined {
  if (typeof metaSchema !== "object" || metaSchema === null) return undefined;
  const { $schema, $vocabulary } = metaSchema as Record<string, unknown>;
  const dialect = dialectOf($schema);
  if (dialect === undefined || typeof $vocabulary !== "object" || $vocabulary === null) return dialect;
  const has = (vocabulary: string) =>
    Object.keys($vocabulary).some((uri) => uri.endsWith(`/vocab/${vocabulary}`));
  return { ...dialect, lacksAssertions: !has("validation"), assertsFormats: has("format-assertion") };
}

/** How a document without a known `$schema` is read. */
export const unstatedDialect: Dialect = { draft: 2020, isStated: false };
