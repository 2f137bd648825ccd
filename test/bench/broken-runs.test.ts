// Runs that are cut off at any byte, and runs in shards, give what whole runs give. Real kills: `npm run verify:kills`.
import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Arm } from "../../src/bench/bench-item.ts";
import { drawItems } from "../../src/bench/draw-items.ts";
import { mergeRuns } from "../../src/bench/merge-runs.ts";
import { readSuite } from "../../src/bench/own/read-suite.ts";
import { makeReport } from "../../src/bench/report/report-data.ts";
import { type RunFile, type RunHeader, readRun, writeRun } from "../../src/bench/result-file.ts";
import { runSuite } from "../../src/bench/run-suite.ts";
import { isAborted } from "../../src/vocabulary/index.ts";

const suite = readSuite("restraint");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callwright-broken-runs-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Answers by the item alone: a call of its first tool for every third. */
const arm: Arm = {
  name: "stub",
  takesTasks: false,
  provenance: {},
  answer: async ({ id, tools }) => ({
    calls: id.length % 3 === 0 ? [{ name: tools[0]?.name ?? "", text: '{"größe": 5.0}' }] : [],
    text: `„${id}“`,
    finish: "stop",
    milliseconds: { total: id.length },
    tokens: { prompt: 1, reused: 0, forced: 0, sampled: 1 },
    attempts: 1,
    mends: [],
  }),
  close: async () => {},
};

interface Asked {
  readonly file: string;
  readonly shard?: { readonly part: number; readonly of: number };
  /** Aborts after so many answers. */
  readonly stopAfter?: number;
}

function run({ file, shard, stopAfter = Number.POSITIVE_INFINITY }: Asked): Promise<RunFile> {
  const selection = { seed: 1, ...(shard === undefined ? {} : { shard }) };
  const items = drawItems(suite, selection);
  const header: RunHeader = {
    suite: suite.name,
    arm: arm.name,
    settings: { selection },
    machine: {},
    started: "now",
    total: items.length,
  };
  const stop = new AbortController();
  return runSuite({
    items,
    arm,
    header,
    path: join(folder, file),
    signal: stop.signal,
    onProgress: ({ asked }) => {
      if (asked >= stopAfter) stop.abort();
    },
  });
}

const reportOf = (file: string) => JSON.stringify(makeReport([readRun(join(folder, file))]));

describe("a run", () => {
  it("cut off 20 times, mostly inside a line, gives the report of an unbroken one", async () => {
    await run({ file: "whole.jsonl" });
    const path = join(folder, "broken.jsonl");
    for (let kill = 0; kill < 20; kill++) {
      await run({ file: "broken.jsonl", stopAfter: 1 + ((kill * 7) % 23) }).catch((error: unknown) => {
        if (!isAborted(error)) throw error;
      });
      const bytes = readFileSync(path);
      const lastLine = bytes.length - bytes.lastIndexOf("\n", bytes.length - 2) - 1;
      // A kill leaves the last line whole, a part of it, or nothing of it; also half a character.
      truncateSync(path, bytes.length - ((kill * 31) % (lastLine + 1)));
    }
    const { results } = await run({ file: "broken.jsonl" });
    expect(results).toHaveLength(suite.items.length);
    expect(reportOf("broken.jsonl")).toBe(reportOf("whole.jsonl"));
  });
});

describe("shards", () => {
  async function shards(of: number): Promise<readonly RunFile[]> {
    return Promise.all(
      Array.from({ length: of }, (_, at) => run({ file: `${at}.jsonl`, shard: { part: at + 1, of } })),
    );
  }

  it("put together in any order are the whole run", async () => {
    await run({ file: "whole.jsonl" });
    const merged = mergeRuns((await shards(4)).toReversed());
    writeRun(join(folder, "merged.jsonl"), merged);
    expect(reportOf("merged.jsonl")).toBe(reportOf("whole.jsonl"));
    expect(() => writeRun(join(folder, "merged.jsonl"), merged)).toThrow(/is there already/);
  });

  it("are not put together where one is missing, twice there, unfinished, or of another run", async () => {
    const [first, second] = await shards(2);
    if (first === undefined || second === undefined) throw new Error("two shards");
    const cut = { ...second, results: second.results.slice(1) };
    const other = { ...second, header: { ...second.header, arm: "other" } };
    const whole = await run({ file: "whole.jsonl" });
    expect(() => mergeRuns([first])).toThrow(/parts 1 to 2/);
    expect(() => mergeRuns([first, first, second])).toThrow(/each once/);
    expect(() => mergeRuns([first, cut])).toThrow(/part 2 has 145 of its 146 items/);
    expect(() => mergeRuns([first, other])).toThrow(/part 2 has another suite, arm or setting/);
    expect(() => mergeRuns([whole, second])).toThrow(/not a shard/);
    expect(() => mergeRuns([])).toThrow(/no file/);
  });
});
