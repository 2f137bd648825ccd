// Replaces a text in a file's text as the edit tools mean it: one place, or all where that is said.
import { ToolFailure } from "../tool.ts";
import { findText, lineOf } from "./match-text.ts";

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly all?: boolean;
}

export interface Replaced {
  readonly text: string;
  readonly matcher: string;
  readonly count: number;
}

/** Throws `ToolFailure` where the text is not there, stands in several places, or would not change. */
export function replaceText(text: string, name: string, wanted: Replacement): Replaced {
  const { oldText, newText, all = false } = wanted;
  if (oldText === "") throw new ToolFailure("old_text is empty: give the text to replace.");
  if (oldText === newText) throw new ToolFailure("old_text and new_text are the same: nothing would change.");
  const found = findText(text, oldText);
  if (found === undefined) {
    const [line = ""] = oldText.trim().split("\n");
    throw new ToolFailure(
      `"${name}" does not hold the text "${line.slice(0, 80)}": read it and copy the text.`,
    );
  }
  const { matches, matcher, adapt } = found;
  if (matches.length > 1 && !all) {
    const lines = matches.map((match) => lineOf(text, match)).slice(0, 10);
    throw new ToolFailure(
      `The text stands ${matches.length} times in "${name}" (lines ${lines.join(", ")}): give more of the lines around it.`,
    );
  }
  let changed = text;
  for (const match of matches.toReversed()) {
    changed = changed.slice(0, match.start) + adapt(newText, match) + changed.slice(match.end);
  }
  if (changed === text) throw new ToolFailure("Nothing would change.");
  return { text: changed, matcher, count: matches.length };
}

/** Replaces whole lines by others; lines that replace nothing are added at the end. Throws as `replaceText` does. */
export function replaceLines(
  text: string,
  name: string,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): string {
  const added = after.map((line) => `${line}\n`).join("");
  if (before.length === 0) return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${added}`;
  const found = findText(text, before.map((line) => `${line}\n`).join(""), { wholeLines: true });
  const [match, ...others] = found?.matches ?? [];
  if (found === undefined || match === undefined) {
    throw new ToolFailure(
      `"${name}" does not hold the lines from "${before[0]?.slice(0, 80)}" on: read it again.`,
    );
  }
  if (others.length > 0) {
    const lines = found.matches.map((one) => lineOf(text, one)).slice(0, 10);
    throw new ToolFailure(
      `The lines of the patch stand ${found.matches.length} times in "${name}" (lines ${lines.join(", ")}): give more of the lines around them.`,
    );
  }
  const replacement = found.adapt(added, match);
  const isAtEnd = match.end === text.length && !text.endsWith("\n");
  return (
    text.slice(0, match.start) +
    (isAtEnd ? replacement.replace(/\n$/, "") : replacement) +
    text.slice(match.end)
  );
}
