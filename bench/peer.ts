// npm run bench:peer: a suite asked of node-llama-cpp's own function calling, with the same weights and greedy as ours. The
// file of results is read by `callwright bench show`, `compare` and `report` like any other.
import { cpus } from "node:os";
import { drawItems, type Selection } from "../src/bench/draw-items.ts";
import { printSummary } from "../src/bench/print-summary.ts";
import { runSuite } from "../src/bench/run-suite.ts";
import { loadSuite } from "../src/bench/suites.ts";
import { summarize } from "../src/bench/summarize.ts";
import { findModel } from "../src/models/find-model.ts";
import { homeFolder } from "../src/models/home-folder.ts";
import { openPeerArm } from "./peers/node-llama-cpp-arm.ts";
import { createProgress, type Progress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions(
  "npm run bench:peer -- --out FILE [--suite restraint] [--model NAME] [--sample N]",
  {
    out: "file of results; where it exists, the run goes on",
    suite: "restraint by default",
    model: "catalogue id or path; the catalogue's default model by default",
    sample: "items of each category, all by default",
    seed: "draws the items, 1 by default",
    half: "dev or test, both by default",
    categories: "only these, with commas between",
    ctx: "tokens of the window, 8192 by default",
    threads: "2 by default",
  },
);
const { out, half } = options;
if (out === undefined) throw new Error("--out names the file of results");
if (half !== undefined && half !== "dev" && half !== "test") throw new Error("--half is dev or test");
const seed = wholeNumber(options.seed, "seed", 1);
const selection: Selection = {
  seed,
  ...(options.categories === undefined ? {} : { categories: options.categories.split(",") }),
  ...(half === undefined ? {} : { half }),
  ...(options.sample === undefined ? {} : { sample: wholeNumber(options.sample, "sample", 0) }),
};

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const home = homeFolder();
const suite = await loadSuite(options.suite ?? "restraint", { home, signal: stop.signal });
const items = drawItems(suite, selection);
const found = await findModel(options.model, { home });
const arm = await openPeerArm({
  name: `${found.id} node-llama-cpp`,
  path: found.path,
  contextSize: wholeNumber(options.ctx, "ctx", 8192),
  threads: wholeNumber(options.threads, "threads", 2),
  maxTokens: 512,
  seed,
  provenance: { model: found.id },
});
try {
  const header = {
    suite: suite.name,
    arm: arm.name,
    settings: { selection, suite: suite.provenance, arm: arm.provenance },
    machine: { node: process.version, cpu: cpus()[0]?.model ?? "unknown" },
    started: new Date().toISOString(),
    total: items.length,
  };
  let progress: Progress | undefined;
  const run = await runSuite({
    items,
    arm,
    header,
    path: out,
    signal: stop.signal,
    onProgress: ({ done, total, last }) => {
      progress ??= createProgress({ label: arm.name, total, alreadyDone: done });
      if (last !== undefined) progress.step(`${last.id} ${last.verdict.fault ?? "right"}`);
    },
  });
  progress?.finish();
  process.stdout.write(`${printSummary(run.header, summarize(run.results))}\n`);
} finally {
  await arm.close();
}
