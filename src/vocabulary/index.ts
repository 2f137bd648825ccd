export {
  CallwrightError,
  type CallwrightErrorOptions,
  type ErrorCode,
  isAborted,
  throwIfAborted,
} from "./error.ts";
export { escapePattern } from "./escape-pattern.ts";
export type {
  CallFault,
  EventPlace,
  FinishReason,
  InvalidAttempt,
  RetryCost,
  RetryRung,
  RunEndReason,
  RunEvent,
  RunOnlyEvent,
  TokenChance,
  ToolOutcome,
  TurnEvent,
} from "./event.ts";
export { findNonJson, type NonJson } from "./find-non-json.ts";
export { deepestNesting, isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "./json.ts";
export { joinPointer, pointerSteps, unescapeStep } from "./json-pointer.ts";
export type {
  AssistantMessage,
  Call,
  Message,
  SystemMessage,
  ToolChoice,
  ToolDescription,
  ToolMessage,
  UserMessage,
} from "./message.ts";
export { isAbsence, systemErrorCode } from "./system-error.ts";
export type { AnswerForm, SamplingOptions } from "./turn-options.ts";
export { addUsage, emptyUsage, type TokenCounts, type Usage } from "./usage.ts";
