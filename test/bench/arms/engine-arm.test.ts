// Our engine as an arm: what of a turn or of a whole run becomes an answer.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngineArm } from "../../../src/bench/arms/engine-arm.ts";
import type { BenchItem } from "../../../src/bench/bench-item.ts";
import { type ItemLine, readSuite, readSuiteFolder } from "../../../src/bench/own/read-suite.ts";
import { printSummary } from "../../../src/bench/print-summary.ts";
import { makeReport } from "../../../src/bench/report/report-data.ts";
import { writeHtml } from "../../../src/bench/report/write-html.ts";
import { writeMarkdown } from "../../../src/bench/report/write-markdown.ts";
import { readRun } from "../../../src/bench/result-file.ts";
import { runSuite } from "../../../src/bench/run-suite.ts";
import { summarize } from "../../../src/bench/summarize.ts";
import { judgeAnswer } from "../../../src/bench/verdict.ts";
import { createEngine } from "../../../src/engine.ts";
import { createScriptedModel } from "../../../src/models/scripted.ts";
import { fenceProfile, writeCalls } from "../../agent/write-calls.ts";

const lines = readSuiteFolder("tasks").items;
const items = new Map(readSuite("tasks").items.map((item) => [item.id, item]));
const signal = new AbortController().signal;

function armOf(replies: readonly string[]) {
  const model = createScriptedModel({ replies, pieceLength: 16 });
  const engine = createEngine({ model, profile: fenceProfile });
  return createEngineArm({ name: "scripted", engine, seed: 1, maxTokens: 512, provenance: {} });
}

function find(id: string): { readonly line: ItemLine; readonly item: BenchItem } {
  const line = lines.find((candidate) => candidate.id === id);
  const item = items.get(id);
  if (line === undefined || item === undefined) throw new Error(`no task ${id}`);
  return { line, item };
}

function repliesOf(line: ItemLine, last: string): readonly string[] {
  return [...line.calls.map((call) => writeCalls(call)), last];
}

describe("a task", () => {
  it.each(["workspace-22", "shop-05", "calendar-15"])(
    "%s is solved through the engine's own loop",
    async (id) => {
      const { line, item } = find(id);
      const arm = armOf(repliesOf(line, "It is done."));
      const answer = await arm.answer(item, signal);
      await arm.close();
      expect(judgeAnswer(item, answer)).toMatchObject({ isRight: true, called: true, isValid: true });
      expect(answer).toMatchObject({ text: "It is done.", attempts: 1, task: { reason: "done" } });
      expect(answer.task?.turns).toBe(line.calls.length + 1);
      expect(answer.task?.steps.map(({ name }) => name)).toEqual(line.calls.map(({ name }) => name));
      expect(answer.task?.steps.every(({ outcome }) => outcome === "completed")).toBe(true);
    },
  );

  it("tells of tools that failed, and ends at its step limit", async () => {
    const { item } = find("workspace-01");
    // Failures alone would be a loop, and end the run before.
    const replies = Array.from({ length: 11 }, (_, at) => {
      const path = at % 2 === 0 ? `none-${at}.txt` : "shopping.txt";
      return writeCalls({ name: "read_file", arguments: { path } });
    });
    const answer = await armOf([...replies, "I give up."]).answer(item, signal);
    expect(answer.task).toMatchObject({ turns: 12, reason: "step-limit" });
    expect(answer.task?.steps).toHaveLength(11);
    expect(answer.task?.steps[0]).toMatchObject({ turn: 1, outcome: "failed" });
    expect(answer.task?.steps[0]?.content).toContain('There is no file "none-0.txt".');
    expect(judgeAnswer(item, answer)).toMatchObject({ isRight: false, fault: "not-done" });
  });

  it("is counted in the figures and shown in the report", async () => {
    const folder = mkdtempSync(join(tmpdir(), "callwright-tasks-"));
    const { line, item } = find("shop-05");
    const path = join(folder, "run.jsonl");
    const header = { suite: "tasks", arm: "scripted", settings: {}, machine: {}, started: "now", total: 1 };
    const cancel = { ...line, calls: [{ name: "cancel_order", arguments: { order_id: "O-502" } }] };
    await runSuite({
      items: [item],
      arm: armOf(repliesOf(cancel, "No.")),
      header,
      path,
      signal,
      onProgress: () => {},
    });
    const run = readRun(path);
    rmSync(folder, { recursive: true });
    const summary = summarize(run.results);
    expect(summary.tasks).toEqual({
      of: 1,
      turns: 2,
      calls: 1,
      failedCalls: { hits: 1, of: 1 },
      retries: 0,
      reasons: [{ reason: "done", count: 1 }],
    });
    expect(printSummary(run.header, summary)).toContain("2.0 turns, 1.0 calls, 0.00 retries");
    const report = makeReport([run]);
    expect(writeHtml(report)).toContain("cancel_order {&quot;order_id&quot;:&quot;O-502&quot;}");
    expect(writeHtml(report)).toContain("Tasks of several turns");
    expect(writeMarkdown(report)).toContain("| turns of a task, mean | 2.0 |");
  });

  it("is not asked of an arm that takes single turns only", async () => {
    const { item } = find("shop-05");
    const arm = { ...armOf([]), takesTasks: false };
    const header = { suite: "tasks", arm: "x", settings: {}, machine: {}, started: "now", total: 1 };
    const run = runSuite({ items: [item], arm, header, path: "unused.jsonl", signal, onProgress: () => {} });
    await expect(run).rejects.toMatchObject({ code: "request-invalid" });
  });
});

it("a single turn gives its calls as the model wrote them, and no task", async () => {
  const item: BenchItem = {
    id: "one",
    category: "c",
    messages: [{ role: "user", content: "Set it to 5." }],
    tools: [
      {
        name: "set",
        description: "Sets.",
        inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      },
    ],
    judge: () => undefined,
  };
  const text = writeCalls({ name: "set", arguments: { n: 5 } }).replace(": 5", ": 5.0");
  const answer = await armOf([text]).answer(item, signal);
  expect(answer.calls.map(({ name, text: written }) => [name, written.replaceAll(/\s/g, "")])).toEqual([
    ["set", '{"n":5.0}'],
  ]);
  expect(answer.finish).toBe("calls");
  expect(answer.task).toBeUndefined();
});
