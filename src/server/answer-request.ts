// One request from its body to its response: read, checked, given a model, decoded, and written as a reply or a stream, both from
// the same events. Headers are sent once the prompt is known to fit, so that what cannot be answered is an error and no stream.
import { randomInt, randomUUID } from "node:crypto";
import { CallwrightError, type TurnEvent } from "../vocabulary/index.ts";
import { createReplyCollector, replyEvents } from "../wire/collect-reply.ts";
import type { ReplyIdentity, WireApi, WireReplyOptions, WireRequest } from "../wire/wire-api.ts";
import { faultOf } from "../wire/wire-fault.ts";
import { checkSize } from "./check-size.ts";
import type { Metrics } from "./metrics.ts";
import type { Lease } from "./model-pool.ts";
import { readBody } from "./read-body.ts";
import type { ServedModels } from "./served-models.ts";
import { ServerError } from "./server-error.ts";
import type { ServerLimits, ServerOptions } from "./server-options.ts";
import { streamFrames } from "./stream-frames.ts";

export interface AnswerContext {
  readonly models: ServedModels;
  readonly limits: ServerLimits;
  readonly onBadTool: NonNullable<ServerOptions["onBadTool"]>;
  readonly keepAliveMilliseconds: number;
  readonly metrics: Metrics;
  readonly log: (line: string) => void;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
}

interface ChoiceEvent {
  readonly choice: number;
  readonly event: TurnEvent;
}

/** Throws `ServerError` and `CallwrightError` for what cannot be answered. */
export async function answerRequest(raw: Request, api: WireApi, context: AnswerContext): Promise<Response> {
  const arrived = performance.now();
  const { limits, models } = context;
  const request = api.readRequest(await readBody(raw, limits));
  checkSize(request.turn, limits);
  const gone = new AbortController();
  const left = AbortSignal.any([raw.signal, gone.signal, context.closing]);
  const asking = performance.now();
  const { lease, notices } = await models.lease(request.model, left);
  const waitMilliseconds = performance.now() - asking;
  const late = AbortSignal.timeout(limits.requestMilliseconds);
  const signal = AbortSignal.any([left, late]);
  const identity = {
    id: randomUUID().replaceAll("-", ""),
    created: Date.now(),
    model: lease.opened.model.id,
  };
  const asked = { ...request, notices: [...request.notices, ...notices], waitMilliseconds };
  const account = createAccount(context, arrived);
  const release = (): void => {
    lease.release(request.keepAlive === undefined ? undefined : request.keepAlive * 1000);
    account.end();
  };
  const options: WireReplyOptions = { request: asked, identity };
  try {
    if (request.loadOnly === true) {
      release();
      return jsonResponse(api.writeReply([], options));
    }
    const events = decodeChoices(lease, asked, { signal, onBadTool: context.onBadTool });
    const first = await events.next();
    account.begin();
    const whole = account.watch(from(first, events));
    const isStopped = () => faultWhenStopped(late, context.closing);
    if (!request.stream) {
      const body = await writeWhole(whole, api, { options, isStopped });
      release();
      return jsonResponse(body);
    }
    const frames = writeFrames(whole, api, { options, isStopped, release, log: context.log });
    const body = streamFrames(frames, {
      keepAlive: api.writeStream(options).keepAlive,
      keepAliveMilliseconds: context.keepAliveMilliseconds,
      signal,
      onCancel: () => {
        context.metrics.add("callwright_dropped_total");
        gone.abort(new CallwrightError("aborted", "The client went away."));
      },
      onEnd: () => {
        void events.return(undefined);
        release();
      },
    });
    return new Response(body, { headers: streamHeaders(api, identity) });
  } catch (error) {
    release();
    throw error;
  }
}

/** The turns of all choices, one after another: the later ones find the prompt evaluated. */
async function* decodeChoices(
  lease: Lease,
  { turn, choices }: WireRequest,
  { signal, onBadTool }: { readonly signal: AbortSignal } & Pick<AnswerContext, "onBadTool">,
): AsyncGenerator<ChoiceEvent> {
  const draws = (turn.sampling?.temperature ?? 0) > 0;
  const seed = turn.seed ?? (draws ? randomInt(2 ** 31) : 0);
  for (let choice = 0; choice < choices; choice++) {
    const events = lease.engine.turn({ onBadTool, ...turn, seed: seed + choice, signal });
    for await (const event of replyEvents(events)) yield { choice, event };
  }
}

async function* from<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

interface Writing {
  readonly options: WireReplyOptions;
  readonly isStopped: () => ServerError;
}

async function writeWhole(events: AsyncIterable<ChoiceEvent>, api: WireApi, { options, isStopped }: Writing) {
  const collectors = Array.from({ length: options.request.choices }, createReplyCollector);
  for await (const { choice, event } of events) {
    if (event.type === "turn-end" && event.finish === "aborted") throw isStopped();
    collectors[choice]?.push(event);
  }
  return api.writeReply(
    collectors.map(({ reply }) => reply),
    options,
  );
}

async function* writeFrames(
  events: AsyncIterable<ChoiceEvent>,
  api: WireApi,
  { options, isStopped, release, log }: Writing & { release: () => void; log: (line: string) => void },
): AsyncGenerator<string> {
  const writer = api.writeStream(options);
  try {
    yield* writer.start();
    for await (const { choice, event } of events) {
      if (event.type === "turn-end" && event.finish === "aborted") throw isStopped();
      const frames = writer.push(event, choice).join("");
      if (frames !== "") yield frames;
    }
    yield writer.end().join("");
  } catch (error) {
    const fault = error instanceof ServerError ? error.fault : faultOf(error);
    if (fault.kind === "internal") log(`a stream broke off: ${describeError(error)}`);
    yield writer.fail(fault).join("");
  } finally {
    release();
  }
}

/** Why a turn was aborted: the time was over, the server closes, or the client went away. */
function faultWhenStopped(late: AbortSignal, closing: AbortSignal): ServerError {
  if (late.aborted) {
    return new ServerError({ kind: "time-limit", message: "The reply took longer than the server allows." });
  }
  const message = closing.aborted ? "The server is closing." : "The client went away.";
  return new ServerError({ kind: "aborted", message });
}

/** Counts what a request took and what came of it. */
function createAccount({ metrics }: AnswerContext, arrived: number) {
  const since = () => (performance.now() - arrived) / 1000;
  let isFirst = true;
  return {
    begin: () => metrics.observe("callwright_wait_seconds", since()),
    end: () => metrics.observe("callwright_request_seconds", since()),
    async *watch(events: AsyncIterable<ChoiceEvent>): AsyncGenerator<ChoiceEvent> {
      for await (const item of events) {
        const { event } = item;
        if (isFirst && (event.type === "text-delta" || event.type === "call-start")) {
          isFirst = false;
          metrics.observe("callwright_first_event_seconds", since());
        }
        if (event.type === "retry") metrics.add("callwright_retries_total");
        if (event.type === "call-end") metrics.add("callwright_calls_total");
        if (event.type === "turn-end") {
          metrics.add("callwright_turns_total", { finish: event.finish });
          if (event.finish === "aborted") metrics.add("callwright_dropped_total");
          for (const [kind, count] of Object.entries(event.usage.tokens))
            metrics.add("callwright_tokens_total", { kind }, count);
        }
        yield item;
      }
    },
  };
}

function streamHeaders({ contentType }: WireApi, { model }: ReplyIdentity): Record<string, string> {
  return {
    "content-type": contentType === "text/event-stream" ? `${contentType}; charset=utf-8` : contentType,
    "cache-control": "no-cache",
    // Tells nginx, and what is built like it, to pass each frame on at once.
    "x-accel-buffering": "no",
    "x-callwright-model": encodeURIComponent(model),
  };
}

function jsonResponse(body: unknown): Response {
  return Response.json(body);
}

/** What went wrong, for the operator. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
