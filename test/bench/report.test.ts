import { describe, expect, it } from "vitest";
import { makeReport } from "../../src/bench/report/report-data.ts";
import { writeHtml } from "../../src/bench/report/write-html.ts";
import { writeMarkdown } from "../../src/bench/report/write-markdown.ts";
import type { ResultLine, RunFile } from "../../src/bench/result-file.ts";

function lineOf(id: string, isRight: boolean, text = ""): ResultLine {
  return {
    id,
    category: "sums",
    wanted: ["add"],
    tools: 1,
    verdict: {
      isRight,
      ...(isRight ? {} : { fault: "no call" }),
      called: isRight,
      isValid: true,
      hasRightTools: isRight,
    },
    answer: {
      calls: isRight ? [{ name: "add", text: "{}" }] : [],
      text,
      finish: "stop",
      milliseconds: { total: 1500 },
      tokens: { prompt: 100, reused: 0, forced: 5, sampled: 5 },
      attempts: 1,
      mends: [],
    },
  };
}

function runOf(arm: string, results: readonly ResultLine[]): RunFile {
  const header = { suite: "own", arm, settings: {}, machine: {}, started: "2026-12-01", total: 2 };
  return { header, results };
}

const hostile = `<script>alert("x")</script>`;
const report = makeReport([
  runOf("first | arm", [lineOf("a", true), lineOf("b", false, hostile)]),
  runOf(hostile, [lineOf("a", true), lineOf("b", true)]),
]);

describe("the page", () => {
  const page = writeHtml(report);

  it("shows what models and arms write as text, and loads nothing", () => {
    expect(page).not.toContain("<script");
    expect(page).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
    expect(page).not.toMatch(/\b(?:src|href)=/);
  });

  it("gives every share its interval and count, and every chart its axis", () => {
    expect(page).toContain("50.0 %, n 2");
    expect(page.match(/<svg /g)).toHaveLength(5);
    expect(page.match(/class="axis"/g)).toHaveLength(5);
  });

  it("compares the runs item by item", () => {
    expect(page).toContain("+1 −0");
  });
});

it("the Markdown keeps its table, whatever a name holds", () => {
  const [head = "", rule = ""] = writeMarkdown(report)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const cells = (line: string) => line.replaceAll("\\|", "").split("|").length;
  expect(cells(head)).toBe(cells(rule));
});
