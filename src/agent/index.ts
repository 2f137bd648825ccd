// The agent's folder as others see it.
export { foldRun, type RunResult } from "./fold-run.ts";
export type { AskedPermission, PermissionPolicy } from "./permission-gate.ts";
export { defaultRunLimits, type RunLimits } from "./run-limits.ts";
export { type RunRequest, runLoop } from "./run-loop.ts";
