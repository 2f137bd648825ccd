// Writes docs/json-schema.md from finished runs: `npm run docs:schemas -- RUN.json…`, files that `bench:schemas --json` left.
// Which run is which is read from the files: one of a data set, one of it with closed objects, one of the official suite.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writePage } from "./schema-page/write-page.ts";
import { readFinishedRun } from "./schemas/run-lines.ts";

const help = `npm run docs:schemas -- RUN.json…
  Each file is one that npm run bench:schemas -- --json FILE left: a data set with standard objects, the official suite,
  and, if there is one, the data set with closed objects.
  --out FILE  where the page goes (docs/json-schema.md)`;

const { values, positionals } = parseArgs({
  options: { out: { type: "string" }, help: { type: "boolean" } },
  allowPositionals: true,
});
if (values.help === true || positionals.length === 0) {
  (values.help === true ? process.stdout : process.stderr).write(`${help}\n`);
  process.exit(values.help === true ? 0 : 2);
}

const runs = positionals.map(readFinishedRun);
const isSuite = (data: string) => data.endsWith(".tar.gz");
const standard = runs.find(({ end }) => !isSuite(end.data) && end.objects === "standard");
const closed = runs.find(({ end }) => !isSuite(end.data) && end.objects === "closed");
const suite = runs.find(({ end }) => isSuite(end.data) && end.objects === "standard");
if (standard === undefined || suite === undefined) {
  process.stderr.write(
    `A run of ${standard === undefined ? "a data set" : "the official suite"} is missing.\n\n${help}\n`,
  );
  process.exit(2);
}
const compilers = new Set(
  [standard, suite, ...(closed === undefined ? [] : [closed])].map(({ end }) => end.compiler),
);
if (compilers.size > 1) {
  process.stderr.write("The runs are of different states of the compiler; run them again on one.\n");
  process.exit(2);
}
const out = values.out ?? fileURLToPath(new URL("../docs/json-schema.md", import.meta.url));
writeFileSync(out, writePage({ standard, suite, ...(closed === undefined ? {} : { closed }) }));
process.stdout.write(`${out}\n`);
