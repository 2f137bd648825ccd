// Every format over the vocabularies of llama.cpp's own tests: `npm run verify:vocabularies`. One row for each vocabulary and
// format counts calls that were accepted token by token and faults that were refused in time; the first counterexample of
// what fails goes to stderr.
import { performance } from "node:perf_hooks";
import { type Format, formats } from "../src/formats/index.ts";
import { withPromptFacts } from "../src/models/local/llama-runtime.ts";
import { checkVocabulary } from "../test/formats/vocabulary-properties.ts";
import { createTokenWalk, type TokenWalk } from "../test/formats/walk-tokens.ts";
import { testedVocabularies, vocabularyPath } from "../test/llama-cpp-files.ts";
import { printTable } from "./verify/print-table.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const given = readOptions("npm run verify:vocabularies", {
  runs: "generated calls with every key, each also with every single fault, for each format and vocabulary (200)",
  seed: "of the generator (1)",
  format: "one format only, by its name (all)",
  vocabulary: `one vocabulary only: ${testedVocabularies.join(", ")} (all)`,
});
const runs = wholeNumber(given.runs, "runs", 200);
const seed = wholeNumber(given.seed, "seed", 1);
const chosen = chosenBy(given.format, formats, ({ name }) => name);
const vocabularies = chosenBy(given.vocabulary, testedVocabularies, (name) => name);

const right = ["accepted", "split otherwise", "faults refused", "seconds"];
const progress = createProgress({ label: "vocabularies", total: vocabularies.length * chosen.length });
const rows: (readonly string[])[] = [];
for (const name of vocabularies) {
  await withPromptFacts(vocabularyPath(name), undefined, (facts) => {
    const walk = createTokenWalk(facts);
    for (const format of chosen) rows.push(verify(name, format, walk));
  });
}
progress.finish();
process.stdout.write(`${printTable(["vocabulary", "format", ...right], rows, right)}\n`);

function verify(vocabulary: string, format: Format, walk: TokenWalk): readonly string[] {
  const started = performance.now();
  const counts = countsOf(vocabulary, format, walk);
  progress.step(`${vocabulary} ${format.name}`);
  return [vocabulary, format.name, ...counts, ((performance.now() - started) / 1000).toFixed(1)];
}

function countsOf(vocabulary: string, format: Format, walk: TokenWalk): readonly string[] {
  try {
    const { accepted, otherwiseSplit, refused } = checkVocabulary(format, walk, { runs, seed });
    return [accepted, otherwiseSplit, refused].map(String);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${vocabulary}: ${error instanceof Error ? error.message : String(error)}\n`);
    return ["FAILED", "", ""];
  }
}

function chosenBy<T>(
  wanted: string | undefined,
  all: readonly T[],
  nameOf: (one: T) => string,
): readonly T[] {
  const found = all.filter((one) => wanted === undefined || nameOf(one) === wanted);
  if (found.length > 0) return found;
  process.stderr.write(`There is no "${wanted}"; there are ${all.map(nameOf).join(", ")}.\n`);
  process.exit(2);
}
