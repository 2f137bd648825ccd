// The shards of a run put together again, as the run that was not parted would be.
import { CallwrightError, isJsonObject, type JsonValue } from "../vocabulary/index.ts";
import type { ResultLine, RunFile, RunHeader } from "./result-file.ts";

/**
 * The whole run, items in the suite's order. Throws `CallwrightError` (`request-invalid`) where the files are not all shards
 * of one run, each of them once and finished.
 */
export function mergeRuns(files: readonly RunFile[]): RunFile {
  const shards = files.map((file) => ({ file, ...shardOf(file.header) })).sort((a, b) => a.part - b.part);
  const [first] = shards;
  if (first === undefined) throw invalid("no file was given");
  const parts = shards.map(({ part }) => part).join(", ");
  const wanted = Array.from({ length: first.of }, (_, at) => at + 1).join(", ");
  if (shards.some(({ of }) => of !== first.of) || parts !== wanted) {
    throw invalid(`they are the parts ${parts}, and the parts 1 to ${first.of} are needed, each once`);
  }
  const stranger = shards.find(({ rest }) => rest !== first.rest);
  if (stranger !== undefined)
    throw invalid(`part ${stranger.part} has another suite, arm or setting than part 1`);
  const unfinished = shards.find(({ file }) => file.results.length !== file.header.total);
  if (unfinished !== undefined) {
    const { results, header } = unfinished.file;
    throw invalid(`part ${unfinished.part} has ${results.length} of its ${header.total} items`);
  }
  const results = interleave(shards.map(({ file }) => file.results));
  const { header } = first.file;
  return { header: { ...header, settings: withoutShard(header), total: results.length }, results };
}

/** Which shard a run is, and what has to be the same in all shards of a run. */
function shardOf(header: RunHeader): { readonly part: number; readonly of: number; readonly rest: string } {
  const selection = header.settings.selection as JsonValue | undefined;
  const shard = isJsonObject(selection) ? selection.shard : undefined;
  const { part, of } = isJsonObject(shard) ? shard : {};
  if (typeof part !== "number" || typeof of !== "number")
    throw invalid("one of them is not a shard of a run");
  return { part, of, rest: JSON.stringify([header.suite, header.arm, withoutShard(header)]) };
}

function withoutShard({ settings }: RunHeader): RunHeader["settings"] {
  const { shard: _, ...selection } = settings.selection as Readonly<Record<string, unknown>>;
  return { ...settings, selection };
}

/** The n-th shard of m has every m-th item, from the n-th on. */
function interleave(lists: readonly (readonly ResultLine[])[]): readonly ResultLine[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

function invalid(why: string): CallwrightError {
  return new CallwrightError("request-invalid", `These files cannot be put together: ${why}.`);
}
