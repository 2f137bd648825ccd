// The schema bench's report: per split, times, wrong verdicts of exact schemas, the worst by name.
import { percent, printTable } from "../verify/print-table.ts";
import type { SchemaVerdict } from "./judge-schema.ts";
import { percentileLine } from "./percentiles.ts";
import type { LeastTimes } from "./run-lines.ts";

/** The whole report as text. */
export function reportVerdicts(verdicts: readonly SchemaVerdict[]): string {
  const splits = [...new Set(verdicts.map((verdict) => verdict.split))].sort();
  const rows = splits.map((split) =>
    rowOf(
      split,
      verdicts.filter((verdict) => verdict.split === split),
    ),
  );
  const times = (name: "compileMs" | "matchMs" | "rules") => verdicts.map((verdict) => verdict[name]);
  const head = [
    "split",
    "schemas",
    "tested",
    "compiled",
    "exact",
    "valid in",
    "invalid out",
    "both",
    "both, exact",
    "wrong, exact",
  ];
  return [
    printTable(head, [...rows, rowOf("all", verdicts)], head.slice(1)),
    "",
    percentileLine("compile ms", times("compileMs")),
    percentileLine("match ms", times("matchMs")),
    percentileLine("rules", times("rules"), 0),
    `wrong even with ajv after the grammar: ${verdicts.filter((verdict) => verdict.wrongWithAjv.length > 0).length} schemas`,
    "",
    listed(
      "Exact, but a wrong verdict",
      verdicts.filter((verdict) => verdict.exact && isWrong(verdict)),
      40,
    ),
    listed(
      "Not compiled",
      verdicts.filter((verdict) => verdict.error !== undefined),
      20,
    ),
    listed(
      "Not right although compiled",
      verdicts.filter((verdict) => !verdict.exact && verdict.error === undefined && isWrong(verdict)),
      10,
    ),
    listed(
      "Slowest to compile",
      [...verdicts].sort((a, b) => b.compileMs - a.compileMs),
      10,
    ),
    residualLines(verdicts),
  ].join("\n");
}

/** One line: compile times where each schema's is the least of several passes. */
export function reportLeast({ passes, compileMs }: LeastTimes): string {
  return percentileLine(`compile ms, least of ${passes} passes`, compileMs);
}

function rowOf(split: string, verdicts: readonly SchemaVerdict[]): readonly string[] {
  const tested = verdicts.filter((verdict) => verdict.valid + verdict.invalid > 0);
  const compiled = tested.filter((verdict) => verdict.error === undefined);
  const exact = compiled.filter((verdict) => verdict.exact);
  const right = (list: readonly SchemaVerdict[]) => list.filter((verdict) => !isWrong(verdict)).length;
  return [
    split,
    String(verdicts.length),
    String(tested.length),
    percent(verdicts.filter((verdict) => verdict.error === undefined).length, verdicts.length),
    percent(verdicts.filter((verdict) => verdict.exact).length, verdicts.length),
    percent(compiled.filter((verdict) => verdict.wronglyOut.length === 0).length, tested.length),
    percent(compiled.filter((verdict) => verdict.wronglyIn.length === 0).length, tested.length),
    percent(right(compiled), tested.length),
    percent(right(exact), exact.length),
    String(exact.length - right(exact)),
  ];
}

function isWrong(verdict: SchemaVerdict): boolean {
  return verdict.wronglyIn.length + verdict.wronglyOut.length > 0;
}

function listed(title: string, verdicts: readonly SchemaVerdict[], limit: number): string {
  const lines = verdicts.slice(0, limit).map((verdict) => {
    const wrong = `out ${verdict.wronglyOut.join(",") || "-"} in ${verdict.wronglyIn.join(",") || "-"}`;
    const first = verdict.residual[0];
    const why =
      verdict.error ?? (first === undefined ? "" : `${first.pointer} ${first.direction}: ${first.reason}`);
    return `  ${verdict.name}: ${wrong}; ${verdict.compileMs.toFixed(1)} ms, ${verdict.rules} rules ${why}`;
  });
  return [`${title}: ${verdicts.length}`, ...lines, ""].join("\n");
}

function residualLines(verdicts: readonly SchemaVerdict[]): string {
  const counts = new Map<string, number>();
  for (const { residual } of verdicts) {
    for (const key of new Set(residual.map(({ keyword, direction }) => `${keyword}, ${direction}`))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const lines = [...counts].sort((a, b) => b[1] - a[1]).map(([key, count]) => `  ${key}: ${count}`);
  return ["Schemas with a residual, by keyword", ...lines].join("\n");
}
