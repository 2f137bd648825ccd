// Random schemas and instances: the grammar of an exact schema contains just what ajv finds valid.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptsText } from "../../src/gbnf-builder/index.ts";
import { compileSchema, createValidator, writeInstance } from "../../src/schema-grammar/index.ts";
import { randomInstance, randomSchema } from "./random-schema.ts";
import { repeatableRandom, sampleTexts } from "./sample-texts.ts";

describe("random schemas", () => {
  it("agree with ajv on instances wherever the compiler says exact, and let valid ones through everywhere", () => {
    void fc.assert(
      fc.property(
        randomSchema(2),
        fc.array(randomInstance, { minLength: 8, maxLength: 8 }),
        (schema, values) => {
          const compiled = compileSchema(schema);
          const validate = createValidator(schema);
          for (const value of values) {
            const isValid = validate(value).length === 0;
            const text = writeInstance(compiled, value);
            if (compiled.exact || isValid)
              expect({ value, isIn: text !== undefined }).toEqual({ value, isIn: isValid });
            if (text !== undefined) expect(JSON.parse(text)).toEqual(value);
          }
        },
      ),
      { numRuns: 250 },
    );
  });

  it("give the same values in every layout", () => {
    void fc.assert(
      fc.property(randomSchema(2), randomInstance, (schema, value) => {
        const isIn = writeInstance(compileSchema(schema), value) !== undefined;
        for (const spacing of ["compact", { indent: 2, level: 1 }] as const) {
          const compiled = compileSchema(schema, { spacing });
          const text = writeInstance(compiled, value);
          expect(text !== undefined).toBe(isIn);
          if (text !== undefined) expect(acceptsText(compiled.grammar, text)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("let through no text whose value ajv refuses, wherever the compiler says exact", () => {
    // Longer numbers than doubles hold would be rounded by JSON.parse and judged as other numbers.
    const caps = { digits: 6 };
    void fc.assert(
      fc.property(
        randomSchema(2),
        fc.constantFrom<"schema" | "any">("schema", "any"),
        fc.nat(),
        (schema, keyOrder, seed) => {
          const compiled = compileSchema(schema, { keyOrder, caps });
          if (!compiled.exact || !compiled.satisfiable) return;
          const validate = createValidator(schema);
          for (const text of sampleTexts(compiled.grammar, {
            count: 8,
            length: 60,
            random: repeatableRandom(seed),
          })) {
            expect({ text, faults: validate(JSON.parse(text)) }).toEqual({ text, faults: [] });
          }
        },
      ),
      { numRuns: 120 },
    );
  });
});
