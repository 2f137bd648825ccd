// The tools' folder as others see it: the contract and the built-in tools.
import { type AnswerQuestion, askUser } from "./ask-user.ts";
import { calculator } from "./calculator.ts";
import { applyPatch } from "./files/apply-patch.ts";
import type { ChangeLog } from "./files/change-files.ts";
import { editFile } from "./files/edit-file.ts";
import { globFiles } from "./files/glob-files.ts";
import { createSeenFiles } from "./files/seen-files.ts";
import { writeFile } from "./files/write-file.ts";
import { listFiles } from "./list-files.ts";
import { readFile } from "./read-file.ts";
import { searchFiles } from "./search-files.ts";
import { type ShellOptions, shell } from "./shell/shell.ts";
import type { Tool } from "./tool.ts";
import { type FetchOptions, fetchUrl } from "./web/fetch-url.ts";
import type { Workspace } from "./workspace.ts";
import { writeTodos } from "./write-todos.ts";

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

export interface ChangingOptions extends ShellOptions, FetchOptions {
  /** Keeps what changes do away with. */
  readonly changes?: ChangeLog;
  /** By which tool files are changed: by a text to replace, or by a patch. Default: by a text. */
  readonly edits?: "text" | "patch";
  /** How the person is asked. */
  readonly answer?: AnswerQuestion;
}

/** The tools that work on a workspace: those that only read it, and those that change it or run something in it. */
export function changingTools(workspace: Workspace, options: ChangingOptions): readonly Tool[] {
  const { changes, edits = "text", answer, environment, privateHosts } = options;
  const setting = { workspace, seen: createSeenFiles(), ...(changes === undefined ? {} : { changes }) };
  return [
    listFiles(workspace),
    readFile(workspace, setting.seen),
    searchFiles(workspace),
    globFiles(workspace),
    calculator,
    ...(edits === "patch" ? [applyPatch(setting)] : [writeFile(setting), editFile(setting)]),
    shell(workspace, { environment }),
    fetchUrl(privateHosts === undefined ? {} : { privateHosts }),
    writeTodos,
    ...(answer === undefined ? [] : [askUser(answer)]),
  ];
}

export {
  type AiSdkTool,
  fromAiSdkTool,
  fromOpenAiTool,
  type McpTool,
  type OpenAiTool,
  toAiSdkTool,
  toMcpTool,
  toOpenAiTool,
} from "./adapt-tools.ts";
export type { AnswerQuestion, Question } from "./ask-user.ts";
export type { McpServer } from "./mcp/mcp-connection.ts";
export { type OpenMcpServer, openMcpServer } from "./mcp/open-mcp-server.ts";
export { type HookedCall, hookPrompt, hookTools, type Plugin } from "./plugins.ts";
export { loadProjectPlugins, loadProjectTools } from "./project-files.ts";
export { readText } from "./read-text.ts";
export { loadSkills, type Skill, skillTool } from "./use-skill.ts";
