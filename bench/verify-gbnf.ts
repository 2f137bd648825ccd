// Every grammar as llama.cpp's own engine reads it: `npm run verify:gbnf -- --data FILE [--limit N]`. Each printed grammar
// has to load there and to judge every instance, in every order of keys, as our matcher does. Resumable with --out.
import { performance } from "node:perf_hooks";
import { createReferee, type Referee } from "./gbnf-referee.ts";
import { compilerHash } from "./schemas/compiler-hash.ts";
import { drawSample } from "./schemas/draw-sample.ts";
import { percentileLine } from "./schemas/percentiles.ts";
import { readData } from "./schemas/read-data.ts";
import { type GbnfOutcome, refereeCase } from "./schemas/referee-case.ts";
import { createProgress } from "./verify/progress.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";
import { openResultFile } from "./verify/result-file.ts";

const options = readOptions("npm run verify:gbnf -- --data FILE", {
  data: "JSON lines {name, schema, tests}, plain or .gz, or the official suite as .tar.gz",
  limit: "how many schemas, drawn by the seed (all)",
  seed: "of the sample (1)",
  minutes: "stop after so many; what was not reached is counted (no limit)",
  timeout: "milliseconds llama.cpp has to load one grammar, and again to judge its texts (10000)",
  objects: "standard or closed (standard)",
  out: "file of outcomes as JSON lines, taken up again where a run was stopped",
});

if (options.data === undefined) {
  process.stderr.write("Name a data set: --data FILE (see --help).\n");
  process.exit(2);
}
const objects = options.objects === "closed" ? "closed" : "standard";
const { cases, documents } = readData(options.data);
const limit = wholeNumber(options.limit, "limit", cases.length);
const sample = drawSample([...cases.entries()], limit, wholeNumber(options.seed, "seed", 1));
const minutes = wholeNumber(options.minutes, "minutes", Number.MAX_SAFE_INTEGER);
const deadline = performance.now() + 60_000 * minutes;
const file = options.out === undefined ? undefined : openResultFile<GbnfOutcome>(options.out);
const compiler = compilerHash();
const referee = createReferee({ milliseconds: wholeNumber(options.timeout, "timeout", 10_000) });
const outcomes = await judgeAll(referee);
referee.close();
process.stdout.write(`${report(outcomes)}\n`);
process.exitCode = outcomes.some(isTrouble) ? 1 : 0;

async function judgeAll(judge: Referee): Promise<readonly GbnfOutcome[]> {
  const found: GbnfOutcome[] = [];
  const progress = createProgress({ label: "grammars", total: sample.length });
  for (const [index, schemaCase] of sample) {
    if (performance.now() > deadline) break;
    const key = `${compiler} ${objects} ${schemaCase.name}${index}`;
    const known = file?.earlier.get(key);
    const outcome = known ?? (await refereeCase(judge, schemaCase, { documents, objects }));
    if (known === undefined) file?.append(key, outcome);
    found.push(outcome);
    progress.step(`${outcome.name.slice(0, 40)} ${outcome.type}`);
  }
  progress.finish();
  return found;
}

function isTrouble(outcome: GbnfOutcome): boolean {
  return outcome.type === "refused" || outcome.type === "lost" || outcome.differences.length > 0;
}

function report(all: readonly GbnfOutcome[]): string {
  const of = (type: GbnfOutcome["type"]) => all.filter((outcome) => outcome.type === type);
  const judged = of("judged");
  const loaded = judged.length + of("slow").length;
  const texts = judged.reduce((sum, outcome) => sum + outcome.texts, 0);
  const printed = all.length - of("not-compiled").length - of("unsatisfiable").length;
  const slowest = [...judged].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
  const unreached = sample.length - all.length;
  return [
    `${all.length} schemas${unreached === 0 ? "" : ` (${unreached} of the sample not reached)`}: ${printed} grammars printed, ${of("not-compiled").length} schemas not compiled, ${of("unsatisfiable").length} allow no value`,
    `loaded by llama.cpp: ${loaded} of ${printed}; refused ${of("refused").length}, hung or died at load ${of("lost").length}`,
    `judged alike: ${judged.filter((outcome) => outcome.differences.length === 0).length} grammars on ${texts} texts; ${judged.filter((outcome) => outcome.differences.length > 0).length} grammars with differences; ${of("slow").length} loaded, but gave no verdicts in time`,
    percentileLine(
      "load and judge, wall ms",
      judged.map((outcome) => outcome.milliseconds),
      1,
    ),
    "",
    ...all.filter((outcome) => isTrouble(outcome) || outcome.type === "slow").map(troubleLine),
    "Slowest",
    ...slowest.map(
      (outcome) =>
        `  ${outcome.name}: ${outcome.milliseconds} ms for ${outcome.texts} texts, ${outcome.bytes} bytes of GBNF`,
    ),
  ].join("\n");
}

function troubleLine({ name, type, bytes, message, differences }: GbnfOutcome): string {
  const first = differences[0];
  const detail = first === undefined ? message : `llama.cpp says ${first.llama} of ${first.text}`;
  return `  ${type} ${name}: ${bytes} bytes; ${detail}`;
}
