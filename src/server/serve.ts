// The server on a socket: bound to the loopback unless told otherwise, and then only with a key.
// The only file that knows Hono's server for Node.
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { CallwrightError, systemErrorCode } from "../vocabulary/index.ts";
import { createApp, type ServerApp } from "./app.ts";
import { defaultServerLimits, type ServerOptions } from "./server-options.ts";

export interface ServeOptions extends ServerOptions {
  /** Default: 127.0.0.1. Any address that is no loopback needs a key. */
  readonly host?: string;
  /** Default: 8787; 0 for any that is free. */
  readonly port?: number;
}

export interface RunningServer {
  readonly app: ServerApp;
  readonly url: string;
  readonly port: number;
  /** Ends what is under way, frees the models and the port. */
  close(): Promise<void>;
}

/** How long connections have to take their last bytes. */
const graceMilliseconds = 500;

export const defaultServeAddress = { host: "127.0.0.1", port: 8787 } as const;

/** Throws `CallwrightError` `request-invalid` for an address without a key, or one that cannot be had. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host, port } = { ...defaultServeAddress, ...options };
  const isLocal = isLoopback(host);
  if (!isLocal && (options.apiKey ?? "") === "") {
    throw new CallwrightError(
      "request-invalid",
      `Whoever reaches ${host} could use the model: give a key (--api-key, or CALLWRIGHT_API_KEY), or serve on 127.0.0.1.`,
    );
  }
  const limits = { ...defaultServerLimits, ...options.limits };
  // Behind another address names are many, and a page that was led here has no key.
  const hosts = options.hosts ?? (isLocal ? [] : "any");
  const app = createApp({ ...options, hosts });
  const server = createAdaptorServer({
    fetch: (request) => app.fetch(request),
    // Bodies are bounded in time by the app, where a late one gets an answer.
    serverOptions: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.bodyMilliseconds,
      requestTimeout: limits.bodyMilliseconds * 2,
    },
  }) as Server;
  await listen(server, host, port);
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    app,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await app.close();
      server.closeIdleConnections();
      // Who keeps a connection open has had its answer.
      const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      await closed;
      clearTimeout(timer);
    },
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const reason = systemErrorCode(error) ?? String(error);
      reject(
        new CallwrightError(
          "request-invalid",
          `Cannot serve on ${host}:${port} (${reason}); take another --port.`,
          {
            cause: error,
          },
        ),
      );
    });
    server.listen(port, host, () => resolve());
  });
}
