// The tools' folder as others see it: the contract and the built-in tools.
import { calculator } from "./calculator.ts";
import type { ChangeLog } from "./files/change-files.ts";
import { editFile } from "./files/edit-file.ts";
import { createSeenFiles } from "./files/seen-files.ts";
import { writeFile } from "./files/write-file.ts";
import { listFiles } from "./list-files.ts";
import { readFile } from "./read-file.ts";
import { searchFiles } from "./search-files.ts";
import { type ShellOptions, shell } from "./shell/shell.ts";
import type { Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

export { describeTool } from "./describe-tool.ts";
export type { ChangeLog, FileChange } from "./files/change-files.ts";
export { readBytes, replaceBytes } from "./files/file-bytes.ts";
export {
  defaultRules,
  hidingRule,
  type Judgement,
  judgeRequest,
  type PermissionAction,
  type PermissionRule,
  parseRule,
  writeRule,
} from "./permissions/permission-rules.ts";
export {
  type Attachment,
  defineTool,
  type PermissionRequest,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolResult,
} from "./tool.ts";
export { openWorkspace, type Workspace } from "./workspace.ts";
export { calculator, listFiles, readFile, searchFiles };

/** The tools that change nothing: list, read and search in a workspace, and a calculator. */
export function readOnlyTools(workspace: Workspace): readonly Tool[] {
  return [listFiles(workspace), readFile(workspace), searchFiles(workspace), calculator];
}

/** The tools that work on a workspace: those that only read it, and those that change it or run something in it. */
export function changingTools(
  workspace: Workspace,
  options: ShellOptions & { readonly changes?: ChangeLog },
): readonly Tool[] {
  const { changes, ...more } = options;
  const setting = { workspace, seen: createSeenFiles(), ...(changes === undefined ? {} : { changes }) };
  return [
    listFiles(workspace),
    readFile(workspace, setting.seen),
    searchFiles(workspace),
    calculator,
    writeFile(setting),
    editFile(setting),
    shell(workspace, more),
  ];
}
