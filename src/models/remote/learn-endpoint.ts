// What is known of an endpoint: asked of the server each time it is opened, and, what takes generating to find out, kept in
// the user's folder until the server is another one.
import { createHash } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CallwrightError, isJsonObject, throwIfAborted } from "../../vocabulary/index.ts";
import { createFolder } from "../create-folder.ts";
import type { EndpointApi, EndpointEntry } from "../endpoint-entry.ts";
import { readJsonIfPresent } from "../read-if-present.ts";
import { failureDetails } from "./ask-server.ts";
import type { EndpointFacts, ServerIdentity } from "./endpoint-facts.ts";
import { identifyServer } from "./identify-server.ts";
import { observeServer } from "./observe-server.ts";
import type { ServerAddress } from "./server-address.ts";

export interface LearnOptions {
  readonly entry: EndpointEntry;
  readonly servers: readonly ServerAddress[];
  /** The folder of records is in it. */
  readonly home: string;
  /** A template that stands in for the server's own. */
  readonly template?: string;
  /** Ask anew whatever is known. */
  readonly fresh?: boolean;
  readonly onNotice?: (text: string) => void;
  /** How long a server is waited for that says it is not ready, and how long between two questions; milliseconds. */
  readonly loading?: { readonly patience: number; readonly pause: number };
  readonly signal?: AbortSignal;
}

const defaultLoading = { patience: 120_000, pause: 1_000 };

/** Raised when servers are asked more than before. */
const recordVersion = 1;

/** Asks the first replica that answers; the others are taken for the same. Throws what asking the last one throws. */
export async function learnEndpoint(options: LearnOptions): Promise<EndpointFacts> {
  const { entry, servers, home, signal, fresh = false, onNotice } = options;
  const { server, identity } = await firstAnswering(options);
  const template = options.template ?? identity.template;
  const api = chooseApi(entry, identity, template);
  const path = recordPath(home, { entry, servers, identity, api, template });
  const known = fresh ? undefined : await readRecord(path);
  if (known !== undefined) return { ...known, identity };
  onNotice?.(`finding out what ${server.url} enforces, once`);
  const behaviour = await observeServer(server, {
    identity,
    api,
    ...(template === undefined ? {} : { template }),
    ...(signal === undefined ? {} : { signal }),
  });
  const facts: EndpointFacts = { identity, behaviour, seen: new Date().toISOString() };
  await writeRecord(path, facts, onNotice);
  return facts;
}

/** Nobody there is said at once; a server that still loads its model is waited for. */
async function firstAnswering(options: LearnOptions) {
  const { servers, signal, onNotice, loading = defaultLoading } = options;
  const deadline = performance.now() + loading.patience;
  for (let isFirst = true; ; isFirst = false) {
    const { found, failure } = await askEach(options);
    if (found !== undefined) return found;
    const isLoading = failureDetails(failure).status === 503;
    if (!isLoading || performance.now() > deadline) throw failure;
    if (isFirst) onNotice?.(`waiting for ${servers[0]?.url}, which is not ready yet`);
    await wait(loading.pause, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      throwIfAborted(signal);
      throw error;
    });
  }
}

async function askEach({ entry, servers, signal }: LearnOptions) {
  let failure: unknown;
  for (const server of servers) {
    try {
      return { found: { server, identity: await identifyServer(server, entry, signal) } };
    } catch (error) {
      if (!failureDetails(error).retry) throw error;
      failure = error;
    }
  }
  return { failure };
}

function chooseApi(
  entry: EndpointEntry,
  { engine }: ServerIdentity,
  template: string | undefined,
): EndpointApi {
  const hasCompletions = engine === "llama-server" || engine === "vllm" || engine === "sglang";
  if (entry.api !== "completions")
    return entry.api ?? (hasCompletions && template !== undefined ? "completions" : "chat");
  if (hasCompletions && template !== undefined) return entry.api;
  const missing = hasCompletions
    ? 'its chat template is not known: put it into "template.replacement" of the profile'
    : `${engine} takes no raw completions`;
  throw new CallwrightError(
    "catalogue-invalid",
    `The endpoint ${entry.id} cannot be asked by completions: ${missing}, or leave "api" out.`,
  );
}

function recordPath(
  home: string,
  what: Pick<LearnOptions, "entry" | "servers"> & {
    readonly identity: ServerIdentity;
    readonly api: EndpointApi;
    readonly template: string | undefined;
  },
): string {
  const urls = what.servers.map(({ url }) => url);
  const key = JSON.stringify([recordVersion, urls, what.api, what.identity, what.template ?? null]);
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const name = what.entry.id.replaceAll(/[^a-zA-Z0-9._-]+/g, "-").slice(0, 60);
  return join(home, "endpoints", `${name}-${hash}.json`);
}

async function readRecord(path: string): Promise<EndpointFacts | undefined> {
  const found = await readJsonIfPresent(path);
  return isJsonObject(found) && isJsonObject(found.behaviour)
    ? (found as unknown as EndpointFacts)
    : undefined;
}

/** What cannot be kept is found out again, and said. */
async function writeRecord(
  path: string,
  facts: EndpointFacts,
  onNotice: LearnOptions["onNotice"],
): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  try {
    await createFolder(join(path, ".."));
    await writeFile(temporary, `${JSON.stringify(facts, null, 2)}\n`);
    await rename(temporary, path);
  } catch (error) {
    // What could not be written need not be there to be removed; the first reason is the one that is told.
    await rm(temporary, { force: true }).catch(() => undefined);
    onNotice?.(
      `what was found out cannot be kept: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
