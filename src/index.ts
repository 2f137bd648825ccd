// What `import … from "callwright"` gives.
export {
  type AskedPermission,
  foldRun,
  type PermissionAnswer,
  type PermissionPolicy,
  type RunLimits,
  type RunResult,
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
export type { Model, ModelInfo } from "./models/model.ts";
export type { PartialProfile, Profile } from "./models/profile.ts";
export { createScriptedModel, type ScriptedModelOptions } from "./models/scripted.ts";
export {
  calculator,
  changingTools,
  defineTool,
  openWorkspace,
  type PermissionRequest,
  type PermissionRule,
  parseRule,
  readOnlyTools,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolResult,
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
