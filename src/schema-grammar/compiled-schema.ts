// What compiling a schema gives. Shared by the compiler, the formats and the reports.
import type { Grammar } from "../gbnf-builder/grammar.ts";
import type { FormatMode } from "./formats-asserted.ts";
import type { Layout } from "./layout.ts";

/** A keyword that the grammar does not enforce just as the schema says. */
export interface Residual {
  /** JSON pointer into the schema. */
  readonly pointer: string;
  readonly keyword: string;
  /** `over`: the grammar lets through what the schema refuses (validation catches it). `under`: it lacks a value the schema allows. */
  readonly direction: "over" | "under";
  readonly reason: string;
}

/** Something odd in the schema that was read in a stated way, such as an empty array where an object belongs. */
export interface SchemaWarning {
  readonly pointer: string;
  readonly text: string;
}

export interface CompiledSchema {
  /** Texts of the JSON values that the schema allows, in JSON or in the layout that was asked for. */
  readonly grammar: Grammar;
  /** Whether any value is allowed at all. */
  readonly satisfiable: boolean;
  /** Whether the grammar has the same set of JSON values as the schema, apart from key order, spacing and spelling. */
  readonly exact: boolean;
  readonly residual: readonly Residual[];
  readonly warnings: readonly SchemaWarning[];
  /** Where the caps of the options narrowed what the schema leaves unbounded; not counted as residual. */
  readonly caps: readonly AppliedCap[];
}

/** A place that the schema leaves unbounded, and the cap it was given. */
export interface AppliedCap {
  readonly cap: keyof CompileCaps;
  readonly limit: number;
  /** How many places of the grammar it narrowed. */
  readonly places: number;
}

export interface CompileOptions {
  /** `standard`: JSON Schema's own meaning. `closed`: undeclared keys are forbidden where the schema says nothing. */
  readonly objects?: "standard" | "closed";
  /** `schema`: keys in the order the schema declares them. `any`: any order, where few enough keys allow it. */
  readonly keyOrder?: "schema" | "any";
  readonly spacing?: Spacing;
  /** Another way of writing values than JSON; `spacing` has no say then. */
  readonly layout?: Layout;
  readonly budget?: Partial<CompileBudget>;
  /** Other documents that `$ref` may name, by absolute URI. */
  readonly documents?: Readonly<Record<string, unknown>>;
  /** Whether `format` refuses values: always, never, or as the stated `$schema` has it (the default). */
  readonly formats?: FormatMode;
  /** Bounds for what the schema leaves unbounded, so that generation cannot run away. None by default. */
  readonly caps?: Partial<CompileCaps>;
  /** Levels of arrays and objects that whoever reads the texts can take: that values may be deeper is listed as residual. */
  readonly readLevels?: number;
}

/** How JSON is laid out: `compact` `{"a":1,"b":2}`, `spaced` `{"a": 1, "b": 2}`, `pretty` over lines with an indent. */
export type Spacing = "compact" | "spaced" | { readonly indent: number; readonly level: number };

/** Limits beyond which a place is relaxed and listed as residual. */
export interface CompileBudget {
  /** States of one automaton. */
  readonly states: number;
  /** Rules of one grammar. */
  readonly rules: number;
  /** Milliseconds of one compile. */
  readonly milliseconds: number;
}

/** Caps for decoding. A schema's own bound always stands, also where it is wider. */
export interface CompileCaps {
  /** Characters of a string. */
  readonly stringLength: number;
  /** Items of an array, and undeclared keys of an object. */
  readonly items: number;
  /** Digits of an integer, and digits of a fraction. */
  readonly digits: number;
  /** Nested arrays and objects where any JSON value is allowed, and rounds of places that lead back to themselves. */
  readonly depth: number;
}
