// A run of the suite bfcl as result files in BFCL's own layout, which `bfcl evaluate` takes as they are.
// Layout and field names: bfcl-eval 2026.3.23. The folder's model is one whose handler takes calls as they are and keeps the
// dots in tools' names.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerAsBfcl } from "../../src/bench/bfcl/bfcl-suite.ts";
import { printPython } from "../../src/bench/bfcl/python-value.ts";
import type { ResultLine } from "../../src/bench/result-file.ts";

/** The registered name in whose place the answers stand. */
export const standInModel = "katanemo/Arch-Agent-1.5B";

/** Writes one file for each category under `folder`/result; gives their paths. */
export function writeResultFiles(results: readonly ResultLine[], folder: string): readonly string[] {
  const categories = [...new Set(results.map(({ category }) => category))];
  return categories.map((category) => {
    const group = category.startsWith("live_") ? "live" : "non_live";
    const inside = join(folder, "result", standInModel.replace("/", "_"), group);
    mkdirSync(inside, { recursive: true });
    const path = join(inside, `BFCL_v4_${category}_result.json`);
    const lines = results.filter((line) => line.category === category).map(writeLine);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return path;
  });
}

/** Written by hand, because a float that is whole has to stay one: 5.0 and not 5. */
function writeLine({ id, answer }: ResultLine): string {
  const { tokens, milliseconds } = answer;
  // What was answered with an error is no call, whatever was read of it before.
  const result = printPython(answer.error === undefined ? answerAsBfcl(answer) : answer.error);
  return `{"id": ${JSON.stringify(id)}, "result": ${result}, "input_token_count": ${tokens.prompt}, "output_token_count": ${tokens.forced + tokens.sampled}, "latency": ${milliseconds.total / 1000}}`;
}
