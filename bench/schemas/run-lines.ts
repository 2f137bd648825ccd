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

/** A schema compiled once more in a later pass over all of them. */
export interface CompileTime {
  readonly type: "compile";
  readonly name: string;
  readonly compileMs: number;
}

export type RunLine = SchemaVerdict | MaskTimes | CompileTime | RunEnd;

export interface FinishedRun {
  readonly end: RunEnd;
  readonly verdicts: readonly SchemaVerdict[];
  readonly masks: readonly MaskTimes[];
  /** For each schema that was compiled in several passes the least time, and how many passes there were. */
  readonly least: LeastTimes;
}

export interface LeastTimes {
  readonly passes: number;
  readonly compileMs: readonly number[];
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

export function isCompileTime(line: RunLine): line is CompileTime {
  return "type" in line && line.type === "compile";
}

/** The least of each schema's times: what a pause of the machine or of the collector added to one pass is in no other. */
export function leastTimes(verdicts: readonly SchemaVerdict[], later: readonly CompileTime[]): LeastTimes {
  const byName = new Map<string, number[]>(verdicts.map(({ name, compileMs }) => [name, [compileMs]]));
  for (const { name, compileMs } of later) byName.get(name)?.push(compileMs);
  const times = [...byName.values()];
  return {
    passes: Math.min(...times.map((each) => each.length)),
    compileMs: times.map((each) => Math.min(...each)),
  };
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
  const verdicts = lines.filter(isVerdict);
  const least = leastTimes(verdicts, lines.filter(isCompileTime));
  return { end, verdicts, masks: lines.filter(isMaskTimes), least };
}
