// Creates folders one by one: Node's own recursive way never ends where the system lets nobody create any, as in /proc.
import { mkdir, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { CallwrightError, systemErrorCode } from "../vocabulary/index.ts";
import { statIfPresent } from "./read-if-present.ts";

/** Creates a folder and those above it; gives the ones that were not there, the innermost first. Throws `file-unreadable`. */
export async function createFolder(path: string): Promise<readonly string[]> {
  const stats = await statIfPresent(path);
  if (stats?.isDirectory()) return [];
  if (stats !== undefined) throw refusal(path, "a file stands there");
  const above = await createFolder(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    const code = systemErrorCode(error);
    // Another process may have been quicker.
    if (code !== "EEXIST") throw refusal(path, code ?? String(error), error);
  }
  return [path, ...above];
}

/** Takes back folders that `createFolder` gave, as far as they are still empty. */
export async function removeEmptyFolders(folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders) await rmdir(folder);
  } catch {
    // Something stands in it by now, so that those above it are not empty either.
  }
}

function refusal(path: string, reason: string, cause?: unknown): CallwrightError {
  const text = `The folder ${path} cannot be created (${reason}). Set CALLWRIGHT_HOME to a folder that can be written.`;
  return new CallwrightError("file-unreadable", text, { cause });
}
