// Asks BFCL's own rules, from its wheel, for verdicts.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { bfclRequirement } from "../../src/bench/bfcl/data-set.ts";
import { findPython, pipDownload } from "../../src/models/sources/pip-download.ts";

export interface RefereeVerdict {
  readonly id: string;
  readonly category: string;
  /** `right`, BFCL's error type, or `crash: …` where its rules raise. */
  readonly verdict: string;
}

/**
 * The verdicts in the order of what was asked: either lines `{"id", "category", "answer"}`, or a folder of result files in
 * BFCL's layout. Throws where Python or the wheel is missing, or the referee fails.
 */
export async function runReferee(
  asked: { readonly lines: Iterable<string> } | { readonly folder: string },
  signal: AbortSignal,
): Promise<readonly RefereeVerdict[]> {
  const work = await mkdtemp(join(tmpdir(), "callwright-bfcl-"));
  try {
    const python = await findPython(signal);
    const wheel = await pipDownload(bfclRequirement, { python, folder: work, answerWithin: 5000, signal });
    const script = fileURLToPath(new URL("../bfcl-referee.py", import.meta.url));
    const child = spawn(python.path, [script, wheel, ...("folder" in asked ? [asked.folder] : [])], {
      // The wheel makes folders for its results as soon as it is imported.
      env: { ...process.env, BFCL_PROJECT_ROOT: work },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const verdicts: RefereeVerdict[] = [];
    const reading = (async () => {
      for await (const line of createInterface({ input: child.stdout })) {
        const { id, category, error } = JSON.parse(line) as {
          readonly id: string;
          readonly category: string;
          readonly error: string | null;
        };
        verdicts.push({ id, category, verdict: error ?? "right" });
      }
    })();
    await pipeline(Readable.from("lines" in asked ? asked.lines : []), child.stdin);
    await reading;
    const code = await ended;
    if (code !== 0) throw new Error(`the referee ended with exit code ${code}`);
    return verdicts;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Whether two verdicts agree. Where BFCL's own rules raise, ours must not call the answer right. */
export function isSameVerdict(theirs: string, ours: string): boolean {
  return theirs === ours || (theirs.startsWith("crash: ") && ours !== "right");
}
