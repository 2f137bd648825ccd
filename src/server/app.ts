// The server as a fetch handler, for sockets and for other people's apps: which path is which API, and who may ask.
// The only file that knows Hono.
import { Hono } from "hono";
import { CallwrightError } from "../vocabulary/index.ts";
import { anthropicMessages } from "../wire/anthropic-messages/messages-api.ts";
import { ollamaChat, ollamaGenerate } from "../wire/ollama/ollama-api.ts";
import { openAiChat } from "../wire/openai-chat/chat-api.ts";
import { openAiCompletions } from "../wire/openai-completions/completions-api.ts";
import { openAiResponses } from "../wire/openai-responses/responses-api.ts";
import type { WireApi } from "../wire/wire-api.ts";
import { faultOf, statusOf, type WireFault } from "../wire/wire-fault.ts";
import { type AnswerContext, answerRequest, describeError } from "./answer-request.ts";
import { guardRequest, originHeaders } from "./guard-request.ts";
import { createMetrics } from "./metrics.ts";
import { createModelPool } from "./model-pool.ts";
import { createModelRoutes } from "./model-routes.ts";
import { createServedModels } from "./served-models.ts";
import { ServerError } from "./server-error.ts";
import { defaultServerLimits, type ModelSource, type ServerOptions } from "./server-options.ts";

export interface ServerApp {
  /** Answers a request; never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Loads the default model now, which the first request would do otherwise. Throws what opening it throws. */
  load(): Promise<void>;
  /** Aborts what is under way, whose streams end in an error, and frees every model. */
  close(): Promise<void>;
}

/** The endpoints that decode. */
const endpoints: Readonly<Record<string, WireApi>> = {
  "/v1/chat/completions": openAiChat,
  "/v1/completions": openAiCompletions,
  "/v1/responses": openAiResponses,
  "/v1/messages": anthropicMessages,
  "/api/chat": ollamaChat,
  "/api/generate": ollamaGenerate,
};

/** A server without a socket. Nothing is loaded before the first request that needs it. */
export function createApp(options: ServerOptions): ServerApp {
  const { keepAliveMilliseconds = 10_000, onBadTool = "refuse", log = () => {} } = options;
  const limits = { ...defaultServerLimits, ...options.limits };
  const metrics = createMetrics();
  const closing = new AbortController();
  const pool = createModelPool({ limits, metrics, log, idleMilliseconds: options.idleMilliseconds });
  const given = options.models;
  const source: ModelSource = "list" in given ? given : { list: async () => given };
  const models = createServedModels(source, pool, options);
  const context: AnswerContext = {
    models,
    limits,
    onBadTool,
    keepAliveMilliseconds,
    metrics,
    log,
    closing: closing.signal,
  };

  const routes = createModelRoutes(context, pool);
  const app = new Hono();
  app.get("/health", () => health());
  app.get("/metrics", () => text(metrics.print(), "text/plain; version=0.0.4; charset=utf-8"));
  // What Ollama's clients ask for to see whether it runs.
  app.get("/", () => text("Callwright is running", "text/plain; charset=utf-8"));
  app.get("/v1/models", (c) => routes.list(c.req.raw));
  app.get("/v1/models/:id{.+}", (c) => routes.one(c.req.raw, c.req.param("id")));
  app.post("/v1/messages/count_tokens", (c) => routes.countTokens(c.req.raw));
  app.get("/api/tags", () => routes.tags());
  app.get("/api/ps", () => routes.running());
  app.post("/api/show", (c) => routes.show(c.req.raw));
  app.get("/api/version", () => routes.version());
  for (const [path, api] of Object.entries(endpoints)) {
    app.post(path, (c) => answerRequest(c.req.raw, api, context));
  }
  const known = new Set(app.routes.map(({ path }) => path));
  app.notFound((c) => {
    const kind = known.has(c.req.path) ? "method" : "not-found";
    const message =
      kind === "method" ? `${c.req.path} is not asked by ${c.req.method}.` : "There is no such path here.";
    throw new ServerError({ kind, message });
  });
  app.onError((error) => {
    throw error;
  });

  function health(): Response {
    const loading = pool.loaded().some(({ state }) => state === "loading");
    const status = loading ? "loading model" : "ok";
    const fault = source.fault;
    const body = { status, models: pool.loaded().map(({ id, state }) => ({ id, state })) };
    return Response.json(fault === undefined ? body : { ...body, fault }, { status: loading ? 503 : 200 });
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const api = apiOf(pathname);
    try {
      if (closing.signal.aborted) throw new CallwrightError("aborted", "The server is closing.");
      guardRequest(request, options, pathname === "/health" || request.method === "OPTIONS");
      if (request.method === "OPTIONS") return new Response(null, { status: 204 });
      return await app.fetch(request);
    } catch (error) {
      const fault = error instanceof ServerError ? error.fault : faultOf(error);
      if (fault.kind === "internal") log(`a request failed: ${describeError(error)}`);
      return faultResponse(fault, api);
    }
  }

  return {
    fetch: async (request) => {
      const response = await answer(request);
      for (const [name, value] of Object.entries(originHeaders(request, options)))
        response.headers.set(name, value);
      const { pathname } = new URL(request.url);
      const path = known.has(pathname) ? pathname : "other";
      metrics.add("callwright_requests_total", { path, status: String(response.status) });
      return response;
    },
    load: async () => {
      const { lease } = await models.lease(undefined, closing.signal);
      lease.release();
    },
    close: async () => {
      closing.abort(new CallwrightError("aborted", "The server is closing."));
      await pool.close();
    },
  };
}

/** The API in whose shape a path's errors are. */
function apiOf(pathname: string): WireApi {
  const endpoint = endpoints[pathname];
  if (endpoint !== undefined) return endpoint;
  if (pathname.startsWith("/v1/messages")) return anthropicMessages;
  return pathname.startsWith("/api/") ? ollamaChat : openAiChat;
}

function faultResponse(fault: WireFault, api: WireApi): Response {
  const headers: Record<string, string> =
    fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
  return Response.json(api.writeError(fault), {
    status: api.statuses?.[fault.kind] ?? statusOf(fault),
    headers,
  });
}

function text(body: string, contentType: string): Response {
  return new Response(body, { headers: { "content-type": contentType } });
}
