// Which paths the words of a shell command may mean, and where they really lie. A word that is a path in any reading
// counts as one: a file it names, or a way out of the workspace.
import { lstat } from "node:fs/promises";
import path from "node:path";
import { isAbsence } from "../../vocabulary/index.ts";
import { ToolFailure } from "../tool.ts";
import type { Workspace } from "../workspace.ts";

export interface CommandPaths {
  /** Paths inside the workspace, as the model is shown them. */
  readonly inside: readonly string[];
  /** What each word would be as a path, whether or not there is such a file. */
  readonly possible: readonly string[];
  /** Words that lead outside, as they are written. */
  readonly outside: readonly string[];
}

/** Devices that hold nothing and keep nothing. */
const harmless: ReadonlySet<string> = new Set([
  "/dev/null",
  "/dev/zero",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
]);

/** Finds the paths among words. */
export async function findPaths(workspace: Workspace, words: readonly string[]): Promise<CommandPaths> {
  const inside = new Set<string>();
  const outside = new Set<string>();
  const possible = new Set<string>();
  for (const word of words) {
    for (const candidate of candidatesOf(word)) {
      possible.add(workspace.display(path.resolve(workspace.root, candidate)));
      const found = await locate(workspace, candidate);
      if (found === "outside") outside.add(candidate);
      else if (found !== undefined) inside.add(found);
    }
  }
  return { inside: [...inside], possible: [...possible], outside: [...outside] };
}

/** A word, and what stands in it behind the marks by which options, files and hosts are joined to paths. */
function candidatesOf(word: string): readonly string[] {
  const parts = [word, ...[...word.matchAll(/[=:,@]/g)].map(({ index }) => word.slice(index + 1))];
  if (/^-[A-Za-z]./.test(word)) parts.push(word.slice(2));
  return [...new Set(parts)].filter((part) => part !== "" && !harmless.has(part));
}

/** Undefined: no path, as far as anybody can tell. */
async function locate(workspace: Workspace, candidate: string): Promise<string | undefined> {
  if (candidate.startsWith("~")) return "outside";
  const leads = candidate.includes("/") || candidate === "..";
  if (!leads && !(await exists(path.resolve(workspace.root, candidate)))) return undefined;
  try {
    return workspace.display(await workspace.creatable(candidate));
  } catch (error) {
    if (error instanceof ToolFailure) return "outside";
    throw error;
  }
}

/** What cannot be looked at counts as being there. */
async function exists(full: string): Promise<boolean> {
  if (full.includes("\0")) return true;
  return lstat(full).then(
    () => true,
    (error: unknown) => !isAbsence(error) && !isNameTooLong(error),
  );
}

function isNameTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
}
