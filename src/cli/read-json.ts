// Reads a JSON file that a person named, or stdin, with an error that says what is wrong with it.
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CallwrightError, systemErrorCode } from "../vocabulary/index.ts";

/** What the system's codes mean to a person. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "it is a folder; name a file",
  EACCES: "you may not read it",
};

/** The text of a file; `-` is stdin. Throws `file-unreadable`. */
export async function readTextFile(path: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const code = systemErrorCode(cause) ?? "unknown reason";
    const why = reasons[code] ?? code;
    throw new CallwrightError("file-unreadable", `"${path}" cannot be read: ${why}.`, { cause });
  }
}

/** The value in a JSON file; `-` is stdin. Throws `file-unreadable`. */
export async function readJsonFile(path: string): Promise<unknown> {
  const content = await readTextFile(path);
  try {
    // A mark at the beginning is common in files from Windows and no part of the JSON.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CallwrightError("file-unreadable", `"${path}" is not JSON: ${reason.replaceAll("\n", " ")}`, {
      cause,
    });
  }
}
