// Looks at files that need not be there. That they are absent is an answer; that they cannot be read is an error.
import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { CallwrightError, isAbsence, systemErrorCode } from "../vocabulary/index.ts";

/** Undefined where nothing stands there. Throws `CallwrightError` `file-unreadable`. */
export function statIfPresent(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: unknown) => absentOrUnreadable(error, path));
}

/** Undefined where nothing stands there, or no JSON. Throws `CallwrightError` `file-unreadable`. */
export async function readJsonIfPresent(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: unknown) => absentOrUnreadable(error, path));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Cut off while it was written: as good as absent.
    return undefined;
  }
}

function absentOrUnreadable(error: unknown, path: string): undefined {
  if (isAbsence(error)) return undefined;
  const reason = systemErrorCode(error) ?? String(error);
  throw new CallwrightError("file-unreadable", `${path} cannot be read (${reason}).`, { cause: error });
}
