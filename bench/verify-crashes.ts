// npm run verify:crashes: seeded runs of a scripted model, each ended by SIGKILL at drawn steps and resumed. No call may run
// twice, none be lost, no state be torn. Exit code 1 where something does not hold or too few points were met.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { bundleChild, runCrashing } from "../test/journal/crash-script.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run verify:crashes -- [--runs 200] [--seed 1]", {
  runs: "seeded runs, 200 by default",
  seed: "seed of the first run, 1 by default",
});
const runs = wholeNumber(options.runs, "runs", 200);
const first = wholeNumber(options.seed, "seed", 1);
/** Distinct places that 200 runs have to be ended at. */
const fewestPoints = 60;

const folder = mkdtempSync(path.join(os.tmpdir(), "callwright-crash-child-"));
try {
  const child = await bundleChild(folder);
  const points = new Map<string, number>();
  let kills = 0;
  let faulty = 0;
  for (let seed = first; seed < first + runs; seed += 1) {
    const run = runCrashing(child, seed);
    for (const point of run.points) points.set(point, (points.get(point) ?? 0) + 1);
    kills += run.points.length;
    for (const fault of run.faults)
      process.stdout.write(`seed ${seed} (${run.points.join(", ")}): ${fault}\n`);
    if (run.faults.length > 0) faulty += 1;
  }
  const kinds = [...new Set([...points.keys()].map((point) => point.replace(/ #\d+$/, "")))].sort();
  process.stdout.write(
    `${runs} runs, ${kills} kills at ${points.size} points of ${kinds.length} kinds, ${faulty} faulty\n`,
  );
  process.stdout.write(`${kinds.map((kind) => `  ${kind}`).join("\n")}\n`);
  const isEnough = points.size >= fewestPoints || runs < 200;
  if (faulty > 0 || !isEnough) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
