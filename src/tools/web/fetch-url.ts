// The tool that fetches a page as text.
import { defineTool, type Tool, type ToolContext, ToolFailure, type ToolResult } from "../tool.ts";
import { htmlToText } from "./html-text.ts";
import { type Page, requestPage } from "./request-page.ts";

export interface FetchOptions {
  /** Hosts whose addresses may be private, with their port: `localhost:8080`. Default: none. */
  readonly privateHosts?: readonly string[];
}

const mostBytes = 2 * 1024 * 1024;
const mostRedirections = 5;
const seconds = 30;

/** Fetches text, pages made readable; sizes, kinds and time are bounded, private addresses refused, also behind redirections. */
export function fetchUrl(options: FetchOptions = {}): Tool {
  const { privateHosts = [] } = options;
  return defineTool<{ readonly url: string }>({
    name: "fetch_url",
    description: "Fetch a web page or a text file from the internet and return its text.",
    shortDescription: "Fetch a web page as text.",
    inputSchema: {
      type: "object",
      properties: {
        url: { type: "string", minLength: 1, maxLength: 2_000, description: "Address, with https://." },
      },
      required: ["url"],
      additionalProperties: false,
    },
    permissions: ["fetch"],
    concurrency: "parallel",
    milliseconds: () => (seconds + 5) * 1_000,
    execute: async ({ url: written }, context) => {
      let url = readUrl(written);
      for (let hops = 0; hops <= mostRedirections; hops += 1) {
        await context.ask({ permission: "fetch", patterns: [url.href] });
        const signal = AbortSignal.any([context.signal, AbortSignal.timeout(seconds * 1_000)]);
        const page = await requestPage({ url, signal, mostBytes, privateHosts }).catch((error: unknown) =>
          explain(error, url, context),
        );
        if (page.location === undefined || page.status < 300 || page.status > 399) return readPage(page, url);
        url = readUrl(new URL(page.location, url).href);
      }
      throw new ToolFailure(`"${written}" leads on more than ${mostRedirections} times.`);
    },
  });
}

function readUrl(written: string): URL {
  if (!URL.canParse(written)) {
    throw new ToolFailure(`"${written}" is no address: write one that begins with https://.`);
  }
  const url = new URL(written);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ToolFailure(`"${url.protocol}" is not supported: only http and https are.`);
  }
  if (url.username !== "" || url.password !== "")
    throw new ToolFailure("An address must hold no name or password.");
  url.hash = "";
  return url;
}

function explain(error: unknown, url: URL, context: ToolContext): never {
  if (error instanceof ToolFailure || context.signal.aborted) throw error;
  if (error instanceof Error && error.name === "TimeoutError") {
    throw new ToolFailure(`"${url.href}" did not answer within ${seconds} s.`, { cause: error });
  }
  throw error;
}

function readPage(page: Page, url: URL): ToolResult {
  const { status, mediaType, bytes, isCut } = page;
  if (status >= 400) throw new ToolFailure(`"${url.href}" answered with status ${status}.`);
  if (!/^(?:text\/|application\/(?:[\w.-]*\+)?(?:json|xml|javascript|yaml|x-ndjson)\b|$)/.test(mediaType)) {
    throw new ToolFailure(`"${url.href}" is ${mediaType} (${bytes.length} bytes): only text can be fetched.`);
  }
  const raw = decode(page);
  const text = /^(?:text\/html|application\/xhtml\+xml)/.test(mediaType) ? htmlToText(raw) : raw.trim();
  const note = isCut ? `\n[cut after ${mostBytes} bytes]` : "";
  return {
    text: text === "" ? `"${url.href}" holds no text.` : `${text}${note}`,
    title: url.href,
    metadata: { status, mediaType, bytes: bytes.length },
  };
}

/** An encoding that nobody knows is read as UTF-8. */
function decode({ bytes, charset }: Page): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder().decode(bytes);
  }
}
