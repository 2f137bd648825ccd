// Reads a file of a workspace as text: size cap, regular files only, binary files told apart by their bytes.
// Knows nothing of lines or of what the text is for.
import { FileTooLarge, readBytes } from "./files/file-bytes.ts";
import { ToolFailure } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

export type TextFile =
  | { readonly type: "text"; readonly text: string; readonly bytes: Buffer }
  | { readonly type: "binary"; readonly bytes: number }
  | { readonly type: "too-large"; readonly bytes: number };

/** Reads a real path. Throws `ToolFailure` for what is no readable file. */
export async function readText(workspace: Workspace, real: string): Promise<TextFile> {
  try {
    const bytes = await readBytes(workspace, real);
    if (bytes === undefined) throw new ToolFailure(`There is no "${workspace.display(real)}" any more.`);
    return decode(bytes);
  } catch (error) {
    if (error instanceof FileTooLarge) return { type: "too-large", bytes: error.bytes };
    throw error;
  }
}

function decode(bytes: Buffer): TextFile {
  if (bytes.includes(0)) return { type: "binary", bytes: bytes.length };
  try {
    return { type: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), bytes };
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
