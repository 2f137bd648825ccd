// The tools' folder as others see it: the contract and the built-in tools.
import { calculator } from "./calculator.ts";
import { listFiles } from "./list-files.ts";
import { readFile } from "./read-file.ts";
import { searchFiles } from "./search-files.ts";
import type { Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

export { describeTool } from "./describe-tool.ts";
export {
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
