// One request to a server: its key goes to nobody else, its limits of time hold, and whatever goes wrong on the way is a
// `CallwrightError` that says what to do. Knows HTTP, but nothing of models.
import {
  CallwrightError,
  type ErrorCode,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  throwIfAborted,
} from "../../vocabulary/index.ts";
import type { ServerAddress } from "./server-address.ts";

export interface ServerQuestion {
  /** The whole address. */
  readonly url: string;
  /** Present: posted as JSON. */
  readonly body?: JsonObject;
  readonly signal?: AbortSignal;
}

/** Bytes of an answer that is read as a whole, and of one event of a stream. */
export const mostBytes = 16 * 2 ** 20;
/** Characters of a server's own words in a message. */
const mostQuoted = 300;
const mostRedirects = 3;

/** What a failure says beside its message. */
export interface FailureDetails {
  readonly status?: number;
  /** Whether the same request may go well elsewhere or later. */
  readonly retry: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  /** The field of the request that the server will not take. */
  readonly field?: string;
}

/** The JSON that a server answers; undefined where it has no such route. Throws as `openAnswer` does. */
export async function askServer(
  server: ServerAddress,
  question: ServerQuestion,
): Promise<JsonValue | undefined> {
  const timeout = AbortSignal.timeout(server.limits.question);
  const signal = question.signal === undefined ? timeout : AbortSignal.any([timeout, question.signal]);
  try {
    const response = await openAnswer(server, { ...question, signal });
    return parseAnswer(server, await readText(response));
  } catch (error) {
    throwIfAborted(question.signal);
    if (error instanceof CallwrightError) {
      const { status } = failureDetails(error);
      if (status === 404 || status === 405) return undefined;
      throw error;
    }
    throw unreachable(server, timeout.aborted ? "no answer in time" : reasonOf(error), error);
  }
}

/**
 * The answer to a request, its status good. Throws `CallwrightError`: `endpoint-unreachable` where nobody answers or the
 * server is busy, `endpoint-refused` where it will not do what is asked, `context-overflow`. Aborting throws what the
 * signal says.
 */
export async function openAnswer(server: ServerAddress, question: ServerQuestion): Promise<Response> {
  let { url } = question;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(server, { ...question, url });
    if (response.ok) return response;
    const location = response.status >= 300 && response.status < 400 && response.headers.get("location");
    if (!location) throw await refusal(server, response);
    await response.body?.cancel();
    const next = new URL(location, url);
    // A key, and a prompt, are for the server that was named: it may send them on to another path of its own only.
    const mayFollow = next.origin === new URL(url).origin && [307, 308].includes(response.status);
    if (!mayFollow || redirects >= mostRedirects) {
      const text = `${server.url} sends requests on to ${next.origin}${next.pathname}, which is not followed; if that is the server you mean, put its address into "urls".`;
      throw failure("endpoint-refused", text, { status: response.status, retry: false });
    }
    url = next.href;
  }
}

async function send(server: ServerAddress, { url, body, signal }: ServerQuestion): Promise<Response> {
  try {
    return await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(server.key === undefined ? {} : { authorization: `Bearer ${server.key.value}` }),
        ...server.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable(server, reasonOf(error), error);
  }
}

async function refusal(server: ServerAddress, response: Response): Promise<CallwrightError> {
  const { status, headers } = response;
  const answer = await readText(response).catch(() => "");
  const { message, type, field } = readError(answer);
  const said = quote(server, message);
  const details = { status, retry: false, ...(field === undefined ? {} : { field }) };
  if (isOverflow(type, message)) return overflow(said);
  if (status === 401 || status === 403) {
    const key =
      server.key === undefined
        ? 'name the variable that holds its key as "keyVariable" in the catalogue'
        : `check the key in ${server.key.variable}`;
    return failure(
      "endpoint-refused",
      `${server.url} refuses access (${status}): ${key}. It says: ${said}`,
      details,
    );
  }
  if (status === 429 || status >= 500) {
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    const retryAfter = Number.isFinite(seconds) && seconds >= 0 ? { retryAfter: seconds * 1000 } : {};
    const text = `${server.url} cannot answer now (${status}): ${said}`;
    return failure("endpoint-unreachable", text, { ...details, retry: true, ...retryAfter });
  }
  return failure("endpoint-refused", `${server.url} refuses the request (${status}): ${said}`, details);
}

/** An error that a server tells in the midst of its answer. */
export function toldError(server: ServerAddress, error: JsonValue): CallwrightError {
  const { message, type } = readError(JSON.stringify({ error }));
  const said = quote(server, message);
  if (isOverflow(type, message)) return overflow(said);
  return failure("endpoint-refused", `${server.url} broke its answer off: ${said}`, { retry: false });
}

/** An answer that is not what the API says. */
export function invalidAnswer(server: ServerAddress, what: string): CallwrightError {
  const text = `${server.url} answers what its API does not have (${what}): check that the address is right and ends where the API begins, mostly in /v1.`;
  return failure("endpoint-invalid", text, { retry: false });
}

/** A connection that ended before the answer did. */
export function lostAnswer(server: ServerAddress, reason: string, cause?: unknown): CallwrightError {
  const text = `The connection to ${server.url} was lost in the midst of an answer (${reason}); ask again.`;
  return failure("endpoint-lost", text, { retry: true }, cause);
}

export function unreachable(server: ServerAddress, reason: string, cause?: unknown): CallwrightError {
  const text = `No server answers at ${server.url} (${reason}): start it, or correct its address in the catalogue.`;
  return failure("endpoint-unreachable", text, { retry: true }, cause);
}

/** What a failure of a server says beside its message. */
export function failureDetails(error: unknown): FailureDetails {
  const details = error instanceof CallwrightError ? error.details : undefined;
  return { retry: false, ...(details as Partial<FailureDetails> | undefined) };
}

/** JSON, or `endpoint-invalid`. */
export function parseAnswer(server: ServerAddress, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw invalidAnswer(server, `no JSON: ${quote(server, text)}`);
  }
}

/** Why a request failed, in the system's words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.message;
}

function failure(
  code: ErrorCode,
  message: string,
  details: FailureDetails,
  cause?: unknown,
): CallwrightError {
  return new CallwrightError(code, message, { details: { ...details }, cause });
}

function overflow(said: string): CallwrightError {
  return new CallwrightError("context-overflow", `The request does not fit the server's window: ${said}`);
}

function isOverflow(type: string, message: string): boolean {
  return (
    /exceed_context_size|context_length_exceeded/.test(type) ||
    /maximum context length|exceeds? the (available|model's) context|context length of/i.test(message)
  );
}

/** Errors come as `{error: {message, type, code, param}}`, `{error: "…"}`, `{message}`, `{detail}`, or as anything. */
function readError(text: string): { message: string; type: string; field?: string } {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return { message: text, type: "" };
  }
  const error = isJsonObject(value) ? (value.error ?? value) : value;
  if (!isJsonObject(error)) return { message: typeof error === "string" ? error : text, type: "" };
  const { message, detail, type, code, param } = error;
  const said = message ?? detail ?? text;
  return {
    message: typeof said === "string" ? said : JSON.stringify(said),
    type: `${type ?? ""} ${code ?? ""}`,
    ...(typeof param === "string" ? { field: param } : {}),
  };
}

/** A server's words for a message: short, on one line, and without the key, which some repeat. */
function quote({ key }: ServerAddress, text: string): string {
  const clean = key === undefined || key.value === "" ? text : text.replaceAll(key.value, "(key)");
  const line = clean.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "nothing";
  return line.length > mostQuoted ? `${line.slice(0, mostQuoted)}…` : line;
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostBytes) throw new Error(`an answer of more than ${mostBytes} bytes`);
  }
  return text + decoder.decode();
}
