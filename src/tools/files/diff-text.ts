// Shows the difference of two texts as a unified diff. The only file that knows the package for it.
import { createTwoFilesPatch } from "diff";

/** Milliseconds after which two texts are shown as wholly different. */
const timeLimit = 1_000;
const longestDiff = 20_000;

/** The diff of a file's text; null where there was, or will be, no file. */
export function diffText(name: string, before: string | null, after: string | null): string {
  const from = before === null ? "/dev/null" : name;
  const to = after === null ? "/dev/null" : name;
  const diff = createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", {
    context: 3,
    timeout: timeLimit,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  const text =
    diff ?? `--- ${from}\n+++ ${to}\n[${before?.length ?? 0} characters become ${after?.length ?? 0}]\n`;
  return text.length <= longestDiff ? text : `${text.slice(0, longestDiff)}\n[… diff cut]\n`;
}
