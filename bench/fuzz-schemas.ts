// Random schemas against three judges: our grammar, ajv, and llama.cpp on the printed grammar. `npm run fuzz:schemas`.
// Where the compiler says exact they must agree; a valid instance must be in everywhere. Stops at the first disagreement.
import * as fc from "fast-check";
import { acceptsText, printGbnf } from "../src/gbnf-builder/index.ts";
import { compileSchema, createValidator, writeInstance } from "../src/schema-grammar/index.ts";
import type { JsonSchema, JsonValue } from "../src/vocabulary/index.ts";
import { randomInstance, randomSchema } from "../test/schema-grammar/random-schema.ts";
import { createReferee, type Referee } from "./gbnf-referee.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run fuzz:schemas", {
  schemas: "how many random schemas (5000)",
  instances: "random instances for each (20)",
  depth: "levels of a schema (2)",
  seed: "of the random numbers (by the clock)",
  referee: "how many of a hundred grammars llama.cpp judges as well (5)",
});

const schemas = wholeNumber(options.schemas, "schemas", 5000);
const instances = wholeNumber(options.instances, "instances", 20);
const depth = wholeNumber(options.depth, "depth", 2);
const seed = wholeNumber(options.seed, "seed", (Date.now() % 1_000_000) + 1);
const refereeShare = wholeNumber(options.referee, "referee", 5);
const counts = { pairs: 0, exact: 0, refereed: 0, schemas: 0 };
const referee = createReferee();

process.stderr.write(`seed ${seed}\n`);
try {
  await fc.assert(
    fc.asyncProperty(
      randomSchema(depth),
      fc.array(randomInstance, { minLength: instances, maxLength: instances }),
      fc.integer({ min: 0, max: 99 }),
      async (schema, values, lot) => {
        judge(schema, values);
        if (lot < refereeShare) await judgeByLlama(referee, schema, values);
      },
    ),
    { numRuns: schemas, seed },
  );
} finally {
  referee.close();
  process.stdout.write(`${JSON.stringify({ seed, ...counts })}\n`);
}

function judge(schema: JsonSchema, values: readonly JsonValue[]): void {
  const compiled = compileSchema(schema);
  const validate = createValidator(schema);
  counts.schemas++;
  if (compiled.exact) counts.exact++;
  for (const value of values) {
    counts.pairs++;
    const isValid = validate(value).length === 0;
    const isIn = writeInstance(compiled, value) !== undefined;
    if (isIn === isValid || (isIn && !compiled.exact)) continue;
    throw new Error(
      `${JSON.stringify(value)} is ${isValid ? "valid" : "invalid"} but ${isIn ? "in" : "out"}`,
    );
  }
}

async function judgeByLlama(judge: Referee, schema: JsonSchema, values: readonly JsonValue[]): Promise<void> {
  const compiled = compileSchema(schema);
  if (!compiled.satisfiable) return;
  const texts = values.map((value) => writeInstance(compiled, value) ?? JSON.stringify(value));
  const answer = await judge.judge(printGbnf(compiled.grammar), texts);
  if (answer.type !== "verdicts")
    throw new Error(`llama.cpp gave no verdicts: ${answer.type}, ${answer.message}`);
  counts.refereed += texts.length;
  for (const [index, text] of texts.entries()) {
    const isIn = acceptsText(compiled.grammar, text);
    if (answer.verdicts[index] !== isIn)
      throw new Error(`llama.cpp and the matcher disagree on ${text}: ${isIn}`);
  }
}
