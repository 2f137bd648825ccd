// One schema's grammar before llama.cpp: does it load, and do both engines say the same of every text.
import { performance } from "node:perf_hooks";
import { createMatcher, printGbnf } from "../../src/gbnf-builder/index.ts";
import { compileSchema, writeInstance } from "../../src/schema-grammar/index.ts";
import type { Referee } from "../gbnf-referee.ts";
import type { JudgeOptions } from "./judge-schema.ts";
import { orderedTexts } from "./order-keys.ts";
import type { SchemaCase } from "./read-data.ts";

/**
 * `judged`: loaded, and verdicts given. `slow`: loaded, but no verdicts in time. `lost`: hung or died while loading.
 * `refused`: llama.cpp says no. `not-compiled` and `unsatisfiable`: there is no grammar to load.
 */
export interface GbnfOutcome {
  readonly name: string;
  readonly type: "judged" | "slow" | "lost" | "refused" | "not-compiled" | "unsatisfiable";
  readonly bytes: number;
  readonly texts: number;
  readonly milliseconds: number;
  readonly message: string;
  /** The first few texts on which the engines differ. */
  readonly differences: readonly { readonly text: string; readonly llama: boolean }[];
}

const mostDifferences = 5;

/** Never throws on a schema's account: what the compiler throws is the outcome's message. */
export async function refereeCase(
  referee: Referee,
  schemaCase: SchemaCase,
  { documents, objects }: JudgeOptions,
): Promise<GbnfOutcome> {
  const nothing = {
    name: schemaCase.name,
    bytes: 0,
    texts: 0,
    milliseconds: 0,
    message: "",
    differences: [],
  };
  let compiled: ReturnType<typeof compileSchema>;
  try {
    compiled = compileSchema(schemaCase.schema, {
      documents,
      objects,
      formats: schemaCase.formats ?? "dialect",
    });
  } catch (error) {
    return {
      ...nothing,
      type: "not-compiled",
      message: error instanceof Error ? error.message : String(error),
    };
  }
  if (!compiled.satisfiable) return { ...nothing, type: "unsatisfiable" };
  const texts = [
    ...new Set(
      schemaCase.tests.flatMap(({ data, valid, fractions }) => [
        ...orderedTexts(schemaCase.schema, data, fractions),
        (valid ? writeInstance(compiled, data) : undefined) ?? JSON.stringify(data),
      ]),
    ),
    // llama.cpp's strings end at U+0000, and half a character is no text for it.
  ].filter((text) => !text.includes("\0") && !/\p{Surrogate}/u.test(text));
  const gbnf = printGbnf(compiled.grammar);
  const start = performance.now();
  const answer = await referee.judge(gbnf, texts);
  const measured = {
    ...nothing,
    bytes: Buffer.byteLength(gbnf),
    texts: texts.length,
    milliseconds: Math.round(performance.now() - start),
  };
  if (answer.type === "refused") return { ...measured, type: "refused", message: answer.message };
  if (answer.type === "lost")
    return { ...measured, type: answer.isLoaded ? "slow" : "lost", message: answer.message };
  const matcher = createMatcher(compiled.grammar);
  const differences = texts.flatMap((text, index) => {
    const llama = answer.verdicts[index] === true;
    return matcher.accepts(text) === llama ? [] : [{ text: text.slice(0, 2000), llama }];
  });
  return { ...measured, type: "judged", differences: differences.slice(0, mostDifferences) };
}
