// Reads a request's body as JSON, within bounds of size, time and nesting. Knows no API.
import { CallwrightError } from "../vocabulary/index.ts";
import { ServerError } from "./server-error.ts";
import type { ServerLimits } from "./server-options.ts";

type BodyLimits = Pick<ServerLimits, "bodyBytes" | "bodyMilliseconds" | "depth">;

/** Throws `ServerError` `too-large` or `too-slow`, and `CallwrightError` `request-invalid` for what is no JSON. */
export async function readBody(request: Request, limits: BodyLimits): Promise<unknown> {
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") {
    throw invalidBody(
      `a body in the encoding ${JSON.stringify(encoding.slice(0, 40))} is not read; send it plain`,
    );
  }
  const text = decodeText(await readBytes(request, limits));
  const body = parseJson(text);
  checkDepth(body, limits.depth);
  // Half a surrogate pair is an emoji that a client cut; no token spells it.
  return /\\ud[89a-f]/i.test(text) ? wellFormed(body) : body;
}

async function readBytes(request: Request, { bodyBytes, bodyMilliseconds }: BodyLimits): Promise<Uint8Array> {
  const tooLarge = () =>
    new ServerError({ kind: "too-large", message: `A body may have ${bodyBytes >> 10} KiB at most.` });
  if (Number(request.headers.get("content-length") ?? 0) > bodyBytes) throw tooLarge();
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // Ends the read below; that there is nothing left to cancel is no fault.
    reader.cancel().catch(() => undefined);
  }, bodyMilliseconds);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) break;
      if (done) return Buffer.concat(chunks);
      size += value.length;
      if (size > bodyBytes) {
        await reader.cancel();
        throw tooLarge();
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
  const seconds = bodyMilliseconds / 1000;
  throw new ServerError({ kind: "too-slow", message: `The body did not come within ${seconds} seconds.` });
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw invalidBody("it is not UTF-8", error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own words may quote what people write.
    throw invalidBody("it is not JSON", error);
  }
}

function invalidBody(reason: string, cause?: unknown): CallwrightError {
  const message = `The request's body is not valid: ${reason}.`;
  return new CallwrightError("request-invalid", message, { pointer: "", cause });
}

function checkDepth(body: unknown, most: number): void {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) throw invalidBody(`it has more than ${most} levels of nesting`);
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\p{Surrogate}/gu, "\ufffd");
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [wellFormed(key), wellFormed(inner)]);
  return Object.fromEntries(entries);
}
