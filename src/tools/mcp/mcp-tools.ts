// The tools of MCP servers as tools like any other: names of their own, arguments and results checked by schema, the gate
// asked before each call. Knows nothing of the protocol.
import { findNonJson, isJsonObject, type JsonValue } from "../../vocabulary/index.ts";
import { type Attachment, defineTool, type Tool, ToolFailure, type ToolResult } from "../tool.ts";
import type { McpConnection, McpResult, McpToolEntry } from "./mcp-connection.ts";

const longestName = 64;

/** The tools as the server has them now. Every name begins with the server's, so that none passes for a built-in. */
export function mcpTools(connection: McpConnection): readonly Tool[] {
  const tools = connection.tools.map((entry) => serverTool(connection, entry));
  return connection.hasResources ? [...tools, ...resourceTools(connection)] : tools;
}

/** `files_read` for the tool `read` of the server `files`; other characters than letters, digits, `_` and `-` become `_`. */
export function mcpToolName(server: string, tool: string): string {
  return `${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, longestName);
}

function serverTool(connection: McpConnection, entry: McpToolEntry): Tool {
  const { server } = connection;
  const { outputSchema, description = "" } = entry;
  return defineTool({
    name: mcpToolName(server.name, entry.name),
    description,
    inputSchema: isJsonObject(entry.inputSchema) ? entry.inputSchema : { type: "object" },
    ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
    permissions: ["mcp"],
    // What a server says of its tools is no promise: nothing runs beside them.
    concurrency: { resource: () => `mcp ${server.name}` },
    milliseconds: () => 30 * 60_000,
    execute: async (input, context) => {
      await context.ask({
        permission: "mcp",
        patterns: [`${server.name}/${entry.name}`],
        metadata: { input },
      });
      // The server may have left it out since it was offered.
      if (!connection.tools.some(({ name }) => name === entry.name)) {
        throw new ToolFailure(`The MCP server "${server.name}" has no tool "${entry.name}" any more.`);
      }
      const result = await connection.callTool(entry.name, input, {
        signal: context.signal,
        onProgress: context.progress,
      });
      return readResult(result);
    },
  });
}

function resourceTools(connection: McpConnection): readonly Tool[] {
  const { server } = connection;
  const ask = { permission: "mcp", patterns: [`${server.name}/resources`] };
  return [
    defineTool({
      name: mcpToolName(server.name, "list_resources"),
      description: `List the resources of ${server.name}.`,
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      permissions: ["mcp"],
      concurrency: "parallel",
      execute: async (_, context) => {
        await context.ask(ask);
        const resources = await connection.listResources({ signal: context.signal });
        if (resources.length === 0) return { text: "There are no resources." };
        return { text: resources.map(({ uri, name }) => `${uri}: ${name}`).join("\n") };
      },
    }),
    defineTool<{ readonly uri: string }>({
      name: mcpToolName(server.name, "read_resource"),
      description: `Read a resource of ${server.name} by its URI.`,
      inputSchema: {
        type: "object",
        properties: { uri: { type: "string", minLength: 1 } },
        required: ["uri"],
        additionalProperties: false,
      },
      permissions: ["mcp"],
      concurrency: "parallel",
      execute: async ({ uri }, context) => {
        await context.ask(ask);
        return readResult(await connection.readResource(uri, { signal: context.signal }));
      },
    }),
  ];
}

function readResult(result: McpResult): ToolResult {
  const texts = result.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const attachments: readonly Attachment[] = result.content.flatMap((part) =>
    part.type === "blob"
      ? [{ name: part.name, mediaType: part.mediaType, data: Buffer.from(part.data, "base64") }]
      : [],
  );
  const text = texts.join("\n");
  if (result.isError) throw new ToolFailure(text === "" ? "The tool failed and did not say why." : text);
  const { structured } = result;
  return {
    text: text === "" && attachments.length === 0 && structured === undefined ? "Done; no result." : text,
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(isJson(structured) ? { output: structured } : {}),
  };
}

function isJson(value: unknown): value is JsonValue {
  return value !== undefined && findNonJson(value) === undefined;
}
