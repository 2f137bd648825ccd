// A text file as its text, and what of it the text does not say: a byte order mark, the kind of its line ends.
import { ToolFailure } from "../tool.ts";

export interface TextLayout {
  /** With `\n` as line end, where the file has one kind of them. */
  readonly text: string;
  readonly mark: boolean;
  readonly lineEnd: "\n" | "\r\n";
}

/** Throws `ToolFailure` where the bytes are no UTF-8 text. */
export function readLayout(bytes: Uint8Array, name: string): TextLayout {
  let raw: string;
  try {
    raw = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ToolFailure(`"${name}" is not text: it cannot be edited.`, { cause });
  }
  if (raw.includes("\0")) throw new ToolFailure(`"${name}" is not text: it cannot be edited.`);
  const mark = raw.startsWith("\uFEFF");
  const text = mark ? raw.slice(1) : raw;
  const crlf = text.split("\r\n").length - 1;
  const isWindows = crlf > 0 && text.split("\n").length - 1 === crlf;
  return { text: isWindows ? text.replaceAll("\r\n", "\n") : text, mark, lineEnd: isWindows ? "\r\n" : "\n" };
}

/** The bytes of a text in a layout. */
export function writeLayout({ text, mark, lineEnd }: TextLayout): Buffer {
  const ended = lineEnd === "\r\n" ? text.replaceAll(/\r?\n/g, "\r\n") : text;
  return Buffer.from(`${mark ? "\uFEFF" : ""}${ended}`);
}
