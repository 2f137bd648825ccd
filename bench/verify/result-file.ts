// An append-only file of JSON lines that lets a long run be stopped and taken up again.
// Knows only that results are told apart by a key; a half-written last line is what a stop leaves behind.
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname } from "node:path";

export interface ResultFile<Result> {
  /** Results of earlier runs by key. */
  readonly earlier: ReadonlyMap<string, Result>;
  append(key: string, result: Result): void;
}

/** Opens the file, or begins it. Throws where a line but the last is not of the form `{ key, result }`. */
export function openResultFile<Result>(path: string): ResultFile<Result> {
  mkdirSync(dirname(path), { recursive: true });
  const earlier = new Map<string, Result>();
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  for (const line of whole.split("\n")) {
    if (line === "") continue;
    const row = JSON.parse(line) as { readonly key?: unknown; readonly result: Result };
    if (typeof row.key !== "string") throw new Error(`${path}: a line has no key; give another --out`);
    earlier.set(row.key, row.result);
  }
  return {
    earlier,
    append: (key, result) => appendFileSync(path, `${JSON.stringify({ key, result })}\n`),
  };
}
