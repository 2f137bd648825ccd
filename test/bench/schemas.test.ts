// The pieces of the schema bench, on cases small enough to know the answers by hand.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Referee, RefereeAnswer } from "../../bench/gbnf-referee.ts";
import { startWatch } from "../../bench/schemas/cpu-time.ts";
import { drawSample } from "../../bench/schemas/draw-sample.ts";
import { judgeSchema } from "../../bench/schemas/judge-schema.ts";
import { keywordsOf } from "../../bench/schemas/keywords-of.ts";
import { percentile, percentileLine } from "../../bench/schemas/percentiles.ts";
import { readData, type SchemaCase } from "../../bench/schemas/read-data.ts";
import { cutGreedily } from "../../bench/schemas/read-vocabulary.ts";
import { refereeCase } from "../../bench/schemas/referee-case.ts";
import { reportMasks } from "../../bench/schemas/report-masks.ts";
import { readFinishedRun } from "../../bench/schemas/run-lines.ts";
import { timeMasks } from "../../bench/schemas/time-masks.ts";
import { createTokenTrie } from "../../src/gbnf-builder/index.ts";

const options = { documents: {}, objects: "standard" } as const;
const bytes = (text: string) => Buffer.from(text, "utf8");

const evenOrName: SchemaCase = {
  name: "small",
  split: "hand",
  schema: { type: "object", properties: { a: { const: 1 } }, required: ["a"], additionalProperties: false },
  tests: [
    { valid: true, data: { a: 1 } },
    { valid: false, data: { a: 2 } },
  ],
};

describe("keywords", () => {
  test("are counted at schemas only, not where a property or a value is called like one", () => {
    const schema = {
      properties: { not: { type: "string" }, if: { format: "date" } },
      enum: [{ oneOf: [] }],
      default: { pattern: "x" },
    };
    expect(keywordsOf(schema)).toEqual(["enum", "format", "format: date", "properties", "type"]);
  });

  test("are found below every kind of applicator", () => {
    const schema = {
      allOf: [{ minimum: 1 }],
      items: [{ maximum: 2 }],
      additionalItems: { multipleOf: 3 },
      dependencies: { a: ["b"], c: { minLength: 4 } },
      $defs: { d: { contains: { maxItems: 5 } } },
    };
    const inner = ["minimum", "maximum", "multipleOf", "minLength", "contains", "maxItems"];
    expect(keywordsOf(schema)).toEqual(expect.arrayContaining(inner));
  });

  test("that say nothing are not counted", () => {
    expect(keywordsOf({ uniqueItems: false, exclusiveMinimum: false })).toEqual([]);
    expect(keywordsOf(true)).toEqual([]);
  });
});

describe("samples", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);

  test("hold each item at most once, and are the same for the same seed", () => {
    const sample = drawSample(items, 40, 7);
    expect(new Set(sample).size).toBe(40);
    expect(drawSample(items, 40, 7)).toEqual(sample);
    expect(drawSample(items, 40, 8)).not.toEqual(sample);
  });

  test("begin alike whatever their size, and are all items where more are asked for", () => {
    expect(drawSample(items, 10, 7)).toEqual(drawSample(items, 40, 7).slice(0, 10));
    expect([...drawSample(items, 1000, 7)].sort((a, b) => a - b)).toEqual(items);
  });

  test("are not just the first items", () => {
    expect(drawSample(items, 10, 1).some((item) => item >= 50)).toBe(true);
  });
});

describe("percentiles", () => {
  test("are values that were measured, sorted as numbers", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.5)).toBe(51);
    expect(percentile(values, 0.99)).toBe(100);
    expect(percentile([9, 10, 1], 1)).toBe(10);
    expect(percentile([], 0.5)).toBe(0);
    expect(percentileLine("ms", [3, 1, 2], 0)).toBe("ms: p50 2, p90 3, p99 3, max 3");
  });

  test("of time never run backwards", () => {
    const elapsed = startWatch();
    const once = elapsed();
    expect(once).toBeGreaterThanOrEqual(0);
    expect(elapsed()).toBeGreaterThanOrEqual(once);
  });
});

describe("verdicts", () => {
  test("name the keywords of the schema, also where it does not compile", () => {
    expect(judgeSchema(evenOrName, options)).toMatchObject({
      exact: true,
      wronglyIn: [],
      wronglyOut: [],
      keywords: ["additionalProperties", "const", "properties", "required", "type"],
    });
    const broken = judgeSchema({ ...evenOrName, schema: { $ref: "#/nowhere", minimum: 1 } }, options);
    expect(broken.error).toContain("nowhere");
    expect(broken.keywords).toEqual(["$ref", "minimum"]);
  });
});

describe("tokens", () => {
  test("are cut by the longest that is known, byte by byte where none is", () => {
    const pieces = cutGreedily(
      bytes('abcé"'),
      new Set(["ab", "abc", "é"].map((one) => bytes(one).toString("latin1"))),
      4,
    );
    expect(pieces.map((piece) => Buffer.from(piece).toString("utf8"))).toEqual(["abc", "é", '"']);
  });
});

describe("mask times", () => {
  const words = ['{"', "a", '": ', "1", "}", "{", '"', ":", " "];
  const known = new Set(words);
  const vocabulary = {
    modelId: "words",
    trie: createTokenTrie(words.map(bytes)),
    cut: (text: string) => cutGreedily(bytes(text), known, 3),
  };

  test("are taken at every token of valid instances, and once for each state that is new", () => {
    const twice = { ...evenOrName, tests: [...evenOrName.tests, { valid: true, data: { a: 1 } }] };
    // {" a ":  1 }
    const times = timeMasks(twice, options, vocabulary);
    expect(times).toMatchObject({ type: "masks", name: "small", instances: 2, missing: 0 });
    expect(times.warm).toHaveLength(10);
    expect(times.first).toHaveLength(5);
  });

  test("leave out instances that the grammar lacks, and say so", () => {
    const more = { valid: true, data: { a: 1, b: 2 } };
    const closed = { ...evenOrName, schema: { properties: { a: {} } }, tests: [...evenOrName.tests, more] };
    expect(timeMasks(closed, { ...options, objects: "closed" }, vocabulary)).toMatchObject({
      instances: 1,
      missing: 1,
    });
  });

  test("are reported with the slowest named", () => {
    const one = { type: "masks", split: "hand", instances: 1, missing: 0, warm: [1, 1] } as const;
    const report = reportMasks(
      [
        { ...one, name: "quick", first: [10, 20] },
        { ...one, name: "slow", first: [30, 300_000] },
      ],
      9,
    );
    expect(report).toContain("2 schemas, 2 valid instances (0 more are not in their grammar), 4 positions");
    expect(report).toContain("over 20 ms: 25.0 %; over 250 ms: 1");
    expect(report.split("\n").at(-2)).toBe("  slow: 300.0 ms");
  });
});

describe("llama.cpp as the judge of one schema", () => {
  const refereeSaying = (answer: (texts: readonly string[]) => RefereeAnswer): Referee => ({
    judge: (_, texts) => Promise.resolve(answer(texts)),
    close: () => undefined,
  });
  const verdicts = (isIn: (text: string) => boolean) =>
    refereeSaying((texts) => ({ type: "verdicts", verdicts: texts.map(isIn) }));

  test("agrees where it says the same of every text", async () => {
    const outcome = await refereeCase(
      verdicts((text) => text === '{"a": 1}'),
      evenOrName,
      options,
    );
    expect(outcome).toMatchObject({ type: "judged", differences: [] });
    // Each instance as the grammar writes it, and compact.
    expect(outcome.texts).toBeGreaterThanOrEqual(3);
  });

  test("differs where it accepts what our matcher refuses", async () => {
    const outcome = await refereeCase(
      verdicts(() => true),
      evenOrName,
      options,
    );
    expect(outcome.differences).toContainEqual({ text: '{"a": 2}', llama: true });
  });

  test("that refuses a grammar, hangs at it, or hangs at its texts is told apart", async () => {
    const outcomes = await Promise.all(
      [
        { type: "refused", message: "no" } as const,
        { type: "lost", isLoaded: false, message: "gone" } as const,
        { type: "lost", isLoaded: true, message: "slow" } as const,
      ].map((answer) =>
        refereeCase(
          refereeSaying(() => answer),
          evenOrName,
          options,
        ),
      ),
    );
    expect(outcomes.map(({ type }) => type)).toEqual(["refused", "lost", "slow"]);
  });

  test("is not asked where there is no grammar", async () => {
    const never = refereeSaying(() => {
      throw new Error("asked");
    });
    const outcomes = [false, { $ref: "#/nowhere" }].map((schema) =>
      refereeCase(never, { ...evenOrName, schema }, options),
    );
    expect((await Promise.all(outcomes)).map(({ type }) => type)).toEqual(["unsatisfiable", "not-compiled"]);
  });
});

describe("a run's file", () => {
  const end = { type: "run", data: "d", objects: "standard", date: "", node: "", cases: 1, vocabulary: 0 };
  const line = (key: string, result: object) => JSON.stringify({ key, result });
  const verdict = judgeSchema(evenOrName, options);

  function read(lines: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), "callwright-run-"));
    try {
      writeFileSync(join(folder, "run.json"), `${lines.join("\n")}\n`);
      return readFinishedRun(join(folder, "run.json"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("gives the last finished run, without lines of another compiler or other objects", () => {
    const run = read([
      line("old standard small0", verdict),
      line("old standard run", { ...end, compiler: "old" }),
      line("new closed small0", verdict),
      line("new standard small0", verdict),
      line("new standard small0 masks m", { type: "masks", name: "small", first: [], warm: [] }),
      line("new standard run", { ...end, compiler: "new" }),
    ]);
    expect(run.end.compiler).toBe("new");
    expect([run.verdicts.length, run.masks.length]).toEqual([1, 1]);
  });

  test("of a run that was stopped is refused with what to do", () => {
    expect(() => read([line("new standard small0", verdict)])).toThrow(/no finished run/);
  });
});

describe("whole numbers that are written with a fraction", () => {
  const draft04 = "http://json-schema.org/draft-04/schema#";
  const line = (schema: string, tests: string) => `{"name": "n", "schema": ${schema}, "tests": [${tests}]}\n`;

  test("are no integers in draft-04, and are elsewhere", () => {
    const folder = mkdtempSync(join(tmpdir(), "callwright-data-"));
    try {
      const path = join(folder, "data.jsonl");
      const tests = `{"valid": true, "data": {"n": 7}}, {"valid": false, "data": {"n": 7.0}}`;
      const integers = `"properties": {"n": {"type": "integer"}}`;
      const rows = [
        line(`{"$schema": "${draft04}", ${integers}}`, tests),
        line(`{${integers}}`, `{"valid": true, "data": {"n": 7.0}}`),
        line(`{"$schema": "${draft04}", "type": "number"}`, `{"valid": true, "data": 7.0}`),
      ];
      writeFileSync(path, rows.join(""));
      const verdicts = readData(path).cases.map((schemaCase) => judgeSchema(schemaCase, options));
      for (const verdict of verdicts) {
        expect(verdict).toMatchObject({ exact: true, wronglyIn: [], wronglyOut: [] });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
