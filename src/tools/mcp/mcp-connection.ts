// A connection to one MCP server over stdio or HTTP, in either era of the protocol; the only file that knows the client
// package. A server that hangs, floods or dies costs the request at hand, and is started anew for the next.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ToolFailure } from "../tool.ts";

/** How a server is reached: a program that speaks over its streams, or an address. */
export interface McpServer {
  readonly name: string;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables of the program besides the few that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `auto` also tries the protocol of 2026; it stalls on servers that keep silent. Default: `legacy`. */
  readonly protocol?: "legacy" | "auto";
  /** Milliseconds one call may take without progress. Default: 60,000. */
  readonly milliseconds?: number;
}

export interface McpToolEntry {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

export type McpContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "blob"; readonly name: string; readonly mediaType: string; readonly data: string };

export interface McpResult {
  readonly content: readonly McpContent[];
  readonly structured?: unknown;
  readonly isError: boolean;
}

export interface McpCallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

export interface McpConnection {
  readonly server: McpServer;
  /** The tools as last told by the server. */
  readonly tools: readonly McpToolEntry[];
  readonly hasResources: boolean;
  /** Why it cannot be used now. */
  readonly problem: string | undefined;
  callTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: McpCallOptions,
  ): Promise<McpResult>;
  listResources(options: McpCallOptions): Promise<readonly { readonly uri: string; readonly name: string }[]>;
  readResource(uri: string, options: McpCallOptions): Promise<McpResult>;
  listPrompts(
    options: McpCallOptions,
  ): Promise<readonly { readonly name: string; readonly description: string }[]>;
  getPrompt(name: string, input: Readonly<Record<string, string>>, options: McpCallOptions): Promise<string>;
  close(): Promise<void>;
}

const connectMilliseconds = 20_000;
const defaultMilliseconds = 60_000;
/** However often it says that it goes on. */
const longestCall = 30 * 60_000;
/** Tools of one server that are looked at: more would drown any model. */
const mostTools = 200;
const largestMessage = 32 * 1024 * 1024;
/** Of a flood of progress only so much is passed on. */
const mostProgress = 100;

/** Connects. A server that cannot be reached gives a connection with a `problem`, which the next call tries to mend. */
export async function connectMcp(server: McpServer, onChange: () => void = () => {}): Promise<McpConnection> {
  let client: Client | undefined;
  let tools: readonly McpToolEntry[] = [];
  let problem: string | undefined;
  let isClosed = false;
  const update = (listed: readonly McpToolEntry[]) => {
    tools = listed.slice(0, mostTools);
    problem =
      listed.length > mostTools ? `only ${mostTools} of its ${listed.length} tools are used` : undefined;
    onChange();
  };
  const connect = async (): Promise<Client> => {
    const options: ClientOptions = {
      capabilities: {},
      versionNegotiation: { mode: server.protocol ?? "legacy" },
      listChanged: {
        tools: {
          onChanged: (error, listed) => {
            if (error) problem = `its list of tools cannot be read: ${error.message}`;
            else update((listed ?? []).map(entryOf));
          },
        },
      },
    };
    const made = new Client({ name: "callwright", version: "0.1.0" }, options);
    made.onclose = () => {
      if (client !== made) return;
      client = undefined;
      problem = "it is not running";
    };
    // What a server says beside the protocol is not an error of the request at hand.
    made.onerror = () => {};
    try {
      await made.connect(transportOf(server), { timeout: connectMilliseconds });
      const { tools: listed } = await made.listTools(undefined, { timeout: connectMilliseconds });
      client = made;
      update(listed.map(entryOf));
      return made;
    } catch (cause) {
      problem = `it cannot be reached: ${messageOf(cause)}`;
      // What is told is why it cannot be used; that it cannot be closed either adds nothing.
      await made.close().catch(() => undefined);
      throw new ToolFailure(`The MCP server "${server.name}" cannot be used: ${problem}.`, { cause });
    }
  };
  const request = async <Result>(
    { signal, onProgress }: McpCallOptions,
    send: (client: Client, options: SendOptions) => Promise<Result>,
  ): Promise<Result> => {
    if (isClosed) throw new ToolFailure(`The connection to the MCP server "${server.name}" is closed.`);
    let passed = 0;
    const options: SendOptions = {
      signal,
      timeout: server.milliseconds ?? defaultMilliseconds,
      resetTimeoutOnProgress: true,
      maxTotalTimeout: longestCall,
      onprogress: ({ progress, total, message }) => {
        passed += 1;
        if (passed > mostProgress) return;
        onProgress?.(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`));
      },
    };
    try {
      return await send(client ?? (await connect()), options);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof ToolFailure) throw cause;
      throw new ToolFailure(`The MCP server "${server.name}" failed: ${messageOf(cause)}.`, { cause });
    }
  };
  await connect().catch((error: unknown) => {
    if (!(error instanceof ToolFailure)) throw error;
  });
  return {
    server,
    get tools() {
      return tools;
    },
    get hasResources() {
      return client?.getServerCapabilities()?.resources !== undefined;
    },
    get problem() {
      return problem;
    },
    callTool: (name, input, options) =>
      request(options, async (connected, more) => {
        const result = await connected.callTool({ name, arguments: { ...input } }, more);
        return {
          content: result.content.map((part) => contentOf(part)),
          ...(result.structuredContent === undefined ? {} : { structured: result.structuredContent }),
          isError: result.isError === true,
        };
      }),
    listResources: (options) =>
      request(options, async (connected, more) => {
        const { resources } = await connected.listResources(undefined, more);
        return resources.map(({ uri, name }) => ({ uri, name }));
      }),
    readResource: (uri, options) =>
      request(options, async (connected, more) => {
        const { contents } = await connected.readResource({ uri }, more);
        return {
          content: contents.map((resource) => contentOf({ type: "resource", resource })),
          isError: false,
        };
      }),
    listPrompts: (options) =>
      request(options, async (connected, more) => {
        const { prompts } = await connected.listPrompts(undefined, more);
        return prompts.map(({ name, description = "" }) => ({ name, description }));
      }),
    getPrompt: (name, input, options) =>
      request(options, async (connected, more) => {
        const { messages } = await connected.getPrompt({ name, arguments: { ...input } }, more);
        return messages
          .map(({ content }) => contentOf(content))
          .map((part) => (part.type === "text" ? part.text : `[${part.name}]`))
          .join("\n\n");
      }),
    close: async () => {
      isClosed = true;
      await client?.close();
    },
  };
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly resetTimeoutOnProgress: boolean;
  readonly maxTotalTimeout: number;
  readonly onprogress: (progress: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => void;
}

function transportOf(server: McpServer) {
  const { command, args = [], env, folder, url, headers } = server;
  if (url !== undefined) {
    return new StreamableHTTPClientTransport(
      new URL(url),
      headers === undefined ? {} : { requestInit: { headers: { ...headers } } },
    );
  }
  if (command === undefined)
    throw new ToolFailure(`The MCP server "${server.name}" has neither a command nor a url.`);
  return new StdioClientTransport({
    command,
    args: [...args],
    // Its own words would spoil the terminal.
    stderr: "ignore",
    maxBufferSize: largestMessage,
    ...(env === undefined ? {} : { env: { ...env } }),
    ...(folder === undefined ? {} : { cwd: folder }),
  });
}

function entryOf(tool: McpToolEntry): McpToolEntry {
  const { name, description, inputSchema, outputSchema } = tool;
  return {
    name,
    inputSchema,
    ...(description === undefined ? {} : { description }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

/** A part of a result, of which servers may send kinds that are not known here. */
function contentOf(part: { readonly type: string; readonly [key: string]: unknown }): McpContent {
  switch (part.type) {
    case "text":
      return { type: "text", text: String(part.text) };
    case "image":
    case "audio":
      return { type: "blob", name: part.type, mediaType: String(part.mimeType), data: String(part.data) };
    case "resource_link":
      return { type: "text", text: `[resource ${String(part.uri)}: ${String(part.name)}]` };
    case "resource":
      return resourceOf(part.resource);
    default:
      return { type: "text", text: `[a part of the unknown kind "${part.type}"]` };
  }
}

function resourceOf(resource: unknown): McpContent {
  if (typeof resource !== "object" || resource === null) return { type: "text", text: "[an empty resource]" };
  const { uri, mimeType, text, blob } = resource as Readonly<Record<string, unknown>>;
  if (typeof text === "string") return { type: "text", text };
  const mediaType = typeof mimeType === "string" ? mimeType : "application/octet-stream";
  return { type: "blob", name: String(uri), mediaType, data: String(blob ?? "") };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
