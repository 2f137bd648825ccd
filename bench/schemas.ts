// Measures the schema compiler on a data set: `npm run bench:schemas -- --data FILE [--limit N] [--json OUT]`.
// Resumable: with --json each verdict is kept as a line, and a run with the same compiler goes on where it stopped.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { SchemaVerdict } from "./schemas/judge-schema.ts";
import { readData } from "./schemas/read-data.ts";
import { reportVerdicts } from "./schemas/report.ts";
import { runWorkers } from "./schemas/run-workers.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import { openResultFile } from "./verify/result-file.ts";

const options = readOptions("npm run bench:schemas -- --data FILE", {
  data: "JSON lines {name, schema, tests}, plain or .gz, or the official suite as .tar.gz",
  limit: "only so many cases, spread over the file (all)",
  only: "only cases whose name contains this text",
  objects: "standard or closed (standard)",
  workers: "worker threads (one per core)",
  timeout: "milliseconds one schema may take (10000)",
  json: "file of verdicts as JSON lines, taken up again where a run was stopped",
});

const path = options.data;
if (path === undefined) {
  process.stderr.write("Name a data set: --data FILE (see --help).\n");
  process.exit(2);
}
const objects = options.objects === "closed" ? "closed" : "standard";
const { cases } = readData(path);
const chosen = choose(
  cases.map((_, index) => index).filter((index) => cases[index]?.name.includes(options.only ?? "")),
);
const file = options.json === undefined ? undefined : openResultFile<SchemaVerdict>(options.json);
const prefix = `${compilerHash()} ${objects} `;
const earlier = (index: number) => file?.earlier.get(prefix + cases[index]?.name + index);
const verdicts: SchemaVerdict[] = chosen.flatMap((index) => earlier(index) ?? []);
const pending = chosen.filter((index) => earlier(index) === undefined);
const progress = createProgress({ label: "schemas", total: chosen.length, alreadyDone: verdicts.length });
const indexOf = new Map(pending.map((index) => [cases[index]?.name, index]));
await runWorkers({
  path,
  objects,
  cases,
  pending,
  workers: wholeNumber(options.workers, "workers", availableParallelism()),
  limitMs: wholeNumber(options.timeout, "timeout", 10_000),
  onVerdict: (verdict) => {
    verdicts.push(verdict);
    file?.append(`${prefix}${verdict.name}${indexOf.get(verdict.name)}`, verdict);
    progress.step(`${verdict.name.slice(0, 40)} ${verdict.compileMs.toFixed(1)} ms`);
  },
});
progress.finish();
process.stdout.write(`${reportVerdicts(verdicts)}\n`);

function choose(indexes: readonly number[]): readonly number[] {
  const limit = wholeNumber(options.limit, "limit", Math.max(1, indexes.length));
  if (limit >= indexes.length) return indexes;
  return Array.from(
    { length: limit },
    (_, at) => indexes[Math.floor((at * indexes.length) / limit)] as number,
  );
}

/** Changes with the compiler's and the matcher's source, so that old verdicts are not taken for new ones. */
function compilerHash(): string {
  const hash = createHash("sha256");
  for (const folder of ["schema-grammar", "gbnf-builder"]) {
    const root = new URL(`../src/${folder}/`, import.meta.url);
    for (const name of readdirSync(root, { recursive: true }).map(String).sort()) {
      if (name.endsWith(".ts")) hash.update(readFileSync(new URL(name, root)));
    }
  }
  return hash.digest("base64url").slice(0, 12);
}
