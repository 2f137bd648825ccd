// Opens a folder below a workspace's root step by step, following no link, so that nothing that is swapped in between the
// judging of a path and its use leads outside. Where the system names open folders (`/proc/self/fd`), later steps go
// through them and not through names; elsewhere each step is looked at right before it is taken.
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { isAbsence, systemErrorCode } from "../../vocabulary/index.ts";
import { ToolFailure } from "../tool.ts";

const namesOpenFolders = existsSync("/proc/self/fd");
const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Runs `work` with a path by which entries of the folder are reached. `real` is a folder's path as the workspace judged
 * it. Missing folders are made where `create` says so. Throws `ToolFailure` where a step is no folder any more.
 */
export async function withFolderInside<Result>(
  options: { readonly root: string; readonly real: string; readonly create?: boolean },
  work: (base: string) => Promise<Result>,
): Promise<Result> {
  const steps = path.relative(options.root, options.real).split(path.sep).filter(Boolean);
  const handles: FileHandle[] = [];
  try {
    let base = await openStep(options.root, handles);
    for (const step of steps) {
      const next = path.join(base, step);
      if (options.create) await makeStep(next);
      base = await openStep(next, handles);
    }
    return await work(base);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

async function openStep(full: string, handles: FileHandle[]): Promise<string> {
  if (!namesOpenFolders) {
    if (!(await lstat(full)).isDirectory()) throw swapped(full);
    return full;
  }
  try {
    const handle = await open(full, folderFlags);
    handles.push(handle);
    return `/proc/self/fd/${handle.fd}`;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ELOOP" || code === "ENOTDIR") throw swapped(full);
    if (isAbsence(error)) throw new ToolFailure(`There is no folder "${path.basename(full)}" any more.`);
    throw new ToolFailure(
      `The folder "${path.basename(full)}" cannot be opened: ${code ?? "unknown reason"}.`,
      {
        cause: error,
      },
    );
  }
}

async function makeStep(full: string): Promise<void> {
  try {
    await mkdir(full);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return;
    throw new ToolFailure(
      `The folder "${path.basename(full)}" cannot be made: ${systemErrorCode(error) ?? "unknown reason"}.`,
      { cause: error },
    );
  }
}

function swapped(full: string): ToolFailure {
  return new ToolFailure(
    `"${path.basename(full)}" is a link or no folder any more: it is outside the workspace.`,
  );
}
