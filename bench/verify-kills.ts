// npm run verify:kills: a bench that is killed at random gives what an unbroken one gives. The command line's own program asks
// a server of ours, which answers by a hash of the request; half of the kills are SIGKILL, half are Ctrl-C.
// Exit code 1 where the figures differ, or an item is lost or doubled.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeReport } from "../src/bench/report/report-data.ts";
import { type ResultLine, readRun } from "../src/bench/result-file.ts";
import { createRandom } from "./random.ts";
import { readOptions, wholeNumber } from "./verify/read-options.ts";

const options = readOptions("npm run verify:kills -- [--suite bfcl] [--sample 400] [--kills 20] [--seed 1]", {
  suite: "suite to run, bfcl by default",
  sample: "items of each category, 400 by default",
  kills: "how often the run is killed, 20 by default",
  seed: "draws the moments, 1 by default",
});
const kills = wholeNumber(options.kills, "kills", 20);
const sample = wholeNumber(options.sample, "sample", 400);
const random = createRandom(wholeNumber(options.seed, "seed", 1));
const suite = options.suite ?? "bfcl";

const folder = mkdtempSync(join(tmpdir(), "callwright-kills-"));
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () => response.end(JSON.stringify({ choices: [{ message: answerTo(body) }] })));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
try {
  const whole = join(folder, "whole.jsonl");
  await ended(start(whole));
  const total = readRun(whole).results.length;
  process.stdout.write(`unbroken: ${total} items\n`);
  const broken = join(folder, "broken.jsonl");
  const moments = Array.from({ length: kills }, () => random.below(total)).sort((a, b) => a - b);
  for (const [at, moment] of moments.entries()) {
    const child = start(broken);
    const isOver = await reaches(child, broken, moment);
    if (!isOver) child.kill(at % 2 === 0 ? "SIGKILL" : "SIGINT");
    await ended(child, true);
    process.stdout.write(`kill ${at + 1}: ${linesOf(broken)} lines\n`);
  }
  await ended(start(broken));
  const problems = compare(readRun(whole).results, readRun(broken).results);
  for (const problem of problems) process.stdout.write(`DIFFERS: ${problem}\n`);
  process.stdout.write(`killed ${kills} times: ${problems.length} differences\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
}

function start(out: string): ChildProcess {
  const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
  const loader = fileURLToPath(new URL("../scripts/typescript.mjs", import.meta.url));
  const { port } = server.address() as AddressInfo;
  const endpoint = ["--endpoint", `http://127.0.0.1:${port}/v1`, "--model", "stub", "--out", out];
  const args = ["bench", "calls", "--suite", suite, "--sample", String(sample), ...endpoint];
  return spawn(process.execPath, ["--import", loader, main, ...args], { stdio: "ignore" });
}

/** Waits until the child is over; with `mayBeKilled` however it ends. */
async function ended(child: ChildProcess, mayBeKilled = false): Promise<void> {
  const code = await new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once("close", resolve);
  });
  if (!mayBeKilled && code !== 0) throw new Error(`the bench ended with exit code ${code}`);
}

/** Waits until the file has so many lines and a little longer; true where the child was over before. */
async function reaches(child: ChildProcess, path: string, lines: number): Promise<boolean> {
  while (linesOf(path) <= lines) {
    if (child.exitCode !== null || child.signalCode !== null) return true;
    await wait(20);
  }
  await wait(random.below(20));
  return false;
}

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

/** Prose, a call without arguments, a call of two tools: by the request alone. */
function answerTo(body: string): unknown {
  const { tools = [] } = JSON.parse(body) as {
    readonly tools?: readonly { readonly function: { name: string } }[];
  };
  const hash = createHash("sha256").update(body).digest();
  const count = (hash[0] ?? 0) % 3;
  const calls = tools.slice(0, count).map(({ function: { name } }) => ({
    function: { name, arguments: JSON.stringify({ value: hash[1] }) },
  }));
  return calls.length === 0 ? { content: `No. ${hash[1]}` } : { content: null, tool_calls: calls };
}

function compare(whole: readonly ResultLine[], broken: readonly ResultLine[]): readonly string[] {
  const ids = (lines: readonly ResultLine[]) => lines.map(({ category, id }) => `${category} ${id}`);
  const problems: string[] = [];
  if (new Set(ids(broken)).size !== broken.length) problems.push("an item was answered twice");
  if (ids(whole).join("\n") !== ids(broken).join("\n"))
    problems.push("the items are not the same, in the same order");
  const [a, b] = [whole, broken].map((results) => JSON.stringify(withoutTimes(results)));
  if (a !== b) problems.push("the reports are not the same");
  return problems;
}

/** The report of a run but for how long it took. */
function withoutTimes(results: readonly ResultLine[]): unknown {
  const timeless = results.map((line) => ({
    ...line,
    answer: { ...line.answer, milliseconds: { total: 0 } },
  }));
  const header = { suite, arm: "stub", settings: {}, machine: {}, started: "", total: results.length };
  return makeReport([{ header, results: timeless }]);
}
