// The contract of a tool. Knows nothing of sessions, of models or of where calls come from.
import { askNearNames } from "../models/near-names.ts";
import {
  CallwrightError,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  joinPointer,
  type Message,
} from "../vocabulary/index.ts";
import { isStandardSchema, readJsonSchema, readValue, type StandardSchema } from "./read-schema.ts";

export interface Tool<Input extends JsonObject = JsonObject> {
  readonly name: string;
  /** In two lengths: a small model reads `short` where the profile says so. */
  readonly description: string;
  readonly shortDescription?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Permissions it asks for before its first effect; until they are given, nothing has happened. */
  readonly permissions?: readonly string[];
  /** `parallel`: beside anything; `resource`: one at a time per key; `alone`: nothing beside it. */
  readonly concurrency?: "parallel" | "alone" | { readonly resource: (input: Input) => string };
  /** Milliseconds this call may take, where the run's bound for all calls does not suit it. */
  readonly milliseconds?: (input: Input) => number;
  /** Arguments that make two calls the same for the loop guard; absent: all of them. */
  readonly identity?: readonly string[];
  /** Its own words for arguments that failed validation. */
  readonly describeFaults?: (
    faults: readonly { pointer: string; expected: string; came: string }[],
  ) => string;
  /** Absent: calls are answered with an error result. */
  execute?(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** What a running tool is given; nothing in it changes the session. */
export interface ToolContext {
  readonly runId: string;
  readonly turn: number;
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly messages: readonly Message[];
  /** Asks for a permission; rejects with `ToolFailure` where it is denied. */
  ask(request: PermissionRequest): Promise<void>;
  /** Whether rules allow it as they are, without anybody being asked: for what is left out rather than asked about. */
  isAllowed(request: PermissionRequest): boolean;
  progress(text: string): void;
}

export interface PermissionRequest {
  /** The kind of thing: `read`, `edit`, `shell`, `fetch` … */
  readonly permission: string;
  /** What it is about: paths, commands, addresses. Every one of them has to be allowed. */
  readonly patterns: readonly string[];
  /** Why the patterns do not say all that would happen: then no rule allows it, only a person. */
  readonly unclear?: string;
  /** More is asked before anything happens: the call has not begun yet. */
  readonly more?: boolean;
  /** Only a rule that denies counts: for what may happen beside the thing that is asked for. */
  readonly denyOnly?: boolean;
  /** Shown to whoever is asked, such as the diff of an edit. */
  readonly metadata?: JsonObject;
}

export interface ToolResult {
  /** What the model reads; absent: `output` as JSON. */
  readonly text?: string;
  /** The result as data. Required, and checked, where the tool declares an output schema. */
  readonly output?: JsonValue;
  /** Files, images and other things besides the text: texts are added to it, of the others the model is told. */
  readonly attachments?: readonly Attachment[];
  readonly title?: string;
  readonly metadata?: JsonObject;
}

export interface Attachment {
  readonly name: string;
  /** Such as `text/plain` or `image/png`. */
  readonly mediaType: string;
  readonly data: string | Uint8Array;
}

/** A tool's own failure: the run goes on with its message as an error result. */
export class ToolFailure extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "ToolFailure";
  }
}

/** What a tool may say of itself; the type keeps the list whole. */
const toolKeys = Object.keys({
  name: true,
  description: true,
  shortDescription: true,
  inputSchema: true,
  outputSchema: true,
  permissions: true,
  concurrency: true,
  milliseconds: true,
  identity: true,
  describeFaults: true,
  execute: true,
} satisfies Record<keyof Tool, true>);

/** A tool as it may be written: its input's schema also as an object of zod 4 or the like, which then checks values too. */
export interface ToolDefinition<Input extends JsonObject> extends Omit<Tool<Input>, "inputSchema"> {
  readonly inputSchema: JsonSchema | StandardSchema;
}

/** A tool with its input's type kept. Throws `tool-invalid` where it has a key that nobody would read. */
export function defineTool<Input extends JsonObject>(tool: ToolDefinition<Input>): Tool {
  const stranger = Object.keys(tool).find((key) => !toolKeys.includes(key));
  if (stranger !== undefined) {
    const hint = askNearNames(stranger, toolKeys);
    throw new CallwrightError(
      "tool-invalid",
      `Tool ${JSON.stringify(tool.name)} has a key that tools do not have: ${JSON.stringify(stranger)}.${hint}`,
      { pointer: joinPointer("", stranger) },
    );
  }
  const { inputSchema: schema, execute } = tool;
  if (!isStandardSchema(schema)) return tool as unknown as Tool;
  const read = async (input: Input, context: ToolContext): Promise<ToolResult> => {
    const value = await readValue(schema, input);
    if ("refusal" in value) throw new ToolFailure(`The arguments are not valid: ${value.refusal}.`);
    const result = await execute?.(value.value as Input, context);
    if (result === undefined) throw new TypeError("The tool returned nothing.");
    return result;
  };
  const made = {
    ...tool,
    inputSchema: readJsonSchema(schema, tool.name),
    ...(execute === undefined ? {} : { execute: read }),
  };
  return made as unknown as Tool;
}
