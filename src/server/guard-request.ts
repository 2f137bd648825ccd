// Who may ask: the key, the name by which the server was reached, and pages of other origins.
// A page that an attacker's name server sends to 127.0.0.1 still says the attacker's name in `Host` (DNS rebinding).
import { createHash, timingSafeEqual } from "node:crypto";
import { ServerError } from "./server-error.ts";
import type { ServerOptions } from "./server-options.ts";

type GuardOptions = Pick<ServerOptions, "apiKey" | "hosts" | "origins">;

/** Throws `ServerError`. `isOpen`: asked without a key. */
export function guardRequest(request: Request, options: GuardOptions, isOpen: boolean): void {
  checkHost(request, options);
  checkOrigin(request, options);
  if (!isOpen) checkKey(request, options);
}

/** Headers by which a browser lets a page of an allowed origin read the answer. None where it is not allowed. */
export function originHeaders(request: Request, { origins = [] }: GuardOptions): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null || !origins.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, HEAD, OPTIONS",
    "access-control-allow-headers":
      "authorization, content-type, x-api-key, anthropic-version, anthropic-beta",
    "access-control-max-age": "600",
    vary: "origin",
  };
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

function checkHost(request: Request, { hosts = [] }: GuardOptions): void {
  if (hosts === "any") return;
  const name = hostName(request.headers.get("host") ?? new URL(request.url).host);
  if (name !== undefined && [...loopbackNames, ...hosts].some((known) => known.toLowerCase() === name))
    return;
  throw new ServerError({
    kind: "forbidden",
    message: "The server was reached by a name that it does not have; allow it with --allow-host.",
  });
}

/** The name without its port. */
function hostName(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[^:/@\s]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
}

/** A browser names the origin of the page that asks; other clients name none. */
function checkOrigin(request: Request, { origins = [] }: GuardOptions): void {
  const origin = request.headers.get("origin");
  if (origin === null || origins.includes(origin)) return;
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (URL.canParse(origin) && new URL(origin).host === host.toLowerCase()) return;
  throw new ServerError({
    kind: "forbidden",
    message: "Pages of this origin may not ask; allow it with --allow-origin.",
  });
}

function checkKey(request: Request, { apiKey }: GuardOptions): void {
  if (apiKey === undefined) return;
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const given = bearer ?? request.headers.get("x-api-key") ?? "";
  if (isSameText(given.trim(), apiKey)) return;
  throw new ServerError({
    kind: "unauthorized",
    message: "The API key is missing or wrong: send it as Authorization: Bearer, or as x-api-key.",
  });
}

/** Takes the same time whatever was given. */
function isSameText(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
