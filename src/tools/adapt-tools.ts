// Tools in the shapes that others use, from ours and to ours. Ours stays the source of truth; nothing is guessed.
import { isJsonObject, type JsonObject, type JsonSchema } from "../vocabulary/index.ts";
import { readJsonSchema, type StandardSchema } from "./read-schema.ts";
import { defineTool, type Tool } from "./tool.ts";

type Described = Pick<Tool, "name" | "description" | "inputSchema">;

export interface OpenAiTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
}

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** As OpenAI's chat completions list it. */
export function toOpenAiTool({ name, description, inputSchema }: Described): OpenAiTool {
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

/** As an MCP server lists it. */
export function toMcpTool(tool: Described & Pick<Tool, "outputSchema">): McpTool {
  const { name, description, inputSchema, outputSchema } = tool;
  return { name, description, inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) };
}

/** An entry of the AI SDK's `tools`; `run` executes a call, permissions and all. */
export function toAiSdkTool(
  { description, inputSchema }: Described,
  options: {
    readonly jsonSchema: (schema: JsonSchema) => unknown;
    readonly run: (input: JsonObject) => Promise<string>;
  },
) {
  return { description, inputSchema: options.jsonSchema(inputSchema), execute: options.run };
}

/** A tool from OpenAI's shape; `execute` runs it and gives its text. */
export function fromOpenAiTool(tool: OpenAiTool, execute: (input: JsonObject) => Promise<string>): Tool {
  const { name, description, parameters } = tool.function;
  return defineTool({
    name,
    description,
    inputSchema: parameters,
    execute: async (input) => ({ text: await execute(input) }),
  });
}

/** What a tool of the AI SDK has of what is used here. */
export interface AiSdkTool {
  readonly description?: string;
  /** A Standard JSON Schema object, or what the SDK's `jsonSchema()` gives. */
  readonly inputSchema: StandardSchema | { readonly jsonSchema: unknown };
  readonly execute?: (
    input: never,
    options: {
      readonly toolCallId: string;
      readonly abortSignal: AbortSignal;
      readonly messages: readonly never[];
    },
  ) => unknown;
}

/** A tool from the AI SDK's shape, under its key there. What it gives is the result's data. */
export function fromAiSdkTool(name: string, tool: AiSdkTool): Tool {
  const { inputSchema, description = "", execute } = tool;
  const schema =
    "jsonSchema" in inputSchema ? readGiven(inputSchema.jsonSchema) : readJsonSchema(inputSchema, name);
  return defineTool({
    name,
    description,
    inputSchema: schema,
    ...(execute === undefined
      ? {}
      : {
          execute: async (input: JsonObject, { callId, signal }) => {
            const output = await execute(input as never, {
              toolCallId: callId,
              abortSignal: signal,
              messages: [],
            });
            return { text: typeof output === "string" ? output : JSON.stringify(output ?? null) };
          },
        }),
  });
}

function readGiven(schema: unknown): JsonSchema {
  return typeof schema === "boolean" || isJsonObject(schema) ? schema : { type: "object" };
}
