// `callwright bench`: asks a model a suite's items, compares two runs, and writes reports.
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { routes } from "../bench/arms/endpoint-arm.ts";
import { compareRuns } from "../bench/compare.ts";
import { drawItems, type Selection } from "../bench/draw-items.ts";
import { mergeRuns } from "../bench/merge-runs.ts";
import { printComparison, printSummary } from "../bench/print-summary.ts";
import { writeReport } from "../bench/report/write-report.ts";
import { readRun, writeRun } from "../bench/result-file.ts";
import { runSuite } from "../bench/run-suite.ts";
import { loadSuite, suiteAbout, suiteNames } from "../bench/suites.ts";
import { summarize } from "../bench/summarize.ts";
import { homeFolder } from "../models/home-folder.ts";
import { CallwrightError } from "../vocabulary/index.ts";
import { type ArmOptions, grammarModes, openArm, partNames, toolTexts } from "./bench-arms.ts";
import { createBenchProgress } from "./bench-progress.ts";
import { type Command, InvalidArgumentError, Option } from "./commander.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { interruptSignal } from "./interrupt.ts";
import { addModelOptions, wholeNumber } from "./model-options.ts";

interface CallsOptions extends ArmOptions {
  readonly suite: string;
  readonly categories?: readonly string[];
  readonly half?: "dev" | "test";
  readonly sample?: number;
  readonly shard?: { readonly part: number; readonly of: number };
  readonly out?: string;
}

/** Adds `bench` with its commands. */
export function addBenchCommands(program: Command): void {
  const bench = program.command("bench").description("Measure how well a model calls tools.");
  addModelOptions(bench.command("calls").description("Ask a suite's items and judge the answers."))
    .option("--suite <name>", suiteNames.join(", "), "bfcl")
    .option("--categories <list>", "only these, with commas between", (text) => text.split(","))
    .option("--half <half>", "dev: what settings are fitted on; test: the rest", half)
    .option("--sample <number>", "items of each category, drawn by the seed", wholeNumber)
    .option("--shard <n/m>", "only the n-th of m parts", shard)
    .option("--without <part>", `switch a part of the engine off: ${partNames.join(", ")}`, collectParts, [])
    .addOption(
      new Option(
        "--grammar <mode>",
        "full; names: arguments are free; late: only what was refused is written under it; off",
      ).choices(grammarModes),
    )
    .addOption(
      new Option(
        "--tool-text <whose>",
        "who tells the model of its tools: its template, or our format",
      ).choices(toolTexts),
    )
    .option("--endpoint <url>", "ask an OpenAI-compatible server instead, by its URL up to /v1")
    .addOption(
      new Option(
        "--route <route>",
        "how the server is asked: auto, required, text (auto, and its text read by our parser) or constrained",
      )
        .choices(routes)
        .default("auto"),
    )
    .option("--api-key <key>", "the server's key")
    .option("--out <file>", "file of results; where it exists, the run goes on")
    .addHelpText(
      "after",
      () => `
Every answer is written down before the next item is asked: a run that was stopped goes on with the same command.

Examples:
  callwright bench calls --suite bfcl --sample 20
  callwright bench calls --suite bfcl --categories simple_python,irrelevance --without grammar --out plain.jsonl
  callwright bench calls --suite restraint --half dev
  callwright bench calls --suite many-tools --without diet --sample 20
  callwright bench calls --suite tasks --grammar late --without retry --without trimming
  callwright bench calls --suite hard-schemas --shard 1/4 --out part-1.jsonl
  callwright bench calls --endpoint http://127.0.0.1:8080/v1 --model any --route constrained

Suites:
${suiteNames.map((name) => `  ${name.padEnd(14)}${suiteAbout(name)}`).join("\n")}`,
    )
    .action(async (options: CallsOptions) => {
      process.exitCode = await callsCommand(options);
    });
  bench
    .command("show")
    .description("Print the figures of a run.")
    .argument("<file>", "file of results")
    .option("--json", "print them as JSON")
    .action((file: string, { json }: { readonly json?: boolean }) => {
      const { header, results } = readRun(file);
      const summary = summarize(results);
      process.stdout.write(`${json === true ? JSON.stringify(summary) : printSummary(header, summary)}\n`);
    });
  bench
    .command("merge")
    .description("Put the shards of a run together, as one file of results.")
    .argument("<files...>", "files of results, one for each shard")
    .requiredOption("--out <file>", "where the whole run goes")
    .addHelpText("after", "\nExample:\n  callwright bench merge part-1.jsonl part-2.jsonl --out whole.jsonl")
    .action((files: readonly string[], { out }: { readonly out: string }) => {
      const { header, results } = mergeRuns(files.map(readRun));
      writeRun(out, { header, results });
      process.stdout.write(`${printSummary(header, summarize(results))}\n`);
    });
  bench
    .command("report")
    .description(
      "Write a page, Markdown and JSON about one run or several; the first is what others are compared to.",
    )
    .argument("<files...>", "files of results, at most five")
    .option("--out <folder>", "where the three files go", "callwright-bench/report")
    .addHelpText("after", "\nExample:\n  callwright bench report ours.jsonl theirs.jsonl --out report")
    .action((files: readonly string[], { out }: { readonly out: string }) => {
      if (files.length > 5) throw new CallwrightError("request-invalid", "A report shows at most five runs.");
      process.stdout.write(`${writeReport(files, out)}\n`);
    });
  bench
    .command("compare")
    .description("Compare two runs over the same items, item by item.")
    .argument("<first>", "file of results")
    .argument("<second>", "file of results")
    .option(
      "--max-loss <points>",
      "percentage points that the second may lose before the exit code is 5",
      Number,
    )
    .option("--json", "print the comparison as JSON")
    .addHelpText("after", "\nExample:\n  callwright bench compare before.jsonl after.jsonl --max-loss 2")
    .action(
      (first: string, second: string, options: { readonly maxLoss?: number; readonly json?: boolean }) => {
        const compared = compareRuns(readRun(first).results, readRun(second).results);
        process.stdout.write(
          `${options.json === true ? JSON.stringify(compared) : printComparison(compared)}\n`,
        );
        const { maxLoss } = options;
        if (maxLoss !== undefined && -compared.all.difference * 100 > maxLoss)
          process.exitCode = exitCodes.unfinished;
      },
    );
}

async function callsCommand(options: CallsOptions): Promise<ExitCode> {
  const signal = interruptSignal();
  const seed = options.seed ?? 1;
  const selection: Selection = {
    seed,
    ...(options.categories === undefined ? {} : { categories: options.categories }),
    ...(options.half === undefined ? {} : { half: options.half }),
    ...(options.sample === undefined ? {} : { sample: options.sample }),
    ...(options.shard === undefined ? {} : { shard: options.shard }),
  };
  const progress = createBenchProgress(process.stderr);
  const suite = await loadSuite(options.suite, { home: homeFolder(), signal, onFetch: progress.fetching });
  const items = drawItems(suite, selection);
  const arm = await openArm(options, seed);
  try {
    const path = options.out ?? join("callwright-bench", `${fileName(suite.name, arm.name)}.jsonl`);
    const header = {
      suite: suite.name,
      arm: arm.name,
      settings: { selection, suite: suite.provenance, arm: arm.provenance },
      machine: machine(),
      started: new Date().toISOString(),
      total: items.length,
    };
    progress.start(path);
    const run = await runSuite({ items, arm, header, path, signal, onProgress: progress.show });
    progress.end();
    process.stdout.write(`${printSummary(run.header, summarize(run.results))}\n`);
    return exitCodes.done;
  } finally {
    progress.end();
    await arm.close();
  }
}

function collectParts(text: string, earlier: readonly string[]): readonly string[] {
  if (partNames.includes(text)) return [...earlier, text];
  throw new InvalidArgumentError(`There are ${partNames.join(", ")}.`);
}

function half(text: string): "dev" | "test" {
  if (text === "dev" || text === "test") return text;
  throw new InvalidArgumentError("It must be dev or test.");
}

function shard(text: string): { readonly part: number; readonly of: number } {
  const [, part, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (part === undefined || of === undefined || part < 1 || part > of) {
    throw new InvalidArgumentError("It must be n/m with n from 1 to m.");
  }
  return { part, of };
}

function fileName(...parts: readonly string[]): string {
  return parts.join(" ").replace(/[^A-Za-z0-9._-]+/g, "-");
}

function machine(): Readonly<Record<string, unknown>> {
  const processors = cpus();
  return {
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    cpu: processors[0]?.model ?? "unknown",
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}
