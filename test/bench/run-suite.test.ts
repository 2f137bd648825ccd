import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Arm, BenchAnswer, BenchItem } from "../../src/bench/bench-item.ts";
import { compareRuns } from "../../src/bench/compare.ts";
import { drawItems, halfOf } from "../../src/bench/draw-items.ts";
import { type RunHeader, readRun } from "../../src/bench/result-file.ts";
import { runSuite } from "../../src/bench/run-suite.ts";
import { summarize } from "../../src/bench/summarize.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callwright-bench-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const add = {
  name: "add",
  description: "Adds.",
  inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};

function itemOf(id: string, category = "sums", wanted: readonly string[] = ["add"]): BenchItem {
  return {
    id,
    category,
    messages: [{ role: "user", content: id }],
    tools: [add],
    wanted,
    judge: ({ calls }) => (calls.length === wanted.length ? undefined : "count"),
  };
}

const nothing: BenchAnswer = {
  calls: [],
  text: "",
  finish: "stop",
  milliseconds: { total: 10 },
  tokens: { prompt: 1, reused: 0, forced: 0, sampled: 1 },
  attempts: 1,
  mends: [],
};

function armOf(answer: (item: BenchItem) => Partial<BenchAnswer>): Arm & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name: "test",
    takesTasks: false,
    provenance: {},
    asked,
    answer: async (item) => {
      asked.push(item.id);
      return { ...nothing, ...answer(item) };
    },
    close: async () => {},
  };
}

const header: RunHeader = {
  suite: "s",
  arm: "test",
  settings: { seed: 1 },
  machine: {},
  started: "now",
  total: 3,
};

function run(arm: Arm, items: readonly BenchItem[], signal = new AbortController().signal, head = header) {
  return runSuite({
    items,
    arm,
    header: head,
    path: join(folder, "run.jsonl"),
    signal,
    onProgress: () => {},
  });
}

describe("a run that is stopped", () => {
  const items = ["a", "b", "c"].map((id) => itemOf(id));

  it("goes on without asking an item twice or losing one, also after a half-written line", async () => {
    const stop = new AbortController();
    const first = armOf(({ id }) => {
      if (id === "b") stop.abort();
      return { calls: [{ name: "add", text: '{"n": 1}' }] };
    });
    await expect(run(first, items, stop.signal)).rejects.toThrow();
    appendFileSync(join(folder, "run.jsonl"), '{"id":"b","cate');
    const second = armOf(() => ({ calls: [{ name: "add", text: '{"n": 1}' }] }));
    const { results } = await run(second, items);
    expect(second.asked).toEqual(["b", "c"]);
    expect(results.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(readRun(join(folder, "run.jsonl")).results).toEqual(results);
  });

  it("is not mixed with a run of other settings", async () => {
    await run(
      armOf(() => ({})),
      items,
    );
    const other = { ...header, settings: { seed: 2 } };
    await expect(
      run(
        armOf(() => ({})),
        items,
        undefined,
        other,
      ),
    ).rejects.toThrow(/another seed/);
  });

  it("never touches a file that is something else", async () => {
    for (const text of ["one line without an end", "a line\nand a half"]) {
      writeFileSync(join(folder, "run.jsonl"), text);
      await expect(
        run(
          armOf(() => ({})),
          items,
        ),
      ).rejects.toThrow();
      expect(readFileSync(join(folder, "run.jsonl"), "utf8")).toBe(text);
    }
  });

  it("begins anew where not even its first line was finished", async () => {
    writeFileSync(join(folder, "run.jsonl"), '{"run":{"sui');
    const { results } = await run(
      armOf(() => ({})),
      items,
    );
    expect(readRun(join(folder, "run.jsonl")).results).toEqual(results);
  });

  it("is told from a file that is something else", () => {
    writeFileSync(join(folder, "other.jsonl"), '{"a": 1}\n');
    expect(() => readRun(join(folder, "other.jsonl"))).toThrow(/does not describe a run/);
  });
});

describe("the figures", () => {
  it("count each step of the funnel, and what went wrong", async () => {
    const items = [
      itemOf("right"),
      itemOf("none"),
      itemOf("invalid"),
      itemOf("other"),
      itemOf("quiet", "talk", []),
      itemOf("talks", "talk", []),
    ];
    const answers: Readonly<Record<string, Partial<BenchAnswer>>> = {
      right: { calls: [{ name: "add", text: '{"n": 1}' }], attempts: 2 },
      none: { error: "HTTP 500" },
      invalid: { calls: [{ name: "add", text: '{"n": 1.5}' }] },
      other: { calls: [{ name: "subtract", text: "{}" }] },
      talks: { calls: [{ name: "add", text: '{"n": 1}' }] },
    };
    const { results } = await run(
      armOf(({ id }) => answers[id] ?? {}),
      items,
    );
    const summary = summarize(results);
    expect(summary.funnel).toEqual({ wanted: 4, called: 3, valid: 1, rightTools: 1, right: 1 });
    expect(summary.missed).toEqual({ hits: 1, of: 4 });
    expect(summary.falseCalls).toEqual({ hits: 1, of: 2 });
    expect(summary.invalid).toEqual({ hits: 2, of: 4 });
    expect(summary.errors).toEqual({ hits: 1, of: 6 });
    expect(summary.retried).toEqual({ hits: 1, of: 6, right: 1 });
    expect(summary.faults).toEqual([
      { fault: "error", count: 1, ids: ["none"] },
      { fault: "count", count: 1, ids: ["talks"] },
    ]);
    expect(readFileSync(join(folder, "run.jsonl"), "utf8").split("\n")).toHaveLength(8);
  });

  it("of two runs are compared item by item", async () => {
    const items = ["a", "b", "c"].map((id) => itemOf(id));
    const first = await run(
      armOf(({ id }) => (id === "a" ? { calls: [{ name: "add", text: "{}" }] } : {})),
      items,
    );
    rmSync(join(folder, "run.jsonl"));
    const second = await run(
      armOf(({ id }) => (id === "a" ? {} : { calls: [{ name: "add", text: "{}" }] })),
      items.slice(0, 2),
    );
    const { all, unpaired } = compareRuns(first.results, second.results);
    expect(all).toMatchObject({ of: 2, first: 1, second: 1, gained: ["b"], lost: ["a"], p: 1 });
    expect(unpaired).toBe(1);
  });
});

describe("drawItems", () => {
  const items = Array.from({ length: 60 }, (_, index) => itemOf(`i${index}`, index < 40 ? "many" : "few"));
  const suite = { name: "s", items, provenance: {} };

  it("draws from each category by the seed, and a larger sample holds the smaller", () => {
    const small = drawItems(suite, { seed: 1, sample: 5 });
    const large = drawItems(suite, { seed: 1, sample: 8 });
    expect(small.filter(({ category }) => category === "many")).toHaveLength(5);
    expect(small.filter(({ category }) => category === "few")).toHaveLength(5);
    expect(large).toEqual(expect.arrayContaining([...small]));
    expect(drawItems(suite, { seed: 2, sample: 5 })).not.toEqual(small);
  });

  it("halves and shards part the items without overlap", () => {
    const dev = drawItems(suite, { seed: 1, half: "dev" });
    const test = drawItems(suite, { seed: 1, half: "test" });
    expect(new Set([...dev, ...test]).size).toBe(60);
    // SHA-256 of "abc" ends in …15ad, of "" in …b855.
    expect(halfOf({ id: "abc" })).toBe("test");
    expect(halfOf({ id: "" })).toBe("test");
    const shards = [1, 2, 3].map((part) => drawItems(suite, { seed: 1, shard: { part, of: 3 } }));
    expect(new Set(shards.flat()).size).toBe(60);
    expect(shards.flat()).toHaveLength(60);
  });

  it("refuses a category that is not there", () => {
    expect(() => drawItems(suite, { seed: 1, categories: ["none"] })).toThrow(/many, few/);
  });
});
