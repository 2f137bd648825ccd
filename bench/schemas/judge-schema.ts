// Judges one schema: compiles it, asks the grammar for each instance in each order, and ajv beside it.
import { createMatcher } from "../../src/gbnf-builder/index.ts";
import { compileSchema, createValidator, type Residual } from "../../src/schema-grammar/index.ts";
import type { JsonValue } from "../../src/vocabulary/index.ts";
import { startWatch } from "./cpu-time.ts";
import { keywordsOf } from "./keywords-of.ts";
import { orderedTexts } from "./order-keys.ts";
import type { SchemaCase, SchemaTest } from "./read-data.ts";

export interface SchemaVerdict {
  readonly name: string;
  readonly split: string;
  readonly error?: string;
  readonly exact: boolean;
  readonly satisfiable: boolean;
  readonly residual: readonly Residual[];
  /** The keywords that the schema uses. */
  readonly keywords: readonly string[];
  readonly rules: number;
  readonly compileMs: number;
  readonly matchMs: number;
  readonly valid: number;
  readonly invalid: number;
  /** Indexes of instances that the grammar judges wrongly. */
  readonly wronglyOut: readonly number[];
  readonly wronglyIn: readonly number[];
  /** Wrong verdicts that remain when ajv has the last word on what the grammar accepts. */
  readonly wrongWithAjv: readonly number[];
}

export interface JudgeOptions {
  readonly documents: Readonly<Record<string, unknown>>;
  readonly objects: "standard" | "closed";
}

/** Never throws: what the compiler throws is the verdict's `error`. */
export function judgeSchema(schemaCase: SchemaCase, options: JudgeOptions): SchemaVerdict {
  const { name, split, tests } = schemaCase;
  const valid = tests.filter((test) => test.valid).length;
  const base = {
    name,
    split,
    exact: false,
    satisfiable: false,
    residual: [],
    keywords: keywordsOf(schemaCase.schema),
    rules: 0,
    compileMs: 0,
    matchMs: 0,
    valid,
    invalid: tests.length - valid,
    wronglyOut: [],
    wronglyIn: [],
    wrongWithAjv: [],
  };
  const elapsed = startWatch();
  try {
    const { documents, objects } = options;
    const formats = schemaCase.formats ?? "dialect";
    const compiled = compileSchema(schemaCase.schema, { documents, objects, formats });
    const compileMs = elapsed();
    const judged = judgeInstances(schemaCase, options, compiled.grammar);
    const matchMs = elapsed() - compileMs;
    const { exact, satisfiable, residual } = compiled;
    return {
      ...base,
      exact,
      satisfiable,
      residual,
      rules: compiled.grammar.rules.size,
      compileMs,
      matchMs,
      ...judged,
    };
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { ...base, error: text.slice(0, 300), compileMs: elapsed() };
  }
}

function judgeInstances(
  schemaCase: SchemaCase,
  options: JudgeOptions,
  grammar: ReturnType<typeof compileSchema>["grammar"],
): Pick<SchemaVerdict, "wronglyOut" | "wronglyIn" | "wrongWithAjv"> {
  const matcher = createMatcher(grammar);
  const { documents } = options;
  const { formats } = schemaCase;
  const asked = formats === undefined ? { documents } : { documents, formats };
  const validate = schemaCase.tests.length === 0 ? undefined : validatorOf(schemaCase, asked);
  const wronglyOut: number[] = [];
  const wronglyIn: number[] = [];
  const wrongWithAjv: number[] = [];
  for (const [index, test] of schemaCase.tests.entries()) {
    const isIn = textsOf(schemaCase, test).some((text) => matcher.accepts(text));
    if (test.valid && !isIn) wronglyOut.push(index);
    if (!test.valid && isIn) wronglyIn.push(index);
    if (isIn && validate !== undefined && (validate(test.data) === 0) !== test.valid)
      wrongWithAjv.push(index);
  }
  return { wronglyOut, wronglyIn, wrongWithAjv };
}

/** What refuses an instance has to refuse it as it is written; a valid one may be spelled otherwise (0.0 as 0 in an enum). */
function textsOf({ schema }: SchemaCase, { data, valid, fractions }: SchemaTest): readonly string[] {
  const asWritten = orderedTexts(schema, data, fractions);
  return valid ? [...asWritten, ...orderedTexts(schema, data)] : asWritten;
}

function validatorOf(
  schemaCase: SchemaCase,
  options: Parameters<typeof createValidator>[1],
): ((value: JsonValue) => number) | undefined {
  try {
    const validate = createValidator(schemaCase.schema, options);
    for (const test of schemaCase.tests) validate(test.data);
    return (value) => validate(value).length;
  } catch {
    // The compiler has its own word on such schemas; the verdict of the grammar stands alone then.
    return undefined;
  }
}
