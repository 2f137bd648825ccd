// The lines that a run of the schema bench leaves in its file, and how a finished run is found in them again.
import { readFileSync } from "node:fs";
import type { SchemaVerdict } from "./judge-schema.ts";
import type { MaskTimes } from "./time-masks.ts";

/** Written when a run is done: what it ran on. */
export interface RunEnd {
  readonly type: "run";
  /** The data set's file name. */
  readonly data: string;
  readonly objects: "standard" | "closed";
  /** Of the compiler's and the matcher's source. */
  readonly compiler: string;
  readonly date: string;
  readonly node: string;
  readonly cases: number;
  /** Tokens of the vocabulary that masks were timed on; 0 where none were. */
  readonly vocabulary: number;
  readonly model?: string;
}

export type RunLine = SchemaVerdict | MaskTimes | RunEnd;

export interface FinishedRun {
  readonly end: RunEnd;
  readonly verdicts: readonly SchemaVerdict[];
  readonly masks: readonly MaskTimes[];
}

/** Begins the key of every line of a run. */
export function keyPrefix(compiler: string, objects: RunEnd["objects"]): string {
  return `${compiler} ${objects} `;
}

export function isVerdict(line: RunLine): line is SchemaVerdict {
  return !("type" in line);
}

export function isMaskTimes(line: RunLine): line is MaskTimes {
  return "type" in line && line.type === "masks";
}

/** The last finished run in a file; lines of other compilers and of runs that were stopped are left out. */
export function readFinishedRun(path: string): FinishedRun {
  const byKey = new Map<string, RunLine>();
  for (const text of readFileSync(path, "utf8").split("\n")) {
    if (text === "") continue;
    const { key, result } = JSON.parse(text) as { readonly key: string; readonly result: RunLine };
    byKey.delete(key);
    byKey.set(key, result);
  }
  const isEnd = (line: RunLine): line is RunEnd => "type" in line && line.type === "run";
  const end = [...byKey.values()].filter(isEnd).at(-1);
  if (end === undefined)
    throw new Error(
      `${path} holds no finished run; run npm run bench:schemas with --json ${path} to its end`,
    );
  const prefix = keyPrefix(end.compiler, end.objects);
  const lines = [...byKey].filter(([key]) => key.startsWith(prefix)).map(([, line]) => line);
  return { end, verdicts: lines.filter(isVerdict), masks: lines.filter(isMaskTimes) };
}
