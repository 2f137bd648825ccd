// What `import … from "callwright"` gives.
export {
  type Agent,
  type AskedPermission,
  builtInAgents,
  type Conversation as PromptQueue,
  createConversation,
  foldRun,
  type PermissionAnswer,
  type PermissionPolicy,
  type RunLimits,
  type RunProgress,
  type RunResult,
  type Subagents,
  undoChanges,
} from "./agent/index.ts";
export type { TurnResult } from "./decode/fold-turn.ts";
export type { Levers } from "./decode/levers.ts";
export {
  type Conversation,
  createEngine,
  type Engine,
  type EngineOptions,
  type EngineRunRequest,
  type EngineTurnRequest,
  type OpenedEngine,
} from "./engine.ts";
export {
  type Journal,
  openJournal,
  type Session,
  type SessionRecord,
  type SessionSummary,
} from "./journal/index.ts";
export type { Model, ModelInfo } from "./models/model.ts";
export type { PartialProfile, Profile } from "./models/profile.ts";
export { createScriptedModel, type ScriptedModelOptions } from "./models/scripted.ts";
export {
  type Attachment,
  calculator,
  changingTools,
  defineTool,
  fromAiSdkTool,
  fromOpenAiTool,
  hookTools,
  type McpServer,
  type OpenMcpServer,
  openMcpServer,
  openWorkspace,
  type PermissionRequest,
  type PermissionRule,
  type Plugin,
  parseRule,
  readOnlyTools,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolResult,
  toAiSdkTool,
  toMcpTool,
  toOpenAiTool,
  type Workspace,
} from "./tools/index.ts";
export {
  type Call,
  type CallFault,
  CallwrightError,
  type ErrorCode,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Message,
  type RunEvent,
  type ToolChoice,
  type ToolDescription,
  type TurnEvent,
  type Usage,
} from "./vocabulary/index.ts";
