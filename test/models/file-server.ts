// An HTTP server on loopback that hands out one content and misbehaves as told: cuts off, stalls, changes, redirects.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Behaviour =
  | "serve"
  /** Says the whole length, gives half of what is asked for, and closes the connection. */
  | "cut"
  /** Gives half of what is asked for and then nothing more, the connection left open. */
  | "stall"
  /** Never answers. */
  | "silent"
  | "not-found"
  | "no-ranges"
  /** As a proxy that answers anything with a page of its own. */
  | "other-page";

export interface FileServer {
  readonly url: string;
  /** Requests as they came: method, path, and the range asked for. */
  readonly requests: { readonly method: string; readonly path: string; readonly range?: string }[];
  /** What the next requests meet, one each; then `serve`. */
  readonly next: Behaviour[];
  content: Buffer;
  etag: string;
  close(): Promise<void>;
}

export async function startFileServer(content: Buffer): Promise<FileServer> {
  const server = createServer((request, response) => answer(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const state: FileServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    next: [],
    content,
    etag: '"first"',
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return state;
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function answer(state: FileServer, request: IncomingMessage, response: ServerResponse): void {
  const { range } = request.headers;
  const path = request.url ?? "";
  state.requests.push({ method: request.method ?? "", path, ...(range === undefined ? {} : { range }) });
  if (request.method === "HEAD") {
    stateFile(state, path, response);
    return;
  }
  const behaviour = state.next.shift() ?? "serve";
  switch (behaviour) {
    case "silent":
      return;
    case "not-found":
      response.writeHead(404).end();
      return;
    case "other-page":
      response.writeHead(200, { "content-length": "26" }).end("<html>please log in</html>");
      return;
    default:
      serve(state, behaviour, request, response);
  }
}

/** The hub's answer to HEAD: a redirect that states size, hash and commit. */
function stateFile(state: FileServer, path: string, response: ServerResponse): void {
  response
    .writeHead(302, {
      location: `${state.url}/store${path}`,
      "x-linked-size": String(state.content.length),
      "x-linked-etag": `"${sha256(state.content)}"`,
      "x-repo-commit": "0123456789abcdef0123456789abcdef01234567",
    })
    .end();
}

function serve(
  state: FileServer,
  behaviour: "serve" | "cut" | "stall" | "no-ranges",
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { content, etag } = state;
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
  const unchanged = (request.headers["if-range"] ?? etag) === etag;
  const start = asked !== null && unchanged && behaviour !== "no-ranges" ? Number(asked[1]) : 0;
  if (start >= content.length) {
    response.writeHead(416, { "content-range": `bytes */${content.length}` }).end();
    return;
  }
  const rest = content.subarray(start);
  const length = { "content-length": String(rest.length), etag };
  if (start === 0) response.writeHead(200, length);
  else {
    response.writeHead(206, {
      ...length,
      "content-range": `bytes ${start}-${content.length - 1}/${content.length}`,
    });
  }
  if (behaviour === "serve" || behaviour === "no-ranges") {
    response.end(rest);
    return;
  }
  response.write(rest.subarray(0, Math.floor(rest.length / 2)), () => {
    if (behaviour === "cut") setTimeout(() => response.destroy(), 50);
  });
}
