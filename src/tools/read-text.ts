// Reads a file of a workspace as text: size cap, regular files only, binary files told apart by their bytes.
// Knows nothing of lines or of what the text is for.
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { systemErrorCode } from "../vocabulary/index.ts";
import { ToolFailure } from "./tool.ts";

/** Files above this many bytes are not read whole. */
export const largestFile = 8 * 1024 * 1024;

export type TextFile =
  | { readonly type: "text"; readonly text: string; readonly bytes: number }
  | { readonly type: "binary"; readonly bytes: number }
  | { readonly type: "too-large"; readonly bytes: number };

/** Reads a real path; `name` is what the model called it. Throws `ToolFailure` for what is no readable file. */
export async function readText(real: string, name: string): Promise<TextFile> {
  let handle: FileHandle | undefined;
  try {
    const entry = await stat(real);
    if (entry.isDirectory()) throw new ToolFailure(`"${name}" is a folder: list it instead.`);
    if (!entry.isFile()) throw new ToolFailure(`"${name}" is not a regular file.`);
    // The path was judged as a real path; a link put in its place since then is not followed.
    handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const { size } = await handle.stat();
    if (size > largestFile) return { type: "too-large", bytes: size };
    return decode(await handle.readFile());
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(`"${name}" cannot be read: ${systemErrorCode(error) ?? "unknown reason"}.`, {
      cause: error,
    });
  } finally {
    await handle?.close();
  }
}

function decode(bytes: Buffer): TextFile {
  if (bytes.includes(0)) return { type: "binary", bytes: bytes.length };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { type: "text", text, bytes: bytes.length };
  } catch {
    return { type: "binary", bytes: bytes.length };
  }
}

/** A text's lines without their ends; a last line end starts no further line. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
