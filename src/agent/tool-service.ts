// Tools without a model: an outsider's calls to the tools of a catalogue, behind the same gate and with the same results as
// those of a run. Knows nothing of how the outsider speaks.
import { randomUUID } from "node:crypto";
import { defaultRules, type Tool } from "../tools/index.ts";
import type { JsonObject } from "../vocabulary/index.ts";
import { type CatalogueOptions, offeredTools } from "./catalogue.ts";
import { createPermissionGate, type PermissionPolicy } from "./permission-gate.ts";
import { type CallResult, runCall } from "./run-call.ts";
import { defaultRunLimits } from "./run-limits.ts";

export interface ToolServiceOptions extends Omit<CatalogueOptions, "rules"> {
  readonly permissions: PermissionPolicy;
}

export interface ToolServiceCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

export interface ToolService {
  /** What may be called now. */
  list(): readonly Tool[];
  /** Exactly one result, whatever happens; a call with invalid arguments is answered with what is wrong with them. */
  call(call: ToolServiceCall): Promise<CallResult>;
}

export function createToolService(options: ToolServiceOptions): ToolService {
  const { permissions, ...catalogue } = options;
  const gate = createPermissionGate(permissions);
  const rules = [...defaultRules, ...(permissions.rules ?? [])];
  const order = createOrder();
  const list = () => offeredTools({ ...catalogue, rules });
  return {
    list,
    call: async ({ name, input, signal, onProgress }) => {
      const tools = list();
      const tool = tools.find((candidate) => candidate.name === name);
      return order(tool?.concurrency === "parallel", () =>
        runCall(
          { id: randomUUID(), name, input },
          {
            runId: "outside",
            turn: 0,
            messages: [],
            tools,
            offered: [],
            gate,
            milliseconds: defaultRunLimits.toolMilliseconds,
            signal,
            emit: (event) => {
              if (event.type === "tool-progress") onProgress?.(event.text);
            },
            shorten: async (text) => text,
            // An outsider's arguments were decoded under no grammar of ours.
            isOld: true,
          },
        ),
      );
    },
  };
}

/** Runs work side by side where all of it may be, and else one after the other, in the order in which it came. */
function createOrder() {
  let shared: Promise<unknown>[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return <T>(isShared: boolean, work: () => Promise<T>): Promise<T> => {
    const before = isShared ? last : Promise.all([last, ...shared]);
    const done = before.then(work);
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    if (isShared) shared.push(ended);
    else {
      last = ended;
      shared = [];
    }
    return done;
  };
}
