// The small check of what a program hands to the engine in a request: every part is of the kind that it has to be.
// Whether tools and schemas can be offered, and a prompt fits, is judged where they are used.
import { firstFault } from "../models/first-fault.ts";
import { askNearNames } from "../models/near-names.ts";
import { createValidator, type Validator } from "../schema-grammar/validator.ts";
import { CallwrightError, findNonJson, type JsonObject, joinPointer } from "../vocabulary/index.ts";

const text = { type: "string" } as const;
const boolean = { type: "boolean" } as const;
const share = { type: "number", minimum: 0, maximum: 1 } as const;
const penalty = { type: "number", minimum: 0, maximum: 2 } as const;
const positive = { type: "integer", minimum: 1 } as const;
// A longer time than a timer can wait ends it at once.
const milliseconds = { type: "number", exclusiveMinimum: 0, maximum: 2 ** 31 - 1 } as const;

const call = {
  type: "object",
  required: ["id", "name", "input"],
  properties: { id: text, name: text, input: { type: "object" } },
} as const;

const message = {
  type: "object",
  required: ["role"],
  properties: { role: { enum: ["system", "user", "assistant", "tool"] } },
  allOf: [
    whenRole("system", { content: text }),
    whenRole("user", { content: text }),
    whenRole("assistant", { content: text, reasoning: text, calls: { type: "array", items: call } }, [
      "content",
    ]),
    whenRole("tool", { callId: text, name: text, content: text, isError: boolean }, [
      "callId",
      "name",
      "content",
    ]),
  ],
} as const;

const limits = closed({
  steps: positive,
  toolMilliseconds: milliseconds,
  identicalRounds: positive,
  failedRounds: positive,
  callsPerTool: { type: "integer", minimum: 0 },
  denials: positive,
  tokens: positive,
  milliseconds,
});

const plainParts = {
  prompt: text,
  rawPrompt: text,
  system: text,
  messages: { type: "array", items: message },
  maxTokens: positive,
  seed: { type: "integer" },
  parallel: boolean,
  callable: { type: "array", items: text },
  stop: { type: "array", items: { type: "string", minLength: 1 } },
  sampling: closed({
    temperature: { type: "number", minimum: 0 },
    topK: { type: "integer", minimum: 0 },
    topP: share,
    minP: share,
    presencePenalty: penalty,
    frequencyPenalty: penalty,
    logitBias: { type: "object", additionalProperties: { type: "number", minimum: -100, maximum: 0 } },
  }),
  sampleCalls: boolean,
  answer: {
    type: "object",
    required: ["type"],
    properties: { type: { enum: ["json", "schema", "grammar"] }, gbnf: text },
  },
  logprobs: { type: "integer", minimum: 0, maximum: 20 },
  variables: { type: "object" },
  context: { enum: ["fit", "whole"] },
  toolChoice: {
    if: { type: "string" },
    // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's keyword.
    then: { enum: ["auto", "required", "none"] },
    else: { type: "object", required: ["name"], properties: { name: text } },
  },
  onBadTool: { enum: ["refuse", "leave-out"] },
  reasoning: closed({
    mode: { enum: ["on", "off", "auto"] },
    effort: { enum: ["low", "medium", "high"] },
    budget: { type: "integer", minimum: 0 },
  }),
  levers: closed({
    grammar: { enum: ["full", "names", "late", "off"] },
    repair: boolean,
    rewind: boolean,
    askAgain: boolean,
    forceOpening: boolean,
    toolText: { enum: ["template", "format"] },
  }),
  limits,
} as const satisfies JsonObject;

/** Everything that a single turn's request may say; a run has bounds and a policy besides. */
const turnKeys = [...Object.keys(plainParts).filter((key) => key !== "limits"), "tools", "signal"];
const requestKeys = {
  turn: turnKeys,
  run: [...turnKeys, "limits", "permissions", "stopWhen", "session", "approvals", "subagents"],
} as const;

const findRequestFaults = createValidator({ type: "object", properties: plainParts });
const findPolicyFaults = createValidator({
  type: "object",
  properties: {
    askMilliseconds: milliseconds,
    rules: {
      type: "array",
      items: {
        ...closed({ permission: text, pattern: text, action: { enum: ["allow", "ask", "deny"] } }),
        required: ["permission", "action"],
      },
    },
  },
});
const findLimitFaults = createValidator(limits);

/** Throws `request-invalid` with a pointer where a request is not what it has to be. Only a run may ask for its tools. */
export function checkRequest(request: unknown, kind: "run" | "turn"): void {
  if (!isObject(request)) {
    throw invalid("", `expected an object with a prompt or messages, came ${nameKind(request)}`);
  }
  checkKeys(request, requestKeys[kind]);
  checkPlain(pick(request, Object.keys(plainParts)), findRequestFaults, "");
  const { tools } = request;
  if (tools !== undefined && !(kind === "run" && typeof tools === "function")) checkToolList(tools);
  checkSignal(request.signal);
  checkPermissions(request.permissions);
  const { stopWhen, session } = request;
  if (stopWhen !== undefined && typeof stopWhen !== "function") {
    throw invalid("/stopWhen", `expected a function, came ${nameKind(stopWhen)}`);
  }
  if (session !== undefined && !(isObject(session) && typeof session.addTurn === "function")) {
    throw invalid("/session", `expected a session that a journal opened, came ${nameKind(session)}`);
  }
}

/** Throws `request-invalid` where something is set that nobody would read. */
export function checkKeys(given: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const stranger = Object.keys(given).find((key) => !known.includes(key) && given[key] !== undefined);
  if (stranger === undefined) return;
  const pointer = joinPointer("", stranger);
  const hint = askNearNames(stranger, known);
  throw new CallwrightError("request-invalid", `There is no option ${JSON.stringify(stranger)}.${hint}`, {
    pointer,
  });
}

/** Throws `request-invalid` where this is no list of tools. */
export function checkToolList(tools: unknown): void {
  if (!Array.isArray(tools)) throw invalid("/tools", `expected a list of tools, came ${nameKind(tools)}`);
  for (const [at, tool] of Array.from<unknown>(tools).entries()) checkTool(tool, `/tools/${at}`);
}

/** Throws `request-invalid` where these are no limits of a run. */
export function checkLimits(given: unknown): void {
  if (given !== undefined) checkPlain(given, findLimitFaults, "/limits");
}

export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw invalid("/signal", `expected an AbortSignal, came ${nameKind(signal)}`);
}

export function checkPermissions(policy: unknown): void {
  if (policy === undefined) return;
  if (!isObject(policy) || (typeof policy.allow !== "function" && policy.rules === undefined)) {
    throw invalid(
      "/permissions",
      `expected an object with a function "allow" or a list "rules", came ${nameKind(policy)}`,
    );
  }
  const { allow, rules, askMilliseconds } = policy;
  if (allow !== undefined && typeof allow !== "function") {
    throw invalid("/permissions/allow", `expected a function, came ${nameKind(allow)}`);
  }
  const plain = {
    ...(rules === undefined ? {} : { rules }),
    ...(askMilliseconds === undefined ? {} : { askMilliseconds }),
  };
  checkPlain(plain, findPolicyFaults, "/permissions");
}

/** A value's kind in words. */
export function nameKind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The one form of errors about what a program handed in. */
export function invalid(pointer: string, reason: string): CallwrightError {
  const place = pointer === "" ? "" : ` at ${pointer}`;
  return new CallwrightError("request-invalid", `The request is not valid${place}: ${reason}.`, { pointer });
}

function checkPlain(value: unknown, findFaults: Validator, pointer: string): void {
  const stranger = findNonJson(value);
  if (stranger !== undefined)
    throw invalid(pointer + stranger.pointer, `expected JSON, came ${stranger.came}`);
  const fault = firstFault(findFaults(value));
  if (fault !== undefined) throw invalid(pointer + fault.pointer, fault.text);
}

function checkTool(tool: unknown, pointer: string): void {
  if (!isObject(tool)) throw invalid(pointer, `expected a tool, came ${nameKind(tool)}`);
  const { name, description, shortDescription, inputSchema, execute } = tool;
  if (typeof name !== "string") throw invalid(`${pointer}/name`, `expected a name, came ${nameKind(name)}`);
  for (const [key, value] of Object.entries({ description, shortDescription })) {
    if (value !== undefined && typeof value !== "string") {
      throw invalid(`${pointer}/${key}`, `expected text, came ${nameKind(value)}`);
    }
  }
  if (!isObject(inputSchema) && typeof inputSchema !== "boolean") {
    throw invalid(`${pointer}/inputSchema`, `expected a JSON Schema, came ${nameKind(inputSchema)}`);
  }
  if (execute !== undefined && typeof execute !== "function") {
    throw invalid(`${pointer}/execute`, `expected a function, came ${nameKind(execute)}`);
  }
}

function pick(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, value[key]]));
}

function whenRole(role: string, properties: JsonObject, required = Object.keys(properties)) {
  // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's keyword.
  return { if: { properties: { role: { const: role } } }, then: { required, properties } };
}

function closed(properties: JsonObject) {
  return { type: "object", properties, additionalProperties: false } as const;
}
