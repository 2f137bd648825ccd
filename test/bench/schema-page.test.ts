// The generated page about JSON Schema, from a run small enough to count by hand.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { noteGroups } from "../../bench/schema-page/keyword-notes.ts";
import { markdownTable, share } from "../../bench/schema-page/markdown.ts";
import { writePage } from "../../bench/schema-page/write-page.ts";
import type { SchemaVerdict } from "../../bench/schemas/judge-schema.ts";
import type { FinishedRun, RunEnd } from "../../bench/schemas/run-lines.ts";

const end: RunEnd = {
  type: "run",
  data: "half.jsonl.gz",
  objects: "standard",
  compiler: "c",
  date: "2026-12-01",
  node: "v20",
  cases: 3,
  vocabulary: 151_936,
  model: "some-model",
};

const verdict = (over: Partial<SchemaVerdict>): SchemaVerdict => ({
  name: "one",
  split: "BFCL",
  exact: true,
  satisfiable: true,
  residual: [],
  keywords: ["type"],
  rules: 1,
  compileMs: 1,
  matchMs: 1,
  valid: 1,
  invalid: 1,
  wronglyIn: [],
  wronglyOut: [],
  wrongWithAjv: [],
  ...over,
});

const unique = {
  pointer: "/uniqueItems",
  keyword: "uniqueItems",
  direction: "over",
  reason: "items are too many to remember which were used",
} as const;

const standard: FinishedRun = {
  end,
  verdicts: [
    verdict({}),
    verdict({
      name: "two",
      split: "Other",
      exact: false,
      keywords: ["type", "uniqueItems"],
      residual: [unique, unique],
      wronglyIn: [1],
      compileMs: 9,
    }),
    verdict({ name: "three", split: "Other", keywords: ["uniqueItems"], valid: 0, invalid: 0 }),
  ],
  masks: [
    {
      type: "masks",
      name: "one",
      split: "BFCL",
      instances: 1,
      missing: 0,
      first: [100, 19_999],
      warm: [1, 2, 3],
    },
  ],
  least: { passes: 3, compileMs: [0.1, 4.5, 0.1] },
};
const closed: FinishedRun = {
  end: { ...end, objects: "closed" },
  verdicts: [verdict({ wronglyOut: [0] }), ...standard.verdicts.slice(1)],
  masks: [],
  least: { passes: 1, compileMs: [] },
};
const suiteGroup = (name: string, over: Partial<SchemaVerdict> = {}) =>
  verdict({ name, split: "draft7 required", ...over });
const suite: FinishedRun = {
  end: { ...end, data: "suite.tar.gz" },
  verdicts: [
    suiteGroup("draft7/uniqueItems: a"),
    suiteGroup("draft7/uniqueItems: b", { exact: false, wronglyIn: [0] }),
    suiteGroup("draft7/if-then-else: c"),
    suiteGroup("draft2020-12/not: d", { split: "draft2020-12 required" }),
    suiteGroup("draft2020-12/not: e", { split: "draft2020-12 required", error: "over the limit" }),
  ],
  masks: [],
  least: { passes: 1, compileMs: [] },
};

const page = writePage({ standard, closed, suite });
const rowsOf = (first: string) =>
  page
    .split("\n")
    .filter((line) => line.startsWith(`| ${first} |`))
    .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));

describe("the page", () => {
  test("answers first whether a schema is enforced", () => {
    expect(page).toContain(
      "Of 3 real schemas 66.7 % are enforced exactly by the grammar alone. Of the 2 that come with instances, 50.0 % are judged fully right (schemas of tool calls: 100 %); reported as exact, but judged unlike its label: 0.",
    );
  });

  test("counts a keyword's schemas, the relaxed ones among them once each, and its groups in the suite", () => {
    expect(rowsOf("`uniqueItems`")[0]?.slice(1, 5)).toEqual(["2", "50.0 %", "1", "1 of 2"]);
    expect(rowsOf("`type`")[0]?.slice(1, 5)).toEqual(["2", "100 %", "0", "–"]);
    expect(rowsOf("`not`")[0]?.slice(1, 5)).toEqual(["0", "–", "0", "1 of 2"]);
    expect(rowsOf("`if`, `then`, `else`")[0]?.[4]).toBe("1 of 1");
  });

  test("gives the reasons with their share", () => {
    expect(rowsOf("`uniqueItems`").at(-1)).toEqual(["`uniqueItems`", "over", unique.reason, "1", "33.3 %"]);
  });

  test("has a row for each split, with closed objects beside it", () => {
    expect(rowsOf("BFCL")[0]).toEqual([..."BFCL,1,100 %,100 %,1,100 %,100 %,100 %,0,0.0 %".split(",")]);
    expect(rowsOf("Other")[0]?.slice(4)).toEqual("1,100 %,0.0 %,0.0 %,0,0.0 %".split(","));
    expect(rowsOf("**all**")[0]?.slice(7)).toEqual(["50.0 %", "0", "0.0 %"]);
  });

  test("counts the suite by draft, groups that do not compile as wrong", () => {
    expect(rowsOf("draft2020-12")[0]?.[1]).toBe("1 of 2 = 50.0 %");
    expect(rowsOf("draft7")[0]?.[1]).toBe("2 of 3 = 66.7 %");
  });

  test("names what is called exact and is not", () => {
    const wrong = verdict({ name: "Github_easy---o1", wronglyIn: [3] });
    const other = [1, 2].map((group) => suiteGroup(`draft7/optional/x: ${group}`, { wronglyIn: [0] }));
    const told = writePage({
      standard: { ...standard, verdicts: [wrong] },
      suite: { ...suite, verdicts: other },
    });
    expect(told).toContain("- `Github_easy---o1`\n");
    expect(told).toContain("- `draft7/optional/x` (2)\n");
    expect(page).toContain("No schema that is called exact is judged wrong.");
  });

  test("states times with their units, and the peers' beside ours", () => {
    expect(rowsOf("compile, one thread")[0]).toEqual([
      "compile, one thread",
      "1.00 ms",
      "9.00 ms",
      "9.00 ms",
      "9.00 ms",
    ]);
    expect(rowsOf("compile, least of 3 passes")[0]?.at(-1)).toBe("4.50 ms");
    expect(rowsOf("mask, first visit of a state")[0]?.at(-1)).toBe("19999 µs");
    expect(rowsOf("**Callwright**, warm")[0]?.slice(1, 4)).toEqual(["2", "3", "3"]);
    expect(rowsOf("XGrammar, compliant")[0]?.slice(1, 4)).toEqual(["99.7 %", "91.3 %", "98.6 %"]);
  });

  test("names each keyword of JSON Schema that asserts or applies just once", () => {
    const named = noteGroups.flatMap(({ notes }) => notes.flatMap(({ keywords }) => keywords));
    expect(new Set(named).size).toBe(named.length);
    // JSON Schema 2020-12: core, section 8.2.3 and 10 and 11; validation, section 6 and 7.
    const specified =
      `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
      pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required
      dependentRequired allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties
      patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties format $ref
      $dynamicRef`.split(/\s+/);
    expect(specified.filter((keyword) => !named.includes(keyword))).toEqual([]);
  });

  test("that is committed was generated, and says from what", () => {
    const committed = readFileSync(new URL("../../docs/json-schema.md", import.meta.url), "utf8");
    expect(committed).toMatch(/^\*Generated by `npm run docs:schemas` from runs of .* of \d{4}-\d\d-\d\d/m);
  });
});

describe("Markdown", () => {
  test("tables keep bars inside cells", () => {
    expect(markdownTable(["a", "b"], [["x|y", "1"]])).toBe("| a | b |\n|---|--:|\n| x\\|y | 1 |");
  });

  test("a share is 100 % only where nothing is missing", () => {
    expect(share(10, 10)).toBe("100 %");
    expect(share(99_999, 100_000)).toBe("99.99 %");
    expect(share(1, 3)).toBe("33.3 %");
    expect(share(1, 5000)).toBe("0.02 %");
    expect(share(0, 0)).toBe("–");
  });
});
