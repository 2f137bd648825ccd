// The formats over vocabularies of real models, token by token. No weights, but the largest vocabulary takes seconds to load.
import { describe, expect, it } from "vitest";
import { formats } from "../../src/formats/index.ts";
import { withPromptFacts } from "../../src/models/local/llama-runtime.ts";
import { checkVocabulary } from "../formats/vocabulary-properties.ts";
import { createTokenWalk } from "../formats/walk-tokens.ts";
import { testedVocabularies, vocabularyPath } from "../llama-cpp-files.ts";

describe("calls in every format", () => {
  for (const name of testedVocabularies) {
    it(`${name}: valid ones are accepted as the tokenizer splits them, single faults refused where they stand`, async () => {
      await withPromptFacts(vocabularyPath(name), undefined, (facts) => {
        const walk = createTokenWalk(facts);
        const runs = 3;
        for (const format of formats) expect(checkVocabulary(format, walk, { runs }).accepted).toBe(2 * runs);
      });
    });
  }
});
