// Times the masks of one schema's grammar at every token of every valid instance: when a state is met for the first time,
// and once more when all of them were met. Knows nothing of the report.
import { createMasks, createMatcher } from "../../src/gbnf-builder/index.ts";
import { compileSchema, writeInstance } from "../../src/schema-grammar/index.ts";
import { startWatch } from "./cpu-time.ts";
import type { JudgeOptions } from "./judge-schema.ts";
import { orderedTexts } from "./order-keys.ts";
import type { SchemaCase } from "./read-data.ts";
import type { BenchVocabulary } from "./read-vocabulary.ts";

export interface MaskTimes {
  readonly type: "masks";
  readonly name: string;
  readonly split: string;
  /** Valid instances that the grammar has, and those it lacks, which have no positions. */
  readonly instances: number;
  readonly missing: number;
  /** Whole microseconds at each position whose state had no mask yet: reading the token before it, and the mask. */
  readonly first: readonly number[];
  /** The same at every position, when each was met before. */
  readonly warm: readonly number[];
}

/** Throws what the compiler throws; the sample is drawn from schemas that compile. */
export function timeMasks(
  schemaCase: SchemaCase,
  options: JudgeOptions,
  vocabulary: BenchVocabulary,
): MaskTimes {
  const { documents, objects } = options;
  const compiled = compileSchema(schemaCase.schema, {
    documents,
    objects,
    formats: schemaCase.formats ?? "dialect",
  });
  const judge = createMatcher(compiled.grammar);
  const valid = schemaCase.tests.filter((test) => test.valid);
  const texts = valid.flatMap(({ data, fractions }) => {
    const own = writeInstance(compiled, data);
    return own ?? orderedTexts(schemaCase.schema, data, fractions).find((text) => judge.accepts(text)) ?? [];
  });
  const pieces = texts.map((text) => vocabulary.cut(text));
  // A matcher of its own, so that finding the texts has met none of its states.
  const matcher = createMatcher(compiled.grammar);
  const masks = createMasks(matcher, vocabulary.trie);
  const met = new Set<number>();
  const first: number[] = [];
  const warm: number[] = [];
  const walk = (note: (state: number, microseconds: number) => void) => {
    for (const tokens of pieces) {
      let state = matcher.start;
      for (const [index] of tokens.entries()) {
        const elapsed = startWatch();
        const before = tokens[index - 1];
        if (before !== undefined) state = matcher.advance(state, before);
        masks.allowedTokens(state);
        note(state, Math.round(1000 * elapsed()));
      }
    }
  };
  walk((state, microseconds) => {
    if (!met.has(state)) first.push(microseconds);
    met.add(state);
  });
  walk((_, microseconds) => warm.push(microseconds));
  const { name, split } = schemaCase;
  return {
    type: "masks",
    name,
    split,
    instances: texts.length,
    missing: valid.length - texts.length,
    first,
    warm,
  };
}
