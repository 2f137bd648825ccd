// Bytes of one URL over HTTP, resumed by range where the server can. Used by the hub and by plain URLs.
// An answer that does not come in time and a transfer that stalls are faults of the source.
import { type OpenedSource, type OpenOptions, type SourceChunk, SourceFault } from "./opened-source.ts";

export interface HttpRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Identifies the content whatever the server's own validator says, such as its hash. */
  readonly identity?: string;
}

/** Opens a URL for reading. Throws `SourceFault`, or the signal's reason where it was aborted. */
export async function openHttp(request: HttpRequest, options: OpenOptions): Promise<OpenedSource> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const { resume } = options;
  const usable =
    resume !== undefined && (request.identity === undefined || request.identity === resume.state);
  const range = usable && resume.offset > 0 ? rangeHeaders(resume, request.identity) : {};
  const headers = { "accept-encoding": "identity", ...request.headers, ...range };
  const response = await answer(request.url, { headers, signal, redirect: "follow" }, options);
  if (response.status === 416) {
    // The partial file is as long as the whole, or longer: nothing more can be had by range.
    await response.body?.cancel();
    const { resume: _, ...fresh } = options;
    return openHttp(request, fresh);
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new SourceFault(`it answered ${response.status} ${response.statusText}`.trim());
  }
  const offset = response.status === 206 ? rangeStart(response) : 0;
  if (offset !== 0 && offset !== resume?.offset) {
    stop.abort();
    throw new SourceFault("it answered with another range than asked for");
  }
  const length = contentLength(response.headers);
  const state = request.identity ?? response.headers.get("etag") ?? response.headers.get("last-modified");
  return {
    stated: length === undefined ? {} : { size: offset + length },
    offset,
    chunks: readBody(response.body, { ...options, stop }),
    ...(state === null ? {} : { state }),
  };
}

/** One request, answered in time. The body may take longer. */
export async function answer(
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
  { answerWithin, signal }: Pick<OpenOptions, "answerWithin" | "signal">,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerWithin);
  try {
    return await fetch(url, { ...init, signal: AbortSignal.any([init.signal, late.signal]) });
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted) {
      throw new SourceFault(`it did not answer within ${answerWithin / 1000} s`, { cause: error });
    }
    throw new SourceFault(`it cannot be reached (${rootCause(error)})`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function rangeHeaders(
  { offset, state }: { readonly offset: number; readonly state: string },
  identity: string | undefined,
): Readonly<Record<string, string>> {
  const range = { range: `bytes=${offset}-` };
  return identity === undefined ? { ...range, "if-range": state } : range;
}

/** Absent where the server packs the body nevertheless: the length then counts packed bytes. */
function contentLength(headers: Headers): number | undefined {
  if ((headers.get("content-encoding") ?? "identity") !== "identity") return undefined;
  const length = headers.get("content-length");
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined;
}

function rangeStart(response: Response): number {
  const match = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "");
  return match === null ? -1 : Number(match[1]);
}

async function* readBody(
  body: ReadableStream<Uint8Array>,
  options: OpenOptions & { readonly stop: AbortController },
): AsyncGenerator<SourceChunk> {
  const reader = body.getReader();
  let stalled = false;
  const onStall = () => {
    stalled = true;
    options.stop.abort();
  };
  try {
    while (true) {
      const timer = setTimeout(onStall, options.stallAfter);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield { type: "bytes", bytes: value };
    }
  } catch (error) {
    options.signal.throwIfAborted();
    const reason = stalled ? `nothing came for ${options.stallAfter / 1000} s` : rootCause(error);
    throw new SourceFault(`the transfer broke off (${reason})`, { retry: true, cause: error });
  } finally {
    // Also when the consumer stops early: the connection must not go on filling buffers.
    options.stop.abort();
  }
}

/** The innermost message: `fetch` wraps the network's own error. */
function rootCause(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  if (!(current instanceof Error)) return String(current);
  return current.message || (current as NodeJS.ErrnoException).code || current.name;
}
