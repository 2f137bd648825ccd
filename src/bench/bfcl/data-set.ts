// Where BFCL's items come from: the Python wheel that publishes them, fetched once into the cache folder, never committed.
// Data: Berkeley Function-Calling Leaderboard v4, Apache-2.0.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SourceFault } from "../../models/sources/opened-source.ts";
import { findPython, pipDownload } from "../../models/sources/pip-download.ts";
import { findZipMember, readZipMember } from "../../models/sources/zip-member.ts";
import { CallwrightError } from "../../vocabulary/index.ts";

export const bfclRequirement = "bfcl-eval==2026.3.23";

/** The single-turn categories: judged by BFCL's rules for values, or by whether there is a call at all. */
export const bfclCategories = [
  "simple_python",
  "simple_java",
  "simple_javascript",
  "multiple",
  "parallel",
  "parallel_multiple",
  "irrelevance",
  "live_simple",
  "live_multiple",
  "live_parallel",
  "live_parallel_multiple",
  "live_irrelevance",
  "live_relevance",
] as const;

export type BfclCategory = (typeof bfclCategories)[number];

/** A category's files as text; `answers` is absent where only whether there is a call counts. */
export interface CategoryText {
  readonly items: string;
  readonly answers?: string;
  /** SHA-256 over both files. */
  readonly hash: string;
}

export interface DataSetOptions {
  /** The cache folder. */
  readonly home: string;
  readonly signal: AbortSignal;
  /** Told before the data is fetched. */
  readonly onFetch?: () => void;
}

/**
 * Reads a category, fetching the data set first where it is not there. Throws `CallwrightError` (`data-missing`) where it
 * cannot be fetched.
 */
export async function readCategory(category: BfclCategory, options: DataSetOptions): Promise<CategoryText> {
  const folder = join(options.home, "bench", bfclRequirement.replace("==", "-"));
  const read = async () => ({
    items: await readFile(join(folder, `${category}.jsonl`), "utf8"),
    answers: await readFile(join(folder, `${category}.answers.jsonl`), "utf8"),
  });
  const { items, answers } = await read().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    options.onFetch?.();
    await fetchDataSet(folder, options.signal).catch((cause: unknown) => {
      options.signal.throwIfAborted();
      if (!(cause instanceof SourceFault)) throw cause;
      const message = `BFCL's items are not here and cannot be fetched: ${cause.message}. It needs Python 3 with pip and a package index.`;
      throw new CallwrightError("data-missing", message, { cause });
    });
    return read();
  });
  const hash = createHash("sha256").update(items).update("\0").update(answers).digest("hex");
  return { items, ...(answers === "" ? {} : { answers }), hash };
}

/** Unpacks all categories beside their final place and moves the folder there whole. */
async function fetchDataSet(folder: string, signal: AbortSignal): Promise<void> {
  const python = await findPython(signal);
  await mkdir(join(folder, ".."), { recursive: true });
  const work = await mkdtemp(`${folder}.part-`);
  try {
    const wheels = join(work, "wheel");
    await mkdir(wheels);
    const wheel = await pipDownload(bfclRequirement, { python, folder: wheels, answerWithin: 5000, signal });
    for (const category of bfclCategories) {
      const data = "bfcl_eval/data/";
      const file = `BFCL_v4_${category}.json`;
      await writeFile(join(work, `${category}.jsonl`), await unpack(wheel, `${data}${file}`, signal));
      const answers = category.includes("relevance")
        ? ""
        : await unpack(wheel, `${data}possible_answer/${file}`, signal);
      await writeFile(join(work, `${category}.answers.jsonl`), answers);
    }
    await rm(wheels, { recursive: true });
    await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function unpack(wheel: string, name: string, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readZipMember(wheel, await findZipMember(wheel, name), { signal }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}
