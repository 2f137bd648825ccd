// The one place where a run's permissions are asked for. The caller's policy decides; what it denied is remembered.
// Knows nothing of how a person is asked.
import { type PermissionRequest, ToolFailure } from "../tools/index.ts";
import type { RunOnlyEvent } from "../vocabulary/index.ts";

/** Who may do what, as the caller of a run decides it. */
export interface PermissionPolicy {
  /** Whether a tool may do this now. It may take as long as a person needs. */
  allow(request: AskedPermission): boolean | Promise<boolean>;
}

export interface AskedPermission extends PermissionRequest {
  readonly callId: string;
  readonly tool: string;
  readonly signal: AbortSignal;
}

/** A permission that was not given: an answer to the model, not a crash. */
export class PermissionDenied extends ToolFailure {}

export interface PermissionGate {
  /** Resolves where it is allowed, rejects with `PermissionDenied` where not; reports only what the policy was really asked. */
  ask(request: AskedPermission, emit: (event: RunOnlyEvent) => void): Promise<void>;
}

/** Makes the gate of one run. Without a policy everything that has to be asked for is denied. */
export function createPermissionGate(policy: PermissionPolicy | undefined): PermissionGate {
  const denied = new Set<string>();
  return {
    ask: async (request, emit) => {
      const { callId, permission, patterns } = request;
      const key = JSON.stringify([request.tool, permission, patterns]);
      const what = [permission, ...patterns].join(" ");
      if (denied.has(key)) {
        throw new PermissionDenied(`Denied before and still denied: ${what}. Do not try this again.`);
      }
      emit({ type: "permission-asked", callId, permission, patterns });
      const allowed = (await policy?.allow(request)) ?? false;
      emit({ type: "permission-answered", callId, allowed });
      if (allowed) return;
      denied.add(key);
      throw new PermissionDenied(`Permission denied: ${what}. Do not try this again.`);
    },
  };
}
