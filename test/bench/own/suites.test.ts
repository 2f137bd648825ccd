// Every suite of ours: its files hold together, its right answers are valid and judged right, its halves are both filled.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import type { BenchAnswer } from "../../../src/bench/bench-item.ts";
import { halfOf } from "../../../src/bench/draw-items.ts";
import { readSuite, readSuiteFolder } from "../../../src/bench/own/read-suite.ts";
import { suiteNames } from "../../../src/bench/suites.ts";
import { judgeAnswer } from "../../../src/bench/verdict.ts";
import { compileSchema } from "../../../src/schema-grammar/index.ts";

const folder = fileURLToPath(new URL("../../../bench/suites/", import.meta.url));
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const silent: BenchAnswer = {
  calls: [],
  text: "",
  finish: "stop",
  milliseconds: { total: 1 },
  tokens: { prompt: 1, reused: 0, forced: 0, sampled: 1 },
  attempts: 1,
  mends: [],
};

it("every folder of suites can be asked for", () => {
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !suiteNames.includes(name))).toEqual([]);
});

/** What the project promises of each suite. */
const least: Readonly<Record<string, number>> = {
  restraint: 260,
  "hard-schemas": 200,
  "many-tools": 160,
  agents: 30,
  tasks: 60,
};

describe.each(names)("%s", (name) => {
  const { items, tools } = readSuiteFolder(name);
  const suite = readSuite(name);

  it("has as many items as it should, each with an id of its own", () => {
    expect(suite.items.length).toBeGreaterThanOrEqual(least[name] ?? Number.POSITIVE_INFINITY);
    expect(new Set(suite.items.map(({ id }) => id)).size).toBe(suite.items.length);
  });

  it("asks no question twice", () => {
    const asked = items.map((line) => JSON.stringify([line.messages, line.prompt, line.tools]));
    expect(asked.filter((text, at) => asked.indexOf(text) !== at)).toEqual([]);
  });

  it("offers only tools that it has, and has none that no item offers", () => {
    const offered = new Set(suite.items.flatMap((item) => item.tools.map((tool) => tool.name)));
    expect(Object.keys(tools).filter((tool) => !offered.has(tool))).toEqual([]);
  });

  it("has schemas that ajv's strict mode takes and that compile", () => {
    const ajv = addFormats.default(
      new Ajv2020.default({ strict: true, strictRequired: false, strictTypes: false }),
    );
    const wrong = Object.entries(tools).filter(([, { inputSchema }]) => {
      ajv.compile(inputSchema as object);
      return !compileSchema(inputSchema).satisfiable;
    });
    expect(wrong.map(([tool]) => tool)).toEqual([]);
  });

  // Tasks are held against their worlds in `tasks.test.ts`.
  const oneTurn = items.filter((line) => line.task === undefined);

  it("wants calls that are valid, and takes them for right", () => {
    const wrong = oneTurn.flatMap((line) => {
      const item = suite.items.find(({ id, family }) => id === line.id || family === line.id);
      if (item === undefined) return [`${line.id}: is no item`];
      const calls = line.calls.map((call) => ({ name: call.name, text: JSON.stringify(call.arguments) }));
      const verdict = judgeAnswer(item, { ...silent, calls });
      return verdict.isRight && verdict.isValid && verdict.hasRightTools
        ? []
        : [`${line.id}: ${JSON.stringify(verdict)}`];
    });
    expect(wrong).toEqual([]);
  });

  it("accepts other values only where they are valid too", () => {
    const wrong = oneTurn.flatMap((line) =>
      line.calls.flatMap((call) =>
        Object.entries(call.accept ?? {}).flatMap(([pointer, accepted]) =>
          ("any" in accepted ? [] : accepted.values).flatMap((value) => {
            const text = JSON.stringify(setAt(call.arguments, pointer.split("/").slice(1), value));
            const item = suite.items.find(({ id, family }) => id === line.id || family === line.id);
            const verdict =
              item &&
              judgeAnswer(
                { ...item, wanted: [call.name] },
                { ...silent, calls: [{ name: call.name, text }] },
              );
            return verdict?.isValid ? [] : [`${line.id}${pointer}: ${JSON.stringify(value)}`];
          }),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("takes no answer at all for right only where no call is wanted", () => {
    const wrong = suite.items.filter(
      (item) => judgeAnswer(item, silent).isRight !== (item.wanted?.length === 0),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it("has items of every category in both halves, and variants of a question in one", () => {
    const halves = new Map<string, Set<string>>();
    const families = new Map<string, Set<string>>();
    for (const item of suite.items) {
      const half = halfOf(item);
      halves.set(item.category, (halves.get(item.category) ?? new Set()).add(half));
      const family = item.family ?? item.id;
      families.set(family, (families.get(family) ?? new Set()).add(half));
    }
    expect([...halves].filter(([, found]) => found.size !== 2)).toEqual([]);
    expect([...families].filter(([, found]) => found.size !== 1)).toEqual([]);
  });
});

/** The object with a value set at steps; `*` and what has no place in it leave it as it is. */
function setAt(value: unknown, steps: readonly string[], set: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return set;
  if (Array.isArray(value)) {
    return value.map((item, at) => (step === "*" || step === String(at) ? setAt(item, rest, set) : item));
  }
  if (typeof value !== "object" || value === null) return value;
  return { ...value, [step]: setAt((value as Record<string, unknown>)[step], rest, set) };
}
