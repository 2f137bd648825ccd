// Confinement to one folder: turns a path that a model wrote into a real path under the root, or refuses it.
// Knows nothing of what is then done with the path.
import { lstat, readlink, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { CallwrightError, isAbsence, systemErrorCode } from "../vocabulary/index.ts";
import { ToolFailure } from "./tool.ts";

export interface Workspace {
  /** The root's real path. */
  readonly root: string;
  /** The real path of something inside the root that exists. Throws `ToolFailure` where it does not, or lies outside. */
  existing(written: string): Promise<string>;
  /** The real path where something inside the root would be created; its missing parts are judged by their nearest existing parent. */
  creatable(written: string): Promise<string>;
  /** A real path as the model is shown it: relative to the root, with forward slashes. */
  display(real: string): string;
  /** What rules are asked about a path: where it really lies, and how it was written where that is another place. */
  patterns(written: string, real: string, kind?: "file" | "folder"): readonly string[];
}

/** Opens a folder as a workspace. Throws `CallwrightError` `file-unreadable` where there is no such folder. */
export async function openWorkspace(folder: string): Promise<Workspace> {
  const root = await realFolder(folder);
  const display = (real: string) => path.relative(root, real).split(path.sep).join("/") || ".";
  return {
    root,
    existing: async (written) => {
      const judged = await judge(root, written);
      if (judged.missing.length > 0) throw new ToolFailure(await describeMissing(root, written));
      return judged.real;
    },
    creatable: async (written) => {
      const judged = await judge(root, written);
      return path.join(judged.real, ...judged.missing);
    },
    display,
    patterns: (written, real, kind = "file") => {
      const names = [...new Set([display(real), display(path.resolve(root, written))])];
      // With its slash, so that a rule for what is in a folder holds for the folder.
      return kind === "file" ? names : names.map((name) => (name === "." ? name : `${name}/`));
    },
  };
}

async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    throw new CallwrightError("file-unreadable", `No workspace at "${folder}": give an existing folder.`, {
      cause,
    });
  }
  throw new CallwrightError("file-unreadable", `The workspace "${folder}" is a file: give a folder.`);
}

interface Judged {
  /** Real path of the nearest part that exists. */
  readonly real: string;
  /** Names below it that do not exist. */
  readonly missing: readonly string[];
}

async function judge(root: string, written: string): Promise<Judged> {
  refuseUnreadable(written);
  const full = path.resolve(root, written);
  if (!isInside(root, full) && !path.isAbsolute(written)) throw outside(written);
  const judged = await nearestExisting(full, written);
  if (isInside(root, judged.real)) return judged;
  throw outside(written, await suggestRelative(root, written));
}

/** Paths that mean something else on another platform are refused by name, not taken for odd file names. */
function refuseUnreadable(written: string): void {
  if (written.trim() === "") throw new ToolFailure('The path is empty. Write "." for the whole workspace.');
  if (written.includes("\0")) throw new ToolFailure("The path holds a NUL character.");
  const namesDrive = /^[A-Za-z]:/.test(written) || /^(\\\\|\/\/)[^\\/]/.test(written);
  if (namesDrive && path.sep === "/") throw outside(written);
}

async function nearestExisting(full: string, written: string): Promise<Judged> {
  const missing: string[] = [];
  let current = full;
  for (;;) {
    try {
      return { real: await realpath(current), missing };
    } catch (error) {
      if (systemErrorCode(error) === "ELOOP")
        throw new ToolFailure(`"${written}" is a link that leads in a circle.`);
      if (!isAbsence(error)) throw unreadable(written, error);
    }
    await refuseDanglingLink(current, written);
    const parent = path.dirname(current);
    if (parent === current) throw outside(written);
    missing.unshift(path.basename(current));
    current = parent;
  }
}

/** A link to nothing has an existing parent, but writing through it would land where it points. */
async function refuseDanglingLink(current: string, written: string): Promise<void> {
  const entry = await lstat(current).catch((error: unknown) => {
    if (isAbsence(error)) return undefined;
    // What cannot be looked at may be such a link.
    throw unreadable(written, error);
  });
  if (!entry?.isSymbolicLink()) return;
  throw new ToolFailure(`"${written}" is a link to "${await readlink(current)}", which does not exist.`);
}

function isInside(root: string, candidate: string): boolean {
  const relative = path.relative(root, candidate);
  return relative === "" || (relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative));
}

/** Small models often write the workspace's root as "/". */
async function suggestRelative(root: string, written: string): Promise<string | undefined> {
  const relative = path.normalize(written).replace(/^[\\/]+/, "");
  // What was written already is no better way to write it: a link that leads outside.
  if (relative === "" || relative === path.normalize(written) || !isInside(root, path.join(root, relative)))
    return undefined;
  // Only a hint: what cannot be looked at for whatever reason is not suggested.
  const found = await lstat(path.join(root, relative)).catch(() => undefined);
  return found === undefined ? undefined : relative.split(path.sep).join("/");
}

function outside(written: string, suggestion?: string): ToolFailure {
  const hint =
    suggestion === undefined ? 'Write a path relative to the workspace, such as "." or "notes.md".' : "";
  const meant = suggestion === undefined ? "" : `Did you mean "${suggestion}"?`;
  return new ToolFailure(`"${written}" is outside the workspace. ${hint}${meant}`);
}

async function describeMissing(root: string, written: string): Promise<string> {
  const parent = path.dirname(path.resolve(root, written));
  const folder = path.relative(root, parent).split(path.sep).join("/") || ".";
  const exists = await stat(parent).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  const hint = exists ? `List "${folder}" to see its names.` : 'List "." to see what there is.';
  return `There is no "${written}" in the workspace. ${hint}`;
}

function unreadable(written: string, cause: unknown): ToolFailure {
  return new ToolFailure(`"${written}" cannot be read: ${systemErrorCode(cause) ?? "unknown reason"}.`, {
    cause,
  });
}
