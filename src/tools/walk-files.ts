// Walks a folder of a workspace in a fixed order, without following links and without what is seldom meant.
// Knows nothing of what the files hold.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { systemErrorCode } from "../vocabulary/index.ts";
import { ToolFailure } from "./tool.ts";

/** Folders that are named but never entered. */
export const ignoredFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

export interface Entry {
  readonly real: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly ignored: boolean;
}

/** Entries below a real folder, each folder before its contents, names in code-point order, `depth` levels deep. */
export async function* walkFiles(folder: string, depth: number, signal: AbortSignal): AsyncGenerator<Entry> {
  signal.throwIfAborted();
  for (const found of await entriesOf(folder)) {
    const real = path.join(folder, found.name);
    const ignored = found.isDirectory() && ignoredFolders.has(found.name);
    yield { real, kind: kindOf(found), ignored };
    if (found.isDirectory() && !ignored && depth > 1) yield* walkFiles(real, depth - 1, signal);
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    const name = path.basename(folder);
    throw new ToolFailure(
      `The folder "${name}" cannot be read: ${systemErrorCode(cause) ?? "unknown reason"}.`,
      {
        cause,
      },
    );
  }
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
