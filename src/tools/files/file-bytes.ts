// Reads and replaces whole files inside a workspace. A file is replaced in one step, so that whoever reads it, or a
// crash, finds the old or the new one. Knows nothing of what the bytes mean.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { isAbsence, systemErrorCode } from "../../vocabulary/index.ts";
import { ToolFailure } from "../tool.ts";
import type { Workspace } from "../workspace.ts";
import { withFolderInside } from "./open-inside.ts";

const noFollow = constants.O_NOFOLLOW ?? 0;
/** Files above this many bytes are not read whole. */
export const largestFile = 8 * 1024 * 1024;

/** The bytes of a file at a judged path; undefined where there is none. Throws `ToolFailure` for what is no regular file. */
export async function readBytes(workspace: Workspace, real: string): Promise<Buffer | undefined> {
  const name = workspace.display(real);
  const folder = path.dirname(real);
  if (real === workspace.root) throw new ToolFailure('"." is a folder: list it instead.');
  try {
    return await withFolderInside({ root: workspace.root, real: folder }, async (base) => {
      const entry = path.join(base, path.basename(real));
      const found = await lstat(entry);
      if (found.isDirectory()) throw new ToolFailure(`"${name}" is a folder: list it instead.`);
      if (!found.isFile()) throw new ToolFailure(`"${name}" is not a regular file.`);
      if (found.size > largestFile) throw new FileTooLarge(name, found.size);
      const handle = await open(entry, constants.O_RDONLY | noFollow);
      try {
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    if (error instanceof ToolFailure) {
      if (/There is no folder/.test(error.message)) return undefined;
      throw error;
    }
    throw new ToolFailure(`"${name}" cannot be read: ${systemErrorCode(error) ?? "unknown reason"}.`, {
      cause: error,
    });
  }
}

/** A file that is not read whole. */
export class FileTooLarge extends ToolFailure {
  readonly bytes: number;
  constructor(name: string, bytes: number) {
    super(`"${name}" is too large to read (${bytes} bytes): search it instead.`);
    this.bytes = bytes;
  }
}

/** Puts bytes in the place of a file, whose mode stays; null takes the file away. Makes missing folders. */
export async function replaceBytes(
  workspace: Workspace,
  real: string,
  bytes: Uint8Array | null,
): Promise<void> {
  const name = workspace.display(real);
  if (real === workspace.root) throw new ToolFailure('"." is a folder, not a file.');
  try {
    await withFolderInside(
      { root: workspace.root, real: path.dirname(real), create: bytes !== null },
      async (base) => {
        const entry = path.join(base, path.basename(real));
        const found = await lstat(entry).catch((error: unknown) => {
          if (isAbsence(error)) return undefined;
          throw error;
        });
        if (found !== undefined && !found.isFile()) throw new ToolFailure(`"${name}" is not a regular file.`);
        if (bytes === null) {
          if (found !== undefined) await rm(entry);
          return;
        }
        await writeBeside(entry, bytes, found?.mode ?? 0o644);
      },
    );
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    throw new ToolFailure(`"${name}" cannot be written: ${systemErrorCode(error) ?? "unknown reason"}.`, {
      cause: error,
    });
  }
}

/** Renaming replaces whatever the name is by then, a link included; it follows none. */
async function writeBeside(entry: string, bytes: Uint8Array, mode: number): Promise<void> {
  const beside = path.join(path.dirname(entry), `.${randomUUID()}.callwright`);
  const handle = await open(
    beside,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow,
    mode & 0o777,
  );
  try {
    try {
      await handle.writeFile(bytes);
      await handle.chmod(mode & 0o777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, entry);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
