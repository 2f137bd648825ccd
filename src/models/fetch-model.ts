// Brings a model's file into the cache: its sources in order, checked while written, one process at a time.
// Decides which source to use and when to give up; how bytes come and where they go is in the files beside it.
import { rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CallwrightError, isAborted } from "../vocabulary/index.ts";
import { createFolder, removeEmptyFolders } from "./create-folder.ts";
import { type HeldLock, withFileLock } from "./file-lock.ts";
import { checkModelFile, removeModelFile, writeRecord } from "./file-record.ts";
import { modelsFolder } from "./home-folder.ts";
import {
  describeSource,
  type FetchableModel,
  kindOfSource,
  type ModelSource,
  type SourceKind,
} from "./model-entry.ts";
import { modelPath } from "./model-path.ts";
import {
  findResumePoint,
  openPartial,
  type PartialFile,
  partialPath,
  removePartial,
} from "./partial-file.ts";
import { statIfPresent } from "./read-if-present.ts";
import { defaultHub, type HubAddress } from "./sources/hub-source.ts";
import { openSource } from "./sources/open-source.ts";
import {
  type FileStatement,
  type OpenedSource,
  refuseOtherFile,
  SourceFault,
} from "./sources/opened-source.ts";

export interface FetchModelOptions {
  readonly home: string;
  /** Kinds of source that may be used; all by default. */
  readonly kinds?: readonly SourceKind[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FetchProgress) => void;
  /** Told in one line what a person may want to know: a source that was passed over, a wait for another process. */
  readonly onNotice?: (text: string) => void;
  readonly hub?: HubAddress;
  /** Milliseconds after which a source that has not answered gives way to the next. */
  readonly answerWithin?: number;
  /** Milliseconds without a byte after which a transfer is taken up again. */
  readonly stallAfter?: number;
}

export interface FetchProgress {
  readonly id: string;
  readonly source: string;
  /** Bytes of the file that are here, those on their way included. */
  readonly done: number;
  /** Absent where nobody knows the size yet. */
  readonly total?: number;
}

export const defaultFetchOptions = { answerWithin: 5_000, stallAfter: 30_000, hub: defaultHub } as const;

/** How long wheels are waited for where there is no other source left to give way to. */
const lastWheelsAnswerWithin = 60_000;
/** Transfers from one source before it gives way; two in a row that bring nothing are enough. */
const attemptsPerSource = 20;

/**
 * Gives the path of the model's checked file, fetching it where it is not there.
 * Throws `CallwrightError`: `model-download-failed` where no source gave the right file, `file-unreadable` where its
 * folder cannot be created, `aborted`.
 */
export async function fetchModel(model: FetchableModel, options: FetchModelOptions): Promise<string> {
  const target = modelPath(options.home, model.id);
  let created: readonly string[] = [];
  try {
    if ((await checkModelFile(target, model, withSignal(options))).type === "good") return target;
    // What is taken back after a failure: never the folder of all models, which other fetches begin in.
    const models = `${modelsFolder(options.home)}${sep}`;
    created = (await createFolder(dirname(target))).filter((folder) => folder.startsWith(models));
    const onWait = (owner: string) => options.onNotice?.(`${owner} is fetching ${model.id}; waiting for it`);
    return await withFileLock(`${target}.lock`, { signal: options.signal, onWait }, (lock) =>
      fetchLocked({ model, target, lock, options: { ...defaultFetchOptions, ...options } }),
    );
  } catch (error) {
    await removeEmptyFolders(created);
    throw asFetchError(error, model.id, options.signal);
  }
}

interface Fetch {
  readonly model: FetchableModel;
  readonly target: string;
  readonly lock: HeldLock;
  readonly options: FetchModelOptions & Required<Pick<FetchModelOptions, keyof typeof defaultFetchOptions>>;
}

async function fetchLocked(fetch: Fetch): Promise<string> {
  const { model, target, options } = fetch;
  const check = await checkModelFile(target, model, withSignal(options));
  if (check.type === "good") return target;
  if (check.type === "wrong") {
    await removeModelFile(target);
    options.onNotice?.(`${target} was removed: ${check.reason}`);
  }
  const { kinds } = options;
  const sources = model.sources.filter((source) => kinds?.includes(kindOfSource(source)) ?? true);
  const reasons: string[] = [];
  for (const [index, source] of sources.entries()) {
    try {
      await fetchFrom(source, { ...fetch, isLast: index === sources.length - 1 });
      return target;
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      const reason = `${describeSource(source)}: ${error.message}`;
      reasons.push(reason);
      if (index < sources.length - 1) options.onNotice?.(`${reason}; trying the next source`);
    }
  }
  if (sources.length > 0) {
    const isLocal = sources.every((source) => source.type === "path");
    const advice = isLocal ? "Mend the path in the catalogue" : "Check the network and try again";
    throw failure(model.id, `${reasons.join("; ")}. ${advice}`);
  }
  const kindsThere = [...new Set(model.sources.map(kindOfSource))].join(", ");
  throw failure(model.id, `it has no source of the kinds ${kinds?.join(", ")}, only ${kindsThere}`);
}

/** Fetches from one source, taking a broken transfer up again while it makes progress. */
async function fetchFrom(source: ModelSource, fetch: Fetch & { readonly isLast: boolean }): Promise<void> {
  let idle = 0;
  for (let attempt = 1; ; attempt++) {
    const before = await partialSize(fetch.target);
    try {
      return await transfer(source, fetch);
    } catch (error) {
      if (!(error instanceof SourceFault) || !error.retry || attempt === attemptsPerSource) throw error;
      idle = (await partialSize(fetch.target)) > before ? 0 : idle + 1;
      if (idle === 2) throw error;
      fetch.options.onNotice?.(`${describeSource(source)}: ${error.message}; taking it up again`);
      await sleep(Math.min(200 * attempt, 2_000), undefined, withSignal(fetch.options));
    }
  }
}

/** One transfer, whole or resumed, to the checked file under its final name. */
async function transfer(source: ModelSource, fetch: Fetch & { readonly isLast: boolean }): Promise<void> {
  const { target, options } = fetch;
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const key = JSON.stringify(source);
  const workFolder = `${target}.parts`;
  const resume = await findResumePoint(target, key);
  const pending = { bytes: 0, report: (): void => undefined };
  try {
    const opened = await openSource(source, {
      hub: options.hub,
      stallAfter: options.stallAfter,
      answerWithin:
        fetch.isLast && source.type === "python-wheels" ? lastWheelsAnswerWithin : options.answerWithin,
      signal,
      workFolder,
      ...(resume === undefined ? {} : { resume }),
      onPending: (bytes) => {
        pending.bytes = bytes;
        pending.report();
      },
    });
    const expected = expectedContent(source, opened);
    await checkSpace(fetch, expected.size === undefined ? 0 : expected.size - opened.offset);
    const { state } = opened;
    const partial = await openPartial(target, {
      source: key,
      offset: opened.offset,
      signal,
      ...(state && { state }),
    });
    try {
      pending.report = () => reportProgress(fetch, source, partial.written + pending.bytes, expected.size);
      await readAll(opened, partial, { expected, pending });
      await finish(partial, { ...fetch, expected, source, opened });
    } finally {
      await partial.close();
      if ((await findResumePoint(target, key)) === undefined) await removePartial(target);
    }
  } finally {
    stop.abort();
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** What the whole file must be; what the source states may add to the catalogue's word, not contradict it. */
function expectedContent(source: ModelSource, { stated }: OpenedSource): FileStatement {
  refuseOtherFile(stated, source);
  const { size = stated.size, sha256 = stated.sha256 } = source;
  return { ...(size === undefined ? {} : { size }), ...(sha256 === undefined ? {} : { sha256 }) };
}

interface ReadAllOptions {
  readonly expected: FileStatement;
  readonly pending: { bytes: number; readonly report: () => void };
}

async function readAll(opened: OpenedSource, partial: PartialFile, options: ReadAllOptions): Promise<void> {
  const { expected, pending } = options;
  for await (const chunk of opened.chunks) {
    if (chunk.type === "checkpoint") {
      await partial.checkpoint(chunk.state);
      continue;
    }
    await partial.append(chunk.bytes);
    pending.bytes = Math.max(0, pending.bytes - chunk.bytes.length);
    pending.report();
    if (expected.size !== undefined && partial.written > expected.size) break;
  }
}

interface FinishOptions extends Fetch {
  readonly source: ModelSource;
  readonly expected: FileStatement;
  readonly opened: OpenedSource;
}

/** Checks what was written and gives it its final name; a file that fails is removed. */
async function finish(partial: PartialFile, options: FinishOptions): Promise<void> {
  const { target, expected, lock, source, opened } = options;
  const { written } = partial;
  if (expected.size !== undefined && written < expected.size) {
    const retry = opened.state !== undefined;
    throw new SourceFault(`it ended after ${written} of ${expected.size} bytes`, { retry });
  }
  const sha256 = await partial.finish();
  if (written !== (expected.size ?? written) || sha256 !== expected.sha256) {
    await removePartial(target);
    const came = `${written} bytes with SHA-256 ${sha256}`;
    const text = `it gave ${came}, not ${expected.size} with ${expected.sha256}; what it gave was removed`;
    // After a resumed transfer the first part may be to blame: once more from the start.
    throw new SourceFault(text, { retry: opened.offset > 0 });
  }
  if (!(await lock.isHeld())) {
    throw failure(options.model.id, "another process took the transfer over meanwhile. Try again");
  }
  const { mtimeMs } = await stat(partialPath(target));
  await writeRecord(target, { size: written, changed: mtimeMs, sha256, source: describeSource(source) });
  await rename(partialPath(target), target);
  await removePartial(target);
}

async function checkSpace({ model, target }: Fetch, needed: number): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(dirname(target));
  // Some network file systems do not say how large they are.
  if (blocks === 0 || bavail * bsize >= needed) return;
  const [need, free] = [needed, bavail * bsize].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`);
  throw failure(model.id, `${need} are needed and ${free} are free in ${dirname(target)}`);
}

function reportProgress({ model, options }: Fetch, source: ModelSource, bytes: number, total?: number): void {
  const known = total === undefined ? {} : { total };
  const done = total === undefined ? bytes : Math.min(bytes, total);
  options.onProgress?.({ id: model.id, source: describeSource(source), done, ...known });
}

async function partialSize(target: string): Promise<number> {
  return (await statIfPresent(partialPath(target)))?.size ?? 0;
}

function withSignal({ signal }: Pick<FetchModelOptions, "signal">): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function failure(id: string, text: string, cause?: unknown): CallwrightError {
  return new CallwrightError("model-download-failed", `${id} could not be fetched: ${text}.`, { cause });
}

function asFetchError(error: unknown, id: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true || isAborted(error)) {
    return new CallwrightError("aborted", `Fetching ${id} was stopped; run it again to go on.`, {
      cause: error,
    });
  }
  const isFileError = error instanceof Error && "syscall" in error;
  return isFileError ? failure(id, `the file cannot be written (${error.message})`, error) : error;
}
