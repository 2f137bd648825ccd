// Takes back what the latest call of a session changed in files. Either all of it goes back or nothing is touched.
import type { Session } from "../journal/index.ts";
import { readBytes, replaceBytes, ToolFailure, type Workspace } from "../tools/index.ts";

export interface UndoneChanges {
  readonly callId: string;
  /** Relative to the workspace. */
  readonly paths: readonly string[];
}

/**
 * Undefined where there is nothing to take back. Throws `ToolFailure` where a file was changed since by somebody else.
 * Files are put back first and noted afterwards: a crash in between leaves something that can be undone once more.
 */
export async function undoChanges(
  workspace: Workspace,
  session: Pick<Session, "undo">,
): Promise<UndoneChanges | undefined> {
  const changes = session.undo.latest();
  const [first] = changes;
  if (first === undefined) return undefined;
  const states = new Map<string, Uint8Array | null>();
  for (const { path, before, after } of changes) {
    const now = states.has(path) ? states.get(path) : await read(workspace, path);
    if (!isSame(now ?? null, after) && !isSame(now ?? null, before)) {
      throw new ToolFailure(`"${path}" was changed since: it is left as it is.`);
    }
    states.set(path, before);
  }
  for (const [path, bytes] of states) {
    await replaceBytes(workspace, await workspace.creatable(path), bytes);
  }
  session.undo.markUndone(first.callId);
  return { callId: first.callId, paths: [...states.keys()] };
}

async function read(workspace: Workspace, path: string): Promise<Uint8Array | null> {
  return (await readBytes(workspace, await workspace.creatable(path))) ?? null;
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}
