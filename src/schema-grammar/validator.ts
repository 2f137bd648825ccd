// The last word on values: ajv, by dialect, strict about values and tolerant about unknown words.
// The only file that knows ajv. Reads schemas cleaned as the compiler reads them, and never changes a value.
import { createRequire } from "node:module";
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvDraft04 from "ajv-draft-04";
import ajvFormats from "ajv-formats";
import { CallwrightError, isJsonObject, type JsonSchema, type JsonValue } from "../vocabulary/index.ts";
import { describeExpectation, shortJson } from "./describe-fault.ts";
import { annotatedFormats, assertsFormats, type FormatMode } from "./formats-asserted.ts";
import { decimalOf, isDecimalMultiple } from "./languages/decimal.ts";
import { readSchema } from "./reading/read-schema.ts";
import type { SchemaDocument } from "./reading/schema-document.ts";
import { stringsOfFormat } from "./string-formats.ts";
import { containsString } from "./string-language.ts";

/** Why a value is refused. `pointer` is into the value; `expected` and `came` are for people and models. */
export interface ValueFault {
  readonly pointer: string;
  readonly keyword: string;
  readonly expected: string;
  readonly came: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Gives every fault of a value; none means that it is valid. */
export type Validator = (value: unknown) => readonly ValueFault[];

export interface ValidatorOptions {
  readonly documents?: Readonly<Record<string, unknown>>;
  /** `assert` is the default: what validates has the last word. */
  readonly formats?: FormatMode;
}

type AjvInstance = InstanceType<typeof Ajv>;

const requireJson = createRequire(import.meta.url);
const bySchema = new WeakMap<object, Validator>();
const byText = new Map<string, Validator>();
const rememberedTexts = 200;
const faultLimit = 50;
/** Formats that JSON Schema names for strings. */
const formatNames =
  `date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference
  uri-template uuid json-pointer relative-json-pointer regex`.split(/\s+/);

/**
 * A validator for the schema. Throws `CallwrightError` (`schema-invalid`) for a malformed one.
 * Unknown formats and keywords, references to documents that were not handed in, and patterns that are no regular
 * expressions refuse nothing. Remembered by the schema's identity, then by its text.
 */
export function createValidator(schema: unknown, options: ValidatorOptions = {}): Validator {
  const isPlain = options.documents === undefined && options.formats === undefined;
  if (!isPlain) return buildValidator(schema, options);
  if (typeof schema !== "object" || schema === null) return buildValidator(schema, options);
  const known = bySchema.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  const validator = byText.get(text) ?? buildValidator(schema, options);
  bySchema.set(schema, validator);
  byText.set(text, validator);
  const oldest = byText.keys().next();
  if (byText.size > rememberedTexts && !oldest.done) byText.delete(oldest.value);
  return validator;
}

/** A meta-schema of JSON Schema by its URI without fragment, or undefined. */
export function metaSchema(uri: string): unknown {
  const path = metaSchemaPath(uri);
  return path === undefined ? undefined : (requireJson(path) as unknown);
}

function metaSchemaPath(uri: string): string | undefined {
  const old = /^https?:\/\/json-schema\.org\/draft-0([467])\/schema$/.exec(uri)?.[1];
  if (old === "4") return "ajv-draft-04/dist/refs/json-schema-draft-04.json";
  if (old !== undefined) return `ajv/dist/refs/json-schema-draft-0${old}.json`;
  const recent = /^https:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/(schema|meta\/[a-z-]+)$/.exec(uri);
  if (recent === null) return undefined;
  const path = `ajv/dist/refs/json-schema-${recent[1]}/${recent[2]}.json`;
  try {
    return requireJson.resolve(path);
  } catch {
    // A vocabulary that ajv does not carry is a document that nobody handed in.
    return undefined;
  }
}

function buildValidator(schema: unknown, options: ValidatorOptions): Validator {
  const document = readSchema(schema, options.documents);
  const all = compileWithAjv(document, options, true);
  let first: ValidateFunction | undefined;
  return (value) => {
    try {
      return faultsOf(all, value);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // ajv's code for `unevaluated…` can break where it collects all faults; up to the first one it does not.
      first ??= compileWithAjv(document, options, false);
      return faultsOf(first, value);
    }
  };
}

function faultsOf(validate: ValidateFunction, value: unknown): readonly ValueFault[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, faultLimit).map(toFault);
}

function compileWithAjv(
  document: SchemaDocument,
  options: ValidatorOptions,
  allErrors: boolean,
): ValidateFunction {
  const ajv = createAjv(document, options, allErrors);
  for (const [uri, content] of Object.entries(options.documents ?? {})) {
    if (ajv.getSchema(uri) === undefined) ajv.addSchema(readSchema(content).root, uri);
  }
  const root = isJsonObject(document.root) ? withoutDialect(document.root) : document.root;
  try {
    return compileRoot(ajv, root);
  } catch {
    // Identifiers that were never meant as such can name one thing twice; without them, pointers still lead everywhere.
    try {
      return compileRoot(createAjv(document, options, allErrors), withoutIds(document, root));
    } catch (error) {
      throw refused(error);
    }
  }
}

function compileRoot(ajv: AjvInstance, root: JsonSchema): ValidateFunction {
  for (;;) {
    try {
      return ajv.compile(root);
    } catch (error) {
      if (!admitMissing(ajv, error)) throw error;
    }
  }
}

function withoutIds(document: SchemaDocument, value: JsonValue): JsonSchema {
  const copy = (part: JsonValue): JsonValue => {
    if (Array.isArray(part)) return part.map(copy);
    if (!isJsonObject(part)) return part;
    const isPlace = document.nodes.has(part) || part === value;
    const entries = Object.entries(part).filter(([name]) => !isPlace || (name !== "$id" && name !== "id"));
    return Object.fromEntries(entries.map(([name, inner]) => [name, copy(inner)]));
  };
  return copy(value) as JsonSchema;
}

function createAjv(document: SchemaDocument, options: ValidatorOptions, allErrors: boolean): AjvInstance {
  const { dialect } = document.resource;
  const settings: Options = {
    strict: false,
    allErrors,
    verbose: true,
    logger: false,
    validateSchema: false,
    validateFormats: assertsFormats(dialect, options.formats ?? "assert"),
    code: { regExp: compileTolerantly },
  };
  const ajv = newAjv(document, settings);
  ajvFormats.default(ajv);
  for (const name of annotatedFormats) ajv.addFormat(name, true);
  for (const name of formatNames) {
    const theirs = ajv.formats[name];
    const validate = (text: string) => isOfFormat(name, text, theirs);
    ajv.addFormat(name, { type: "string", validate });
  }
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    compile: (divisor: number) => {
      const exact = decimalOf(divisor);
      // A spelling such as 1e400 reads as infinite, which is a multiple of nothing.
      return (value: number) => Number.isFinite(value) && isDecimalMultiple(decimalOf(value), exact);
    },
  });
  return ajv;
}

/** By our own language where that is exact; else by ajv's check as well. */
function isOfFormat(name: string, text: string, theirs: AjvInstance["formats"][string]): boolean {
  const ours = stringsOfFormat(name);
  if (ours !== undefined && !containsString(ours.language, text)) return false;
  if (ours?.exact === true) return true;
  if (theirs instanceof RegExp) return theirs.test(text);
  return typeof theirs === "function" ? Boolean(theirs(text)) : true;
}

function newAjv(document: SchemaDocument, settings: Options): AjvInstance {
  const { draft, isStated } = document.resource.dialect;
  if (draft === 4) return new ajvDraft04.default(settings);
  if (draft <= 7) return new Ajv(settings);
  const nodes = [...document.nodes.keys()];
  const hasTuples = nodes.some((node) => Array.isArray(node.items));
  const ajv = draft === 2019 || (!isStated && hasTuples) ? new Ajv2019(settings) : new Ajv2020(settings);
  const tracks = nodes.some((node) => "unevaluatedProperties" in node || "unevaluatedItems" in node);
  // Keeping track of what was evaluated costs time and is needed for these two only.
  if (!tracks && document.unread.size === 0) ajv.opts.unevaluated = false;
  return ajv;
}

interface TolerantPattern {
  test(text: string): boolean;
  readonly code: string;
  /** ajv tells the patterns of one schema apart by this text. */
  toString(): string;
}

/** A pattern under `u`, else without, else one that refuses nothing. */
function compileTolerantly(pattern: string): TolerantPattern {
  for (const flags of ["u", ""]) {
    try {
      const expression = new RegExp(pattern, flags);
      const code = String(expression);
      return { test: (text) => expression.test(text), code, toString: () => code };
    } catch {
      // Not valid under these flags; the next ones may read it.
    }
  }
  return { test: () => true, code: "/(?:)/", toString: () => `unreadable ${pattern}` };
}
compileTolerantly.code = "new RegExp";

/** Lets anything stand for a document that was not handed in; false where that was not the trouble. */
function admitMissing(ajv: AjvInstance, error: unknown): boolean {
  const missing = (error as { missingRef?: unknown; missingSchema?: unknown } | null)?.missingSchema;
  if (typeof missing !== "string" || ajv.getSchema(missing) !== undefined) return false;
  const content = metaSchema(missing);
  ajv.addSchema(isJsonObject(content) ? withoutDialect(content) : {}, missing);
  return true;
}

function withoutDialect(schema: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$schema"));
}

function refused(error: unknown): CallwrightError {
  const text = error instanceof Error ? error.message : String(error);
  return new CallwrightError("schema-invalid", `The schema cannot be used to validate: ${text}`, {
    cause: error,
  });
}

function toFault(error: ErrorObject): ValueFault {
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    expected: describeExpectation(error.keyword, error.params, error.schema as JsonValue),
    came: shortJson(error.data),
    params: error.params,
  };
}
