// One HTTP request with caps: the address is judged as it is connected to, not as its name was looked up before; size,
// kind and time are bounded. Follows no redirection.
import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { ToolFailure } from "../tool.ts";
import { isPrivateAddress } from "./private-address.ts";

export interface PageRequest {
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly mostBytes: number;
  /** Hosts whose addresses may be private, with their port: `localhost:8080`. */
  readonly privateHosts: readonly string[];
}

export interface Page {
  readonly status: number;
  readonly mediaType: string;
  readonly charset: string;
  /** Where a redirection leads. */
  readonly location?: string;
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Throws `ToolFailure` for what cannot be reached or must not be. */
export function requestPage(request: PageRequest): Promise<Page> {
  const { url, signal, privateHosts } = request;
  const mayBePrivate = privateHosts.includes(url.host);
  const refusal = () =>
    new ToolFailure(`"${url.hostname}" is an address of this machine or its network: not allowed.`);
  if (!mayBePrivate && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0 && isPrivateAddress(url.hostname)) {
    return Promise.reject(refusal());
  }
  const options: http.RequestOptions = {
    method: "GET",
    signal,
    headers: { "user-agent": "callwright", accept: "text/html, text/*, application/json;q=0.9, */*;q=0.1" },
    lookup: (host, given, callback) => {
      lookup(host, { ...given, all: true }, (error, addresses) => {
        const refused =
          error === null && !mayBePrivate && addresses.some(({ address }) => isPrivateAddress(address));
        const fault = refused ? refusal() : error;
        const [first] = addresses ?? [];
        if (fault !== null || first === undefined) callback(fault ?? refusal(), "", 4);
        else if (given.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      if (signal.aborted) reject(signal.reason);
      else if (error instanceof ToolFailure) reject(error);
      else reject(new ToolFailure(`"${url.href}" cannot be reached: ${error.message}.`, { cause: error }));
    };
    const client = url.protocol === "https:" ? https : http;
    const sent = client.request(url, options, (response) => {
      readBody(response, request.mostBytes).then(resolve, fail);
    });
    sent.on("error", fail);
    sent.end();
  });
}

async function readBody(response: http.IncomingMessage, mostBytes: number): Promise<Page> {
  const { statusCode: status = 0, headers } = response;
  const [kind = "", ...parameters] = (headers["content-type"] ?? "").split(";");
  const charset =
    parameters.map((part) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(part)?.[1]).find(Boolean) ?? "utf-8";
  const page = {
    status,
    mediaType: kind.trim().toLowerCase(),
    charset,
    ...(headers.location === undefined ? {} : { location: headers.location }),
  };
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < mostBytes) continue;
    response.destroy();
    return { ...page, bytes: Buffer.concat(chunks).subarray(0, mostBytes), isCut: length > mostBytes };
  }
  return { ...page, bytes: Buffer.concat(chunks), isCut: false };
}
