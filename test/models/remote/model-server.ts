// An HTTP server on loopback that answers as one of the engines does, by a script, and misbehaves as told.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { defaultServerLimits, type ServerAddress } from "../../../src/models/remote/server-address.ts";
import { isJsonObject, type JsonObject } from "../../../src/vocabulary/index.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: JsonObject;
}

/** What a request meets. */
export type Answer =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Record<string, string> }
  /** Server-sent events, or JSON lines; then the end, a cut connection, or silence. */
  | { readonly events: readonly unknown[]; readonly lines?: boolean; readonly after?: "cut" | "stall" }
  | { readonly text: string; readonly type?: string }
  | "close"
  | "silent";

export interface ModelServer {
  /** Up to and including `/v1`. */
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Connections that were closed before their answer was whole. */
  readonly dropped: { count: number };
  close(): Promise<void>;
}

/** Routes that `answer` gives nothing for are 404. */
export async function startModelServer(
  answer: (request: SeenRequest) => Answer | undefined,
  port = 0,
): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const dropped = { count: 0 };
  const server = createServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableFinished) dropped.count += 1;
    });
    const seen = await readRequest(request);
    requests.push(seen);
    await send(response, answer(seen));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    dropped,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function addressOf(
  server: Pick<ModelServer, "url">,
  more: Partial<ServerAddress> = {},
): ServerAddress {
  return { url: server.url, headers: {}, limits: defaultServerLimits, ...more };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const body: unknown = text === "" ? {} : JSON.parse(text);
  const { method = "", url = "", headers } = request;
  return { method, path: url, headers, body: isJsonObject(body) ? body : {} };
}

async function send(response: ServerResponse, answer: Answer | undefined): Promise<void> {
  if (answer === "silent") return;
  if (answer === "close") {
    response.destroy();
    return;
  }
  if (answer === undefined) {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"no route"}}');
    return;
  }
  if ("json" in answer) {
    const headers = { "content-type": "application/json", ...answer.headers };
    response.writeHead(answer.status ?? 200, headers).end(JSON.stringify(answer.json));
    return;
  }
  if ("text" in answer) {
    response.writeHead(200, { "content-type": answer.type ?? "text/html" }).end(answer.text);
    return;
  }
  const { events, lines = false, after } = answer;
  response.writeHead(200, { "content-type": lines ? "application/x-ndjson" : "text/event-stream" });
  for (const event of events) {
    if (response.destroyed) return;
    response.write(lines ? `${JSON.stringify(event)}\n` : `data: ${JSON.stringify(event)}\n\n`);
    await wait(1);
  }
  if (after === "stall") return;
  if (after === "cut") response.destroy();
  else response.end(lines ? "" : "data: [DONE]\n\n");
}

/** Pieces of a text as llama-server streams them, with the end. */
export function llamaEvents(pieces: readonly string[], end = "eos"): readonly JsonObject[] {
  return [
    {
      content: "",
      tokens: [],
      stop: false,
      prompt_progress: { total: 40, cache: 10, processed: 40, time_ms: 7 },
    },
    ...pieces.map((content, at) => ({ content, tokens: [at + 1], stop: false })),
    {
      content: "",
      stop: true,
      stop_type: end,
      timings: { cache_n: 10, prompt_n: 30, prompt_ms: 7, predicted_n: pieces.length },
    },
  ];
}

/** The same as OpenAI's completions. */
export function completionEvents(pieces: readonly string[], end = "stop"): readonly JsonObject[] {
  const usage = {
    prompt_tokens: 40,
    completion_tokens: pieces.length,
    prompt_tokens_details: { cached_tokens: 8 },
  };
  return [
    ...pieces.map((text) => ({ choices: [{ index: 0, text, finish_reason: null }], usage })),
    { choices: [{ index: 0, text: "", finish_reason: end }], usage },
  ];
}

/** Deltas of OpenAI's chat completions, with the end and the usage. */
export function chatEvents(deltas: readonly JsonObject[], end: string): readonly JsonObject[] {
  return [
    { choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] },
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: end }] },
    {
      choices: [],
      usage: { prompt_tokens: 50, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 20 } },
    },
  ];
}
