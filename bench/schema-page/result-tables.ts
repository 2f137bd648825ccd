// The page's tables of verdicts and times: splits, official suites, compile and masks, peers.
import { readFileSync } from "node:fs";
import type { SchemaVerdict } from "../schemas/judge-schema.ts";
import { percentile } from "../schemas/percentiles.ts";
import type { FinishedRun } from "../schemas/run-lines.ts";
import { isRight } from "./keyword-rows.ts";
import { markdownTable, share } from "./markdown.ts";

interface Peers {
  readonly source: string;
  readonly maskbench: readonly {
    readonly engine: string;
    readonly compiledPercent?: number;
    readonly bothPercent: number;
    readonly toolCallPercent?: number;
    readonly compileMs?: readonly number[];
  }[];
  readonly suite: readonly { readonly engine: string; readonly right: number; readonly groups: number }[];
  readonly masks: readonly {
    readonly engine: string;
    readonly where: string;
    readonly microseconds: readonly number[];
  }[];
}

/** Figures of other engines, and where they come from. */
export const peers = JSON.parse(readFileSync(new URL("./peers.json", import.meta.url), "utf8")) as Peers;

const toolCallSplits: readonly string[] = ["BFCL", "Glaiveai2K", "JME", "MCP"];

/** Verdicts on the splits of tool calls. */
export function toolCallsOf(verdicts: readonly SchemaVerdict[]): readonly SchemaVerdict[] {
  return verdicts.filter(({ split }) => toolCallSplits.includes(split));
}

export function testedOf(verdicts: readonly SchemaVerdict[]): readonly SchemaVerdict[] {
  return verdicts.filter(({ valid, invalid }) => valid + invalid > 0);
}

export function wrongOfExact(verdicts: readonly SchemaVerdict[]): number {
  return verdicts.filter((verdict) => verdict.exact && !isRight(verdict)).length;
}

/** The schemas called exact that are not right, by file where they are groups of a suite. */
export function wrongOfExactList(verdicts: readonly SchemaVerdict[]): string {
  const counts = new Map<string, number>();
  for (const { name } of verdicts.filter((verdict) => verdict.exact && !isRight(verdict))) {
    const title = name.split(":", 1)[0] ?? name;
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  if (counts.size === 0) return "No schema that is called exact is judged wrong.";
  const lines = [...counts].map(([title, count]) => `- \`${title}\`${count === 1 ? "" : ` (${count})`}`);
  return ["Called exact, and not judged as labelled:", "", ...lines].join("\n");
}

/** By split, `standard` and, where it was run, `closed` beside it. */
export function splitTable(standard: FinishedRun, closed: FinishedRun | undefined): string {
  const splits = [...new Set(standard.verdicts.map(({ split }) => split))].sort();
  const row = (title: string, isIn: (verdict: SchemaVerdict) => boolean) => {
    const own = standard.verdicts.filter(isIn);
    const tested = testedOf(own);
    const other = testedOf(closed?.verdicts.filter(isIn) ?? []);
    return [
      title,
      String(own.length),
      share(own.filter(({ error }) => error === undefined).length, own.length),
      share(own.filter(({ exact }) => exact).length, own.length),
      String(tested.length),
      share(
        tested.filter((one) => one.error === undefined && one.wronglyOut.length === 0).length,
        tested.length,
      ),
      share(
        tested.filter((one) => one.error === undefined && one.wronglyIn.length === 0).length,
        tested.length,
      ),
      share(tested.filter(isRight).length, tested.length),
      String(wrongOfExact(tested)),
      share(other.filter(isRight).length, other.length),
    ];
  };
  const head = [
    "split",
    "schemas",
    "compiled",
    "exact",
    "tested",
    "valid all in",
    "invalid all out",
    "both",
    "wrong of exact",
    "both, `closed`",
  ];
  const rows = [
    ...splits.map((split) => row(split, (verdict) => verdict.split === split)),
    row("**tool calls** (BFCL, Glaive, JME, MCP)", ({ split }) => toolCallSplits.includes(split)),
    row("**all**", () => true),
  ];
  return markdownTable(head, rows);
}

/** Groups of the official suite, fully right, by draft and kind. */
export function suiteTable(suite: FinishedRun): string {
  const drafts = [...new Set(suite.verdicts.map(({ split }) => split.split(" ")[0] ?? ""))].sort(byDraft);
  const cell = (split: string) => {
    const groups = suite.verdicts.filter((verdict) => verdict.split === split);
    const right = groups.filter(isRight).length;
    return groups.length === 0 ? "–" : `${right} of ${groups.length} = ${share(right, groups.length)}`;
  };
  const rows = drafts.map((draft) => [
    draft,
    ...["required", "optional", "format"].map((kind) => cell(`${draft} ${kind}`)),
    String(wrongOfExact(suite.verdicts.filter(({ split }) => split.startsWith(`${draft} `)))),
  ]);
  return markdownTable(["draft", "required", "optional", "formats", "wrong of exact"], rows);
}

function byDraft(a: string, b: string): number {
  const year = (draft: string) => Number(/^draft(\d+)/.exec(draft)?.[1] ?? 0);
  return year(b) - year(a);
}

/** Compile and mask times: p50, p90, p99, max. */
export function timeTable(run: FinishedRun): string {
  const row = (title: string, unit: string, values: readonly number[], digits: number) => [
    title,
    ...[0.5, 0.9, 0.99, 1].map((at) => `${percentile(values, at).toFixed(digits)} ${unit}`),
  ];
  const compile = run.verdicts.map(({ compileMs }) => compileMs);
  const first = run.masks.flatMap((times) => times.first);
  const warm = run.masks.flatMap((times) => times.warm);
  const rows = [row("compile, one thread", "ms", compile, 2)];
  const { passes, compileMs: least } = run.least;
  if (passes > 1) rows.push(row(`compile, least of ${passes} passes`, "ms", least, 2));
  if (warm.length > 0) {
    rows.push(
      row("mask, first visit of a state", "µs", first, 0),
      row("mask, state met before", "µs", warm, 0),
    );
  }
  return markdownTable(["", "p50", "p90", "p99", "max"], rows);
}

/** Other engines on the whole of MaskBench, and ours on the half that was run. */
export function peerTable(run: FinishedRun): string {
  const tested = testedOf(run.verdicts);
  const tools = testedOf(toolCallsOf(run.verdicts));
  const compile = run.verdicts.map(({ compileMs }) => compileMs);
  const times = (values: readonly number[] | undefined) =>
    values === undefined ? "–" : values.map((value) => value.toFixed(value < 10 ? 2 : 0)).join(" / ");
  const percent = (value: number | undefined) => (value === undefined ? "–" : `${value.toFixed(1)} %`);
  const own = [
    "**Callwright** (this run)",
    share(run.verdicts.filter(({ error }) => error === undefined).length, run.verdicts.length),
    share(tested.filter(isRight).length, tested.length),
    share(tools.filter(isRight).length, tools.length),
    times([0.5, 0.99, 1].map((at) => percentile(compile, at))),
  ];
  const rows = peers.maskbench.map((peer) => [
    peer.engine,
    percent(peer.compiledPercent),
    percent(peer.bothPercent),
    percent(peer.toolCallPercent),
    times(peer.compileMs),
  ]);
  const head = ["engine", "compiled", "fully right", "… of tool calls", "compile ms p50 / p99 / max"];
  return markdownTable(head, [own, ...rows]);
}

/** The official suite's required groups for draft 2020-12. */
export function peerSuiteTable(suite: FinishedRun): string {
  const groups = suite.verdicts.filter(({ split }) => split === "draft2020-12 required");
  const own = {
    engine: "**Callwright** (this run)",
    right: groups.filter(isRight).length,
    groups: groups.length,
  };
  const rows = [own, ...peers.suite].map((peer) => [
    peer.engine,
    `${peer.right} of ${peer.groups}`,
    share(peer.right, peer.groups),
  ]);
  return markdownTable(["engine", "groups fully right", "share"], rows);
}

/** Times of a mask over a whole vocabulary. */
export function peerMaskTable(run: FinishedRun): string {
  const first = run.masks.flatMap((times) => times.first);
  const warm = run.masks.flatMap((times) => times.warm);
  const times = (values: readonly number[]) => [0.5, 0.99, 1].map((at) => percentile(values, at));
  const where = `this run, ${Math.round(run.end.vocabulary / 1000)}k tokens, ${run.masks.length} schemas`;
  const own =
    warm.length === 0
      ? []
      : [
          { engine: "**Callwright**, first visit", where, microseconds: times(first) },
          { engine: "**Callwright**, warm", where, microseconds: times(warm) },
        ];
  const rows = [...own, ...peers.masks].map(({ engine, where: place, microseconds }) => [
    engine,
    ...[0, 1, 2].map((at) => microseconds[at]?.toLocaleString("en", { maximumFractionDigits: 0 }) ?? "–"),
    place,
  ]);
  const head = ["engine", "p50 µs", "p99 µs", "max µs", "measured"];
  return markdownTable(head, rows, head.slice(1, 4));
}
