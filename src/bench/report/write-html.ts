// The report as one page that needs nothing beside itself.
import type { TaskStep } from "../bench-item.ts";
import { percent, points } from "../figures.ts";
import type { Share } from "../statistics.ts";
import type { Summary } from "../summarize.ts";
import { amountChart, type Group, shareChart } from "./charts.ts";
import { escapeText } from "./escape-text.ts";
import type { Report, ReportedRun } from "./report-data.ts";

export function writeHtml(report: Report): string {
  const { runs } = report;
  const [first] = runs;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tool calls: ${escapeText(runs.map(({ header }) => header.arm).join(", "))}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Tool calls on ${escapeText(first?.header.suite ?? "no suite")}</h1>
${headline(report)}
${legend(runs)}
${section("Right answers by category", shareChart("Right answers by category", "right, of all items", categoryGroups(report)))}
${section(
  "How far answers came",
  shareChart("How far answers came", "of the items that want a call", funnelGroups(runs)),
  "Of the items that want a call: whether one came, whether it was valid against the tool's schema, whether the tools were the wanted ones, and whether all of it was right. What is valid and wrong is the model's reading; what is not valid would be the engine's fault.",
)}
${section(
  "Restraint and faults",
  shareChart("Restraint and faults", "of the items that it could happen to", restraintGroups(runs)),
  "Small is good in this chart.",
)}
${section("Time", amountChart("Seconds for one item", "seconds for one item", timeGroups(runs)))}
${section(
  "Tokens",
  amountChart("Tokens for one item", "tokens for one item, mean", tokenGroups(runs)),
  "Reused: in the cache already. Forced: fed without sampling, since only one continuation was possible.",
)}
${tasks(runs)}
${comparisons(report)}
${runs.map(faults).join("\n")}
${runs.map(provenance).join("\n")}
</main>
</body>
</html>
`;
}

function headline({ runs }: Report): string {
  const rows = runs.map(({ header, summary }) => {
    const cells = [
      escapeText(header.arm),
      `${summary.all.of} of ${header.total}`,
      share(summary.all),
      percent(summary.meanOfCalls),
      share(summary.validButWrong),
      share(summary.falseCalls),
      `${(summary.milliseconds.p50 / 1000).toFixed(1)} s`,
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const heads = [
    "run",
    "items",
    "right",
    "mean of call categories",
    "valid but wrong",
    "call where none was wanted",
    "time, median",
  ];
  return `<div class="wide"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function legend(runs: readonly ReportedRun[]): string {
  if (runs.length < 2) return "";
  const names = runs.map(
    ({ header }, index) => `<span><i class="key run${index}"></i>${escapeText(header.arm)}</span>`,
  );
  return `<p class="legend">${names.join(" ")}</p>`;
}

function section(title: string, chart: string, note = ""): string {
  const below = note === "" ? "" : `<p class="note">${note}</p>`;
  return `<section><h2>${title}</h2><div class="wide">${chart}</div>${below}</section>`;
}

function categoryGroups({ categories, runs }: Report): readonly Group<Share>[] {
  const all: Group<Share> = { label: "all", values: runs.map(({ summary }) => present(summary.all)) };
  const groups = categories.map((category) => ({
    label: category,
    values: runs.map(({ summary }) => summary.byCategory.find((line) => line.category === category)),
  }));
  return [...groups, all];
}

function funnelGroups(runs: readonly ReportedRun[]): readonly Group<Share>[] {
  const steps = [
    ["called", ({ called }: Summary["funnel"]) => called],
    ["… and valid", ({ valid }: Summary["funnel"]) => valid],
    ["… and the right tools", ({ rightTools }: Summary["funnel"]) => rightTools],
    ["… and right", ({ right }: Summary["funnel"]) => right],
  ] as const;
  return steps.map(([label, count]) => ({
    label,
    values: runs.map(({ summary: { funnel } }) => present({ hits: count(funnel), of: funnel.wanted })),
  }));
}

function restraintGroups(runs: readonly ReportedRun[]): readonly Group<Share>[] {
  const kinds = [
    ["call where none was wanted", ({ falseCalls }: Summary) => falseCalls],
    ["no call where one was wanted", ({ missed }: Summary) => missed],
    ["valid but wrong", ({ validButWrong }: Summary) => validButWrong],
    ["calls that are not valid", ({ invalid }: Summary) => invalid],
    ["errors", ({ errors }: Summary) => errors],
  ] as const;
  return kinds.map(([label, of]) => ({ label, values: runs.map(({ summary }) => present(of(summary))) }));
}

function timeGroups(runs: readonly ReportedRun[]): readonly Group<number>[] {
  const kinds = [
    ["first token, median", ({ firstToken }: Summary["milliseconds"]) => firstToken],
    ["whole answer, median", ({ p50 }: Summary["milliseconds"]) => p50],
    ["whole answer, 95 %", ({ p95 }: Summary["milliseconds"]) => p95],
  ] as const;
  return kinds.map(([label, of]) => ({
    label,
    values: runs.map(({ summary }) => known(of(summary.milliseconds) / 1000)),
  }));
}

function tokenGroups(runs: readonly ReportedRun[]): readonly Group<number>[] {
  const kinds = ["prompt", "reused", "forced", "sampled"] as const;
  return kinds.map((kind) => ({
    label: kind,
    values: runs.map(({ summary }) => known(summary.tokens[kind])),
  }));
}

function tasks(runs: readonly ReportedRun[]): string {
  const rows = runs.flatMap(({ header, summary }) => {
    if (summary.tasks === undefined) return [];
    const { of, turns, calls, retries, failedCalls, reasons } = summary.tasks;
    const ends = reasons.map(({ reason, count }) => `${reason} ${count}`).join(", ");
    const cells = [
      escapeText(header.arm),
      String(of),
      turns.toFixed(1),
      calls.toFixed(1),
      retries.toFixed(2),
      share(failedCalls),
      escapeText(ends),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  if (rows.length === 0) return "";
  const heads = ["run", "tasks", "turns", "calls", "retries", "calls that failed", "how runs ended"];
  return `<section><h2>Tasks of several turns</h2><div class="wide"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div><p class="note">Turns, calls and retries are means for one task. Right means that the world was left as it should be, with nothing else changed.</p></section>`;
}

function comparisons({ comparisons: all, runs }: Report): string {
  if (all.length === 0) return "";
  const rows = all.flatMap(({ arm, compared }) =>
    [...compared.byCategory, compared.all].map((line) => {
      const cells = [
        escapeText(arm),
        escapeText(line.category),
        String(line.of),
        `${points(line.difference)} [${points(line.interval[0])}, ${points(line.interval[1])}]`,
        `+${line.gained.length} −${line.lost.length}`,
        line.p < 0.001 ? "&lt; 0.001" : line.p.toFixed(3),
      ];
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    }),
  );
  const heads = ["run", "category", "items", "points, 95 % interval", "gained, lost", "p (McNemar)"];
  return `<section><h2>Against ${escapeText(runs[0]?.header.arm ?? "")}, item by item</h2><div class="wide"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div></section>`;
}

function faults({ header, summary, samples }: ReportedRun): string {
  if (samples.length === 0) return "";
  const kinds = samples.map(({ fault, lines }) => {
    const count = summary.faults.find((line) => line.fault === fault)?.count ?? 0;
    const items = lines.map(({ id, answer }) => {
      const calls =
        answer.task?.steps.map(traceLine) ?? answer.calls.map(({ name, text }) => `${name} ${text}`);
      const shown = [...calls, answer.text, answer.error ?? ""].filter((text) => text !== "").join("\n");
      return `<li><b>${escapeText(id)}</b><pre>${escapeText(shown.slice(0, shownCharacters) || "(nothing)")}</pre></li>`;
    });
    return `<details><summary>${escapeText(fault)}: ${count}</summary><ul>${items.join("")}</ul></details>`;
  });
  return `<section><h2>What was wrong: ${escapeText(header.arm)}</h2>${kinds.join("\n")}</section>`;
}

const shownCharacters = 2000;

function traceLine({ turn, name, input, outcome, content }: TaskStep): string {
  return `${turn}  ${name} ${JSON.stringify(input)}\n   ${outcome}: ${content.replaceAll("\n", " ⏎ ").slice(0, 200)}`;
}

function provenance({ header }: ReportedRun): string {
  const text = JSON.stringify(
    { ...header.settings, machine: header.machine, started: header.started },
    null,
    2,
  );
  return `<section><h2>Where this comes from: ${escapeText(header.arm)}</h2><details><summary>settings, data, model, machine</summary><pre>${escapeText(text)}</pre></details></section>`;
}

/** A share of nothing is not drawn. */
function present(counted: Share): Share | undefined {
  return counted.of === 0 ? undefined : counted;
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

function share({ hits, of }: Share): string {
  return of === 0 ? "–" : `${percent(hits / of)} <small>${hits}/${of}</small>`;
}

const style = `
:root { color-scheme: light dark; --text: light-dark(#1c1c1e, #eaeaea); --quiet: light-dark(#666, #999);
  --line: light-dark(#ddd, #3a3a3a); --page: light-dark(#fff, #161618);
  --run0: light-dark(#2563a8, #6ba5e0); --run1: light-dark(#d2691e, #eda36b); --run2: light-dark(#3d8b4f, #7cc78c);
  --run3: light-dark(#8a4f9e, #c596d6); --run4: light-dark(#777, #aaa); }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 820px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; } svg { width: 100%; min-width: 620px; height: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); }
small, .note { color: var(--quiet); } .note { font-size: .9rem; margin-top: .2rem; }
.legend span { margin-right: 1.2em; overflow-wrap: anywhere; }
.key { display: inline-block; width: .8em; height: .8em; margin-right: .4em; }
.grid { stroke: var(--line); } .interval { stroke: var(--text); fill: none; stroke-width: 1.2; }
.label, .tick, .axis, .value { font: 12px system-ui, sans-serif; fill: var(--text); }
.label { text-anchor: end; dominant-baseline: middle; } .value { dominant-baseline: middle; }
.tick, .axis { text-anchor: middle; fill: var(--quiet); }
${[0, 1, 2, 3, 4].map((run) => `.run${run} { fill: var(--run${run}); background: var(--run${run}); }`).join("\n")}
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; background: light-dark(#f5f5f5, #222); padding: 8px; }
details { margin: .4rem 0; } summary { cursor: pointer; } ul { padding-left: 1.2em; }
`;
