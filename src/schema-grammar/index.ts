// `callwright/schema-grammar`: JSON Schema to grammars, and the validator that has the last word.
export { compileSchema, defaultCompileBudget } from "./compile-schema.ts";
export type {
  AppliedCap,
  CompileBudget,
  CompileCaps,
  CompiledSchema,
  CompileOptions,
  Residual,
  SchemaWarning,
  Spacing,
} from "./compiled-schema.ts";
export type { FormatMode } from "./formats-asserted.ts";
export {
  followsHint,
  type Hint,
  type HintedValue,
  hintedValues,
  readHints,
  withHints,
} from "./hints/read-hints.ts";
export { jsonLayout, type Layout } from "./layout.ts";
export { notAnExpression } from "./string-patterns.ts";
export { createValidator, type Validator, type ValidatorOptions, type ValueFault } from "./validator.ts";
export { writeInstance } from "./write-instance.ts";
