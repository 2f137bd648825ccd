// Every format over generated calls: `npm run verify:formats -- --runs 1000`. One row for each format says by whom its calls
// were written and how many checks it passed; the first counterexample of a check that fails goes to stderr.
import { performance } from "node:perf_hooks";
import { type Format, formats } from "../src/formats/index.ts";
import {
  checkAnyText,
  checkCuts,
  checkFaults,
  checkLargeNumbers,
  checkRoundTrips,
  checkTemplate,
  type RunOptions,
} from "../test/formats/format-properties.ts";
import { templateOf } from "../test/formats/template-of-format.ts";
import { printTable } from "./verify/print-table.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const given = readOptions("npm run verify:formats", {
  runs: "generated calls for each check; texts that are cut at every place are a tenth of that (1000)",
  seed: "of the generator (1)",
  format: "one format only, by its name (all)",
});
const runs = wholeNumber(given.runs, "runs", 1000);
const seed = wholeNumber(given.seed, "seed", 1);
const chosen = formats.filter((format) => given.format === undefined || format.name === given.format);
if (chosen.length === 0) {
  process.stderr.write(
    `There is no format "${given.format}"; there are ${formats.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(2);
}

const right = ["round trips", "by template", "cuts", "any text", "faults", "seconds"];
const progress = createProgress({ label: "formats", total: chosen.length });
const rows = chosen.map(verify);
progress.finish();
process.stdout.write(`${printTable(["format", "written by", ...right], rows, right)}\n`);

function verify(format: Format): readonly string[] {
  const started = performance.now();
  const template = templateOf[format.name];
  const all: RunOptions = { runs, seed };
  const few: RunOptions = { runs: Math.ceil(runs / 10), seed };
  const cells = [
    passed(format, () => checkRoundTrips(format, all)),
    template === undefined ? "-" : passed(format, () => checkTemplate(format, template, all)),
    passed(format, () => checkCuts(format, few)),
    passed(format, () => checkAnyText(format, all)),
    passed(format, () => {
      checkLargeNumbers(format);
      return checkFaults(format, few);
    }),
  ];
  progress.step(format.name);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return [format.name, template ?? "our writer", ...cells, seconds];
}

function passed(format: Format, check: () => number): string {
  try {
    return String(check());
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${format.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return "FAILED";
  }
}
