// npm run bench:referee: runs of the suite bfcl as result files in BFCL's own layout, judged by the wheel's own Python, and
// held against our verdicts item by item. Exit code 1 where one differs.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRun } from "../src/bench/result-file.ts";
import { writeResultFiles } from "./bfcl/result-files.ts";
import { isSameVerdict, runReferee } from "./bfcl/run-referee.ts";
import { readOptions } from "./verify/read-options.ts";

const options = readOptions("npm run bench:referee -- --run FILE [--out FOLDER]", {
  run: "file of results of `callwright bench calls --suite bfcl`",
  out: "where the result files go and stay; a temporary folder by default",
});
if (options.run === undefined) throw new Error("--run names the file of results");
const { header, results } = readRun(options.run);
if (header.suite !== "bfcl")
  throw new Error(`${options.run} is a run of the suite ${header.suite}, not of bfcl`);
const folder = options.out ?? mkdtempSync(join(tmpdir(), "callwright-referee-"));
for (const path of writeResultFiles(results, folder)) process.stdout.write(`${path}\n`);

// An error of ours is wrong whatever was wanted; BFCL takes it for an answer in words, which irrelevance wants.
const judged = results.filter(({ answer }) => answer.error === undefined);
const verdicts = await runReferee({ folder: join(folder, "result") }, new AbortController().signal);
const theirs = new Map(verdicts.map((line) => [`${line.category} ${line.id}`, line.verdict]));
let differ = 0;
let right = 0;
for (const { id, category, verdict } of judged) {
  const their = theirs.get(`${category} ${id}`) ?? "crash: no verdict";
  const our = verdict.fault ?? "right";
  if (their === "right") right += 1;
  if (isSameVerdict(their, our)) continue;
  differ += 1;
  process.stdout.write(`DIFFERS: ${category} ${id}: theirs ${their}, ours ${our}\n`);
}
process.stdout.write(
  `${header.arm}: ${judged.length} answers, ${right} right by BFCL, ${differ} verdicts differ; ${results.length - judged.length} errors not compared\n`,
);
process.exitCode = differ === 0 ? 0 : 1;
