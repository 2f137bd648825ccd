// The report's tables as Markdown, for places where a page is too much.
import { points } from "../figures.ts";
import type { Share } from "../statistics.ts";
import { wilson } from "../statistics.ts";
import type { TaskFigures } from "../summarize.ts";
import type { Report } from "./report-data.ts";

export function writeMarkdown({ runs, categories, comparisons }: Report): string {
  const rows = (heads: readonly string[], body: readonly (readonly string[])[]) =>
    [heads, heads.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const arms = runs.map(({ header }) => cell(header.arm));
  const byCategory = categories.map((category) => [
    cell(category),
    ...runs.map(({ summary }) => share(summary.byCategory.find((line) => line.category === category))),
  ]);
  const others = [
    ["all", ...runs.map(({ summary }) => share(summary.all))],
    ["valid but wrong", ...runs.map(({ summary }) => share(summary.validButWrong))],
    ["no call where one was wanted", ...runs.map(({ summary }) => share(summary.missed))],
    ["a call where none was wanted", ...runs.map(({ summary }) => share(summary.falseCalls))],
    ["calls that are not valid", ...runs.map(({ summary }) => share(summary.invalid))],
    ...taskRows(runs),
    ["seconds, median", ...runs.map(({ summary }) => (summary.milliseconds.p50 / 1000).toFixed(2))],
  ];
  const paired = comparisons.flatMap(({ arm, compared }) =>
    [...compared.byCategory, compared.all].map((line) => [
      cell(arm),
      cell(line.category),
      String(line.of),
      `${points(line.difference)} [${points(line.interval[0])}, ${points(line.interval[1])}]`,
      `+${line.gained.length} −${line.lost.length}`,
      line.p.toFixed(3),
    ]),
  );
  return [
    `# Tool calls on ${runs[0]?.header.suite ?? "no suite"}`,
    "",
    "Right answers, with 95 % intervals (Wilson).",
    "",
    rows(["", ...arms], [...byCategory, ...others]),
    ...(paired.length === 0
      ? []
      : [
          "",
          `Against ${arms[0]}, item by item:`,
          "",
          rows(["run", "category", "items", "points, 95 % interval", "gained, lost", "p (McNemar)"], paired),
        ]),
    "",
  ].join("\n");
}

function taskRows(runs: Report["runs"]): readonly (readonly string[])[] {
  if (runs.every(({ summary }) => summary.tasks === undefined)) return [];
  const row = (label: string, figure: (tasks: TaskFigures) => string) => [
    label,
    ...runs.map(({ summary: { tasks } }) => (tasks === undefined ? "–" : figure(tasks))),
  ];
  return [
    row("turns of a task, mean", ({ turns }) => turns.toFixed(1)),
    row("calls of a task, mean", ({ calls }) => calls.toFixed(1)),
    row("retries of a task, mean", ({ retries }) => retries.toFixed(2)),
    row("calls that failed", ({ failedCalls }) => share(failedCalls)),
  ];
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function share(counted: Share | undefined): string {
  if (counted === undefined || counted.of === 0) return "–";
  const [low, high] = wilson(counted);
  return `${percent(counted.hits / counted.of)} [${percent(low)}–${percent(high)}], ${counted.hits}/${counted.of}`;
}

function percent(value: number): string {
  return (value * 100).toFixed(1);
}
