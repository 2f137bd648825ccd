// The one way by which built-in tools change files: judged paths, a question with the diff, what was there kept for undo
// before it goes, then the change. Knows nothing of how a tool found out what the new text is.
import type { ToolContext } from "../tool.ts";
import type { Workspace } from "../workspace.ts";
import { diffText } from "./diff-text.ts";
import { readBytes, replaceBytes } from "./file-bytes.ts";
import type { SeenFiles } from "./seen-files.ts";

/** A file before and after; null: there is none. */
export interface FileChange {
  readonly callId: string;
  /** Relative to the workspace's root. */
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** Keeps what a change does away with. Called before the file is touched; what it throws keeps the file as it is. */
export interface ChangeLog {
  record(change: FileChange): void;
}

/** What the tools that change files share. */
export interface FileSetting {
  readonly workspace: Workspace;
  readonly seen: SeenFiles;
  readonly changes?: ChangeLog;
}

export interface PlannedChange {
  readonly written: string;
  readonly real: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** Asks once for all of the changes, then makes them in order. */
export async function changeFiles(
  setting: FileSetting,
  planned: readonly PlannedChange[],
  context: ToolContext,
): Promise<string> {
  const { workspace, seen, changes } = setting;
  const diff = planned.map((change) => diffOf(workspace, change)).join("");
  await context.ask({
    permission: "edit",
    patterns: [...new Set(planned.flatMap(({ written, real }) => workspace.patterns(written, real)))],
    metadata: { diff },
  });
  for (const { real, before, after } of planned) {
    context.signal.throwIfAborted();
    const path = workspace.display(real);
    const now = (await readBytes(workspace, real)) ?? null;
    // While a person thought about it, somebody else may have changed the file.
    if (!isSame(now, before)) seen.check(real, path, now ?? new Uint8Array());
    changes?.record({ callId: context.callId, path, before, after });
    await replaceBytes(workspace, real, after);
    seen.note(real, after);
  }
  return diff;
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}

function diffOf(workspace: Workspace, { real, before, after }: PlannedChange): string {
  const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString("utf8"));
  return diffText(workspace.display(real), text(before), text(after));
}
