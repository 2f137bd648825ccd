// Opens an MCP server as a source of tools. The client package is loaded only here, when there is a server.
import type { Tool } from "../tool.ts";
import type { McpServer } from "./mcp-connection.ts";

export interface OpenMcpServer {
  readonly name: string;
  /** The tools as the server has them now; to be asked before each turn, since servers change them. */
  tools(): readonly Tool[];
  /** Why it cannot be used now; the next call tries to mend it. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/** Connects to a server. One that cannot be reached has no tools, and says why. */
export async function openMcpServer(server: McpServer): Promise<OpenMcpServer> {
  const { connectMcp } = await import("./mcp-connection.ts");
  const { mcpTools } = await import("./mcp-tools.ts");
  const connection = await connectMcp(server);
  return {
    name: server.name,
    tools: () => mcpTools(connection),
    problem: () => connection.problem,
    close: () => connection.close(),
  };
}
