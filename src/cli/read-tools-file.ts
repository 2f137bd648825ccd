// Reads the tools of a file in whichever shape they come, and says which shape that was.
// Only finds names, descriptions and schemas; whether a schema is any good is judged where it is compiled.
import { CallwrightError, isJsonObject, type JsonObject, type ToolDescription } from "../vocabulary/index.ts";
import { readJsonFile } from "./read-json.ts";

export interface ToolsFile {
  readonly tools: readonly ToolDescription[];
  /** One line for a person: how many, which, in which shape. */
  readonly summary: string;
}

type Shape = "OpenAI" | "Anthropic" | "MCP";

/** Throws `CallwrightError`: `file-unreadable`, or `tool-invalid` with a pointer. */
export async function readToolsFile(path: string): Promise<ToolsFile> {
  const listed = findList(await readJsonFile(path), path);
  const read = listed.tools.map((tool, at) => readTool(tool, `${listed.pointer}/${at}`));
  const shapes = [...new Set(read.map((found) => found.shape))].join(" and ");
  const names = read.map((found) => found.tool.name).join(", ");
  const count = read.length === 1 ? "1 tool" : `${read.length} tools`;
  return { tools: read.map((found) => found.tool), summary: `${count} read (${shapes} shape): ${names}` };
}

/** A bare list, one tool, a request with `tools`, or an MCP answer. */
function findList(value: unknown, path: string): { tools: readonly unknown[]; pointer: string } {
  const found = findTools(value);
  if (found !== undefined && found.tools.length > 0) return found;
  throw new CallwrightError("tool-invalid", `"${path}" holds no tools: write a JSON list of them.`);
}

function findTools(value: unknown): { tools: readonly unknown[]; pointer: string } | undefined {
  if (Array.isArray(value)) return { tools: value, pointer: "" };
  if (!isJsonObject(value)) return undefined;
  const { tools, result } = value;
  if (Array.isArray(tools)) return { tools, pointer: "/tools" };
  if (isJsonObject(result) && Array.isArray(result.tools)) {
    return { tools: result.tools, pointer: "/result/tools" };
  }
  return "name" in value || "function" in value ? { tools: [value], pointer: "" } : undefined;
}

function readTool(value: unknown, pointer: string): { tool: ToolDescription; shape: Shape } {
  if (!isJsonObject(value)) throw notATool(pointer, "it is no object");
  const inner = isJsonObject(value.function) ? value.function : value;
  const place = inner === value ? pointer : `${pointer}/function`;
  if (typeof inner.name !== "string" || inner.name === "") throw notATool(place, '"name" is missing');
  const found = findSchema(inner);
  const { description } = inner;
  return {
    tool: {
      name: inner.name,
      description: typeof description === "string" ? description : "",
      inputSchema: readSchema(found.schema, `${place}/${found.key}`),
    },
    shape: found.shape,
  };
}

function findSchema(tool: JsonObject): { schema: unknown; key: string; shape: Shape } {
  if ("inputSchema" in tool) return { schema: tool.inputSchema, key: "inputSchema", shape: "MCP" };
  if ("input_schema" in tool) return { schema: tool.input_schema, key: "input_schema", shape: "Anthropic" };
  return { schema: tool.parameters, key: "parameters", shape: "OpenAI" };
}

/** A tool without a schema takes no arguments. */
function readSchema(schema: unknown, pointer: string): ToolDescription["inputSchema"] {
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  if (typeof schema === "boolean" || isJsonObject(schema)) return schema;
  throw new CallwrightError("tool-invalid", "A tool's schema must be an object.", { pointer });
}

function notATool(pointer: string, reason: string): CallwrightError {
  return new CallwrightError(
    "tool-invalid",
    `What stands here is no tool: ${reason}. A tool has "name", "description" and "parameters" (or "inputSchema").`,
    { pointer },
  );
}
