// Times tool calls against llama-server and node-llama-cpp on the same weights, prompts and threads: `npm run bench:speed`.
// Figures are ratios of two times, with bootstrap intervals.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { findModel } from "../src/models/find-model.ts";
import { homeFolder } from "../src/models/home-folder.ts";
import { watchEvaluations } from "./speed/evaluations.ts";
import { timeFirstCalls } from "./speed/first-calls.ts";
import { timeFourClients } from "./speed/four-clients.ts";
import { timeLevers } from "./speed/levers.ts";
import { timeLongPrompt } from "./speed/long-prompt.ts";
import type { Measured } from "./speed/measured.ts";
import { timeMoreTools } from "./speed/more-tools.ts";
import { timeNodeLlamaCpp } from "./speed/node-llama-cpp.ts";
import { timeOneClient } from "./speed/one-client.ts";
import { reportSpeed } from "./speed/report.ts";
import { createSpeedRun } from "./speed/speed-run.ts";
import { defaultModel } from "./verify/open-bench-model.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const everyCase = "warm,follow-up,cold,first,clients,levers,node-llama-cpp,long,tools";
const options = readOptions("npm run bench:speed", {
  model: `catalogue id or path (${defaultModel})`,
  count: "questions of each case (30)",
  cases: `only these (${everyCase})`,
  threads: "of both engines (2)",
  page: "file for the report as Markdown, such as docs/speed.md",
  json: "file for the measured values; those of other cases that it holds are kept",
});
const wanted = new Set((options.cases ?? everyCase).split(","));
const name = options.model ?? defaultModel;
const found = await findModel(name, {
  home: homeFolder(),
  fetch: true,
  onNotice: (text) => process.stderr.write(`${text}\n`),
});
const home = mkdtempSync(join(tmpdir(), "callwright-speed-"));
const threads = wholeNumber(options.threads, "threads", 2);
const run = createSpeedRun({
  count: wholeNumber(options.count, "count", 30),
  threads,
  model: found,
  home,
});
run.measured.push(...earlier(options.json));
watchEvaluations();
const cases: readonly (readonly [string, () => Promise<void>])[] = [
  ["first", () => timeFirstCalls(run)],
  ["clients", () => timeFourClients(run)],
  ["levers", () => timeLevers(run)],
  ["node-llama-cpp", () => timeNodeLlamaCpp(run, name)],
  ["long", () => timeLongPrompt(run)],
  ["tools", () => timeMoreTools(run)],
];
try {
  if (["warm", "follow-up", "cold"].some((each) => wanted.has(each))) await timeOneClient(run, wanted);
  keep();
  for (const [each, time] of cases) {
    if (!wanted.has(each)) continue;
    await time();
    keep();
  }
  const report = reportSpeed(run.measured, { model: found.id, threads });
  process.stdout.write(`${report}\n`);
  if (options.page !== undefined) writeFileSync(options.page, pageOf(report));
} finally {
  rmSync(home, { recursive: true, force: true });
}

function pageOf(report: string): string {
  const date = new Date().toISOString().slice(0, 10);
  return `# Speed

*Written by \`npm run bench:speed\` on ${date} (Node ${process.version}, ${availableParallelism()} cores, CPU only). Do not edit it by hand.*

Both engines have the same weights, threads and prompts. llama-server writes under the JSON Schema of all calls; we under our
grammar. *warm*: the catalogue of ten tools is in the sequence, the question is new. *follow-up*: the turn after a tool's result.
*cold*: nothing of the prompt is known. *first call*: a new process with the catalogue's state on disk, beside llama-server's cold
call. The *floor* is what llama.cpp would take if each sampled token were one decode step and every other new token one of a large
batch, both measured in the same run.

\`\`\`text
${report}
\`\`\`
`;
}

/** What was measured so far is not lost when a later case fails or is stopped. */
function keep(): void {
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(run.measured));
}

function earlier(path: string | undefined): readonly Measured[] {
  try {
    const kept = path === undefined ? [] : (JSON.parse(readFileSync(path, "utf8")) as readonly Measured[]);
    return kept.filter((each) => !wanted.has(caseOf(each)));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function caseOf(measured: Measured): string {
  switch (measured.type) {
    case "pair":
      return measured.name;
    case "batch":
      return "clients";
    case "lever":
      return "levers";
    case "event-loop":
      return "warm";
    default:
      return measured.type;
  }
}
