// Files of the Hugging Face hub, named `hf:owner/repo/file[@revision]`.
// Asks first what the hub states about the file (size, SHA-256, commit), then reads it at that commit.
import { answer, openHttp } from "./http-source.ts";
import {
  type FileStatement,
  type OpenedSource,
  type OpenOptions,
  refuseOtherFile,
  SourceFault,
} from "./opened-source.ts";

/** Where the hub is, and who asks. */
export interface HubAddress {
  readonly url: string;
  readonly token?: string;
}

export const defaultHub: HubAddress = { url: "https://huggingface.co" };

export interface HubFile {
  readonly owner: string;
  readonly repository: string;
  /** Path inside the repository. */
  readonly file: string;
  readonly revision: string;
}

/** Reads a hub URI; undefined where the text is none. */
export function parseHubUri(uri: string): HubFile | undefined {
  const match = /^hf:([\w.-]+)\/([\w.-]+)\/([^@?#\\]+\.gguf)(?:@([\w./-]+))?$/i.exec(uri);
  if (match === null) return undefined;
  const [, owner = "", repository = "", file = "", revision = "main"] = match;
  const steps = [owner, repository, ...file.split("/"), ...revision.split("/")];
  return steps.every(isPlainStep) ? { owner, repository, file, revision } : undefined;
}

/** Opens a file of the hub. Throws `SourceFault`, also where the hub states another file than the source expects. */
export async function openHubFile(
  source: FileStatement & { readonly uri: string },
  options: OpenOptions & { readonly hub: HubAddress },
): Promise<OpenedSource> {
  const file = parseHubUri(source.uri);
  if (file === undefined) throw new SourceFault("it is not of the form hf:owner/repo/file.gguf[@revision]");
  const { hub } = options;
  const headers = hub.token === undefined ? {} : { authorization: `Bearer ${hub.token}` };
  const { commit, ...stated } = await askHub(resolveUrl(hub, file), headers, options);
  refuseOtherFile(stated, source);
  const url = resolveUrl(hub, { ...file, revision: commit ?? file.revision });
  const opened = await openHttp({ url, headers, identity: stated.sha256 }, options);
  refuseOtherFile(opened.stated, stated);
  return { ...opened, stated };
}

interface HubStatement {
  readonly size: number;
  readonly sha256: string;
  readonly commit?: string;
}

/** The hub redirects large files to a store of its own; what it states stands in the headers of that redirect. */
async function askHub(
  url: string,
  headers: Readonly<Record<string, string>>,
  options: OpenOptions,
): Promise<HubStatement> {
  const init = { method: "HEAD", headers, redirect: "manual", signal: options.signal } as const;
  let at = url;
  for (let step = 0; step < 5; step++) {
    const response = await answer(at, init, options);
    const statement = readStatement(response.headers);
    if (statement !== undefined) return statement;
    if (response.status === 401 || response.status === 403) {
      throw new SourceFault(
        `the hub refuses access (${response.status}); set HF_TOKEN if the model is gated`,
      );
    }
    if (response.status === 404) throw new SourceFault("the hub has no such file");
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null) {
      if (response.ok) throw new SourceFault("the hub states no SHA-256 for this file");
      throw new SourceFault(`the hub answered ${response.status} ${response.statusText}`.trim());
    }
    // A renamed repository: followed on the same host only, so that the token goes nowhere else.
    const next = new URL(location, at);
    if (next.host !== new URL(url).host) throw new SourceFault("the hub states no SHA-256 for this file");
    at = next.href;
  }
  throw new SourceFault("the hub redirects in a circle");
}

function readStatement(headers: Headers): HubStatement | undefined {
  const sha256 = /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(headers.get("x-linked-etag") ?? "")?.[1];
  const size = Number(headers.get("x-linked-size") ?? Number.NaN);
  if (sha256 === undefined || !Number.isSafeInteger(size)) return undefined;
  const commit = headers.get("x-repo-commit");
  return { size, sha256, ...(commit !== null && /^[0-9a-f]{40}$/.test(commit) ? { commit } : {}) };
}

function resolveUrl({ url }: HubAddress, { owner, repository, file, revision }: HubFile): string {
  const path = file.split("/").map(encodeURIComponent).join("/");
  return `${url.replace(/\/$/, "")}/${owner}/${repository}/resolve/${encodeURIComponent(revision)}/${path}`;
}

function isPlainStep(step: string): boolean {
  return step !== "" && step !== "." && step !== "..";
}
