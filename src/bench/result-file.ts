// The file of a run: a first line that says what shaped it, then one line for each item, only ever appended.
// A half-written last line is what a kill leaves behind; it is cut off when the run goes on.
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CallwrightError } from "../vocabulary/index.ts";
import type { BenchAnswer } from "./bench-item.ts";
import type { Verdict } from "./verdict.ts";

/** What shaped a run. Runs of the same `settings` go on in one file. */
export interface RunHeader {
  readonly suite: string;
  readonly arm: string;
  /** Selection, suite, arm: all that shapes answers and verdicts. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Machine and versions, for the reader. */
  readonly machine: Readonly<Record<string, unknown>>;
  readonly started: string;
  readonly total: number;
}

export interface ResultLine {
  readonly id: string;
  readonly category: string;
  /** Names of the wanted calls; absent where any call will do. */
  readonly wanted?: readonly string[];
  readonly tools: number;
  readonly verdict: Verdict;
  readonly answer: BenchAnswer;
}

export interface RunFile {
  readonly header: RunHeader;
  readonly results: readonly ResultLine[];
}

/** Reads a finished or a broken-off run. Throws `CallwrightError` (`file-unreadable`) where it is none. */
export function readRun(path: string): RunFile {
  return readLines(path, wholeLines(readFileSync(path, "utf8")));
}

function readLines(path: string, lines: readonly string[]): RunFile {
  const header = parseLine(path, lines[0] ?? "") as { readonly run?: RunHeader };
  if (header.run === undefined) throw invalid(path, "its first line does not describe a run");
  return { header: header.run, results: lines.slice(1).map((line) => parseLine(path, line) as ResultLine) };
}

/**
 * Opens a file to append to, and gives what it holds already. Throws `CallwrightError` (`file-unreadable`) where it is of
 * another run: its answers would be mixed with these.
 */
export function openRun(path: string, header: RunHeader): RunFile & { append(line: ResultLine): void } {
  mkdirSync(dirname(path), { recursive: true });
  const append = (line: unknown) => appendFileSync(path, `${JSON.stringify(line)}\n`);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = wholeLines(text);
  // Whatever is no run of ours is left as it is. A first line that was not finished is ours to begin anew.
  if (lines.length === 0 && !text.startsWith('{"run":'.slice(0, text.length))) {
    throw invalid(path, "its first line does not describe a run");
  }
  const earlier = lines.length === 0 ? { header, results: [] } : readLines(path, lines);
  const difference = firstDifference(earlier.header, header);
  if (difference !== undefined) {
    throw invalid(path, `it is a run with another ${difference}; give another --out, or remove it`);
  }
  if (text !== "") truncateSync(path, Buffer.byteLength(lines.map((line) => `${line}\n`).join("")));
  if (lines.length === 0) append({ run: header });
  return { ...earlier, append };
}

/** Writes a whole run. Throws `CallwrightError` (`request-invalid`) where there is a file already: results are never lost. */
export function writeRun(path: string, { header, results }: RunFile): void {
  if (existsSync(path))
    throw new CallwrightError("request-invalid", `${path} is there already; give another --out.`);
  mkdirSync(dirname(path), { recursive: true });
  const lines = [{ run: header }, ...results].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(path, lines.join(""));
}

function firstDifference(earlier: RunHeader, header: RunHeader): string | undefined {
  if (earlier.suite !== header.suite) return "suite";
  if (earlier.arm !== header.arm) return "arm";
  const keys = new Set([...Object.keys(earlier.settings), ...Object.keys(header.settings)]);
  return [...keys].find(
    (key) => JSON.stringify(earlier.settings[key]) !== JSON.stringify(header.settings[key]),
  );
}

function wholeLines(text: string): readonly string[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "");
}

function parseLine(path: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw invalid(path, `a line is no JSON: ${line.slice(0, 60)}`, error);
  }
}

function invalid(path: string, what: string, cause?: unknown): CallwrightError {
  return new CallwrightError("file-unreadable", `${path} is not the file of this bench: ${what}.`, {
    ...(cause === undefined ? {} : { cause }),
  });
}
