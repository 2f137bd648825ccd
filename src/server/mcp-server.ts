// Tools as an MCP server over stdio, in either era of the protocol; the only file that knows the server package.
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ToolService } from "../agent/index.ts";
import { isJsonObject } from "../vocabulary/index.ts";

export interface McpServerOptions {
  readonly tools: ToolService;
  readonly name: string;
  readonly version: string;
  /** What a client's model is told of the tools as a whole. */
  readonly instructions: string;
  /** Told what goes wrong beside the calls. */
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** Serves until the client closes its end, or the signal says so. */
export async function serveMcp(options: McpServerOptions): Promise<void> {
  const { signal, onError } = options;
  await new Promise<void>((resolve, reject) => {
    const handle = serveStdio(() => createServer(options), { onerror: onError });
    const close = () => {
      handle.close().then(resolve, reject);
    };
    process.stdin.once("end", close);
    process.stdin.once("close", close);
    signal.addEventListener("abort", close, { once: true });
    if (signal.aborted) close();
  });
}

/** The server itself, without a connection. */
export function createServer({ tools, name, version, instructions }: McpServerOptions): Server {
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler("tools/list", () => ({
    tools: tools.list().map(({ name, description, inputSchema, permissions = [] }) => ({
      name,
      description,
      // The protocol wants an object; a schema that allows anything says so.
      inputSchema: { ...(isJsonObject(inputSchema) ? inputSchema : {}), type: "object" as const },
      annotations: { readOnlyHint: permissions.every((permission) => permission === "read") },
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: input = {}, _meta: meta } = params;
    const token = meta?.progressToken;
    let progress = 0;
    const { outcome, content } = await tools.call({
      name,
      input: isJsonObject(input) ? input : {},
      signal: mcpReq.signal,
      onProgress: (message) => {
        if (token === undefined) return;
        progress += 1;
        const params = { progressToken: token, progress, message };
        // A client that has gone has no use for it.
        mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
      },
    });
    return { content: [{ type: "text", text: content }], isError: outcome !== "completed" };
  });
  return server;
}
