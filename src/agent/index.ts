// The agent's folder as others see it.
export { type Agent, builtInAgents } from "./agents.ts";
export {
  type CatalogueEntry,
  type CatalogueOptions,
  listCatalogue,
  offeredTools,
  type ToolSource,
} from "./catalogue.ts";
export { checkOptions } from "./check-options.ts";
export { checkRequest, checkToolList } from "./check-request.ts";
export { type Conversation, createConversation } from "./conversation.ts";
export { foldRun, type RunResult } from "./fold-run.ts";
export { createOpenRequests } from "./open-requests.ts";
export type { AskedPermission, PermissionAnswer, PermissionPolicy } from "./permission-gate.ts";
export { defaultRunLimits, type RunLimits } from "./run-limits.ts";
export { runLoop } from "./run-loop.ts";
export type { RunProgress, RunRequest } from "./run-state.ts";
export { type Subagents, taskToolName } from "./task-tool.ts";
export { createToolService, type ToolService } from "./tool-service.ts";
export { type TraceOptions, traceRun } from "./trace-run.ts";
export { type UndoneChanges, undoChanges } from "./undo-changes.ts";
