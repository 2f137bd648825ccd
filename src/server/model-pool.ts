// Which request has which model: requests wait in the order they came, models are loaded when they are asked for, and idle ones
// make room. A request that waits for room is not overtaken by later ones, so that a busy model cannot starve another.
import type { Engine, OpenedEngine } from "../engine.ts";
import { CallwrightError, isAborted, throwIfAborted } from "../vocabulary/index.ts";
import { faultOf } from "../wire/wire-fault.ts";
import type { Metrics } from "./metrics.ts";
import { ServerError } from "./server-error.ts";
import type { ServedModel, ServerLimits } from "./server-options.ts";

export interface ModelPoolOptions {
  readonly limits: Pick<ServerLimits, "queue" | "queueMilliseconds" | "models" | "modelBytes">;
  readonly idleMilliseconds?: number | undefined;
  readonly metrics: Metrics;
  readonly log: (line: string) => void;
}

/** A model for one request. */
export interface Lease {
  readonly engine: Engine;
  readonly opened: OpenedEngine;
  /** Gives it back; `keepMilliseconds` says how long it stays loaded where nobody asks for it. */
  release(keepMilliseconds?: number): void;
}

export interface LoadedModel {
  readonly id: string;
  readonly state: "loading" | "loaded";
  readonly bytes: number;
  readonly opened?: OpenedEngine;
  /** When it is unloaded if nobody asks for it; absent: never. Milliseconds since the epoch. */
  readonly until?: number;
}

interface Entry {
  readonly model: ServedModel;
  readonly engine: Engine;
  readonly opening: Promise<OpenedEngine>;
  opened: OpenedEngine | undefined;
  active: number;
  lastUsed: number;
  timer: NodeJS.Timeout | undefined;
  until: number | undefined;
}

interface Waiting {
  readonly model: ServedModel;
  readonly grant: (entry: Entry) => void;
}

/** Turns that are looked at to guess how long the queue will take. */
const durationsKept = 16;

export function createModelPool(options: ModelPoolOptions) {
  const { limits, metrics, log } = options;
  const entries = new Map<string, Entry>();
  const durations: number[] = [];
  const closings = new Set<Promise<void>>();
  let queue: Waiting[] = [];
  let isClosed = false;
  let whenIdle: (() => void) | undefined;

  metrics.gauge("callwright_requests_waiting", () => queue.length);
  metrics.gauge("callwright_requests_running", () => sum([...entries.values()].map(({ active }) => active)));
  metrics.gauge("callwright_models_loaded", () => entries.size);

  /**
   * Waits for the model. Throws `ServerError` `busy` where too many wait or it takes too long, `CallwrightError` `aborted`, and
   * what opening the model throws.
   */
  async function lease(model: ServedModel, signal: AbortSignal): Promise<Lease> {
    throwIfAborted(signal);
    if (isClosed) throw new CallwrightError("aborted", "The server is closing.");
    if (queue.filter((one) => one.model.id === model.id).length >= limits.queue) throw busy(model);
    const entry = await admit(model, signal);
    const started = performance.now();
    try {
      const opened = await orAborted(entry.opening, signal);
      return { engine: entry.engine, opened, release: releaseOnce(entry, started) };
    } catch (error) {
      releaseOnce(entry, started)();
      // An endpoint that is away may be back soon, which the fault itself says.
      if (isAborted(error) || faultOf(error).kind === "busy") throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new ServerError({ kind: "model-failed", message: `${model.id} cannot be loaded: ${message}` });
    }
  }

  function admit(model: ServedModel, signal: AbortSignal): Promise<Entry> {
    return new Promise((resolve, reject) => {
      const leave = (error: Error): void => {
        queue = queue.filter((one) => one !== waiting);
        settle();
        reject(error);
        schedule();
      };
      const aborted = (): void => leave(new CallwrightError("aborted", "Aborted.", { cause: signal.reason }));
      const timer = setTimeout(() => leave(busy(model)), limits.queueMilliseconds);
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", aborted);
      };
      const waiting: Waiting = {
        model,
        grant: (entry) => {
          settle();
          resolve(entry);
        },
      };
      signal.addEventListener("abort", aborted);
      queue.push(waiting);
      schedule();
    });
  }

  /** Grants what can be granted, in order. */
  function schedule(): void {
    for (const waiting of [...queue]) {
      const entry = entryFor(waiting.model);
      // Behind one who needs room nobody may keep a model busy.
      if (entry === "no-room") return;
      if (entry.active >= slotsOf(entry)) continue;
      queue = queue.filter((one) => one !== waiting);
      take(entry);
      waiting.grant(entry);
    }
  }

  function entryFor(model: ServedModel): Entry | "no-room" {
    const known = entries.get(model.id);
    if (known !== undefined && known.model.version === model.version) return known;
    if (known !== undefined && known.active > 0) return "no-room";
    if (known !== undefined) unload(known, "its settings changed");
    while (!hasRoom(model)) {
      const idle = [...entries.values()]
        .filter(({ active }) => active === 0)
        .sort((a, b) => a.lastUsed - b.lastUsed)[0];
      if (idle === undefined) return "no-room";
      unload(idle, `room for ${model.id}`);
    }
    return load(model);
  }

  function hasRoom({ bytes = 0 }: ServedModel): boolean {
    if (entries.size === 0) return true;
    const used = sum([...entries.values()].map(({ model }) => model.bytes ?? 0));
    return entries.size < limits.models && used + bytes <= limits.modelBytes;
  }

  function load(model: ServedModel): Entry {
    const engine = model.createEngine();
    // What is being freed still takes memory.
    const opening = Promise.all(closings).then(() => engine.open());
    const entry: Entry = {
      model,
      engine,
      opening,
      opened: undefined,
      active: 0,
      lastUsed: performance.now(),
      timer: undefined,
      until: undefined,
    };
    entries.set(model.id, entry);
    opening.then(
      (opened) => {
        entry.opened = opened;
        schedule();
        metrics.add("callwright_model_loads_total");
        log(`loaded ${model.id}: a window of ${opened.model.contextSize} tokens`);
      },
      (error: unknown) => {
        // Whoever waits for it is told; the next request tries again.
        log(`${model.id} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
        if (entries.get(model.id) === entry) unload(entry, "it cannot be loaded");
      },
    );
    return entry;
  }

  function unload(entry: Entry, reason: string): void {
    clearTimeout(entry.timer);
    entries.delete(entry.model.id);
    metrics.add("callwright_model_unloads_total");
    log(`unloaded ${entry.model.id}: ${reason}`);
    const closing = entry.engine
      .close()
      .catch((error: unknown) => log(`${entry.model.id} was not closed cleanly: ${String(error)}`))
      .finally(() => closings.delete(closing));
    closings.add(closing);
  }

  function take(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.until = undefined;
    entry.active += 1;
    entry.lastUsed = performance.now();
  }

  function releaseOnce(entry: Entry, started: number): Lease["release"] {
    let isReleased = false;
    return (keepMilliseconds = options.idleMilliseconds) => {
      if (isReleased) return;
      isReleased = true;
      entry.active -= 1;
      entry.lastUsed = performance.now();
      durations.push(performance.now() - started);
      if (durations.length > durationsKept) durations.shift();
      if (keepMilliseconds !== undefined && entry.active === 0) unloadAfter(entry, keepMilliseconds);
      schedule();
      checkIdle();
    };
  }

  function checkIdle(): void {
    if ([...entries.values()].every(({ active }) => active === 0)) whenIdle?.();
  }

  function unloadAfter(entry: Entry, milliseconds: number): void {
    const unloadIfIdle = (): void => {
      if (entry.active === 0 && entries.get(entry.model.id) === entry) unload(entry, "nobody asked for it");
    };
    if (milliseconds <= 0) {
      unloadIfIdle();
      return;
    }
    // A longer time than a timer can wait ends it at once.
    entry.timer = setTimeout(unloadIfIdle, Math.min(milliseconds, 2 ** 31 - 1));
    entry.timer.unref();
    entry.until = Date.now() + milliseconds;
  }

  function busy({ id }: ServedModel): ServerError {
    metrics.add("callwright_refused_total");
    const ahead = queue.filter(({ model }) => model.id === id).length + 1;
    const each = durations.length === 0 ? 1000 : sum(durations) / durations.length;
    const retryAfter = Math.min(60, Math.max(1, Math.ceil((ahead * each) / 1000)));
    return new ServerError({
      kind: "busy",
      message: `${ahead - 1} requests wait for ${id} already; try again in ${retryAfter} seconds.`,
      retryAfter,
    });
  }

  return {
    lease,
    loaded: (): readonly LoadedModel[] =>
      [...entries.values()].map(({ model, opened, until }) => ({
        id: model.id,
        state: opened === undefined ? "loading" : "loaded",
        bytes: model.bytes ?? 0,
        ...(opened === undefined ? {} : { opened }),
        ...(until === undefined ? {} : { until }),
      })),
    /** Waits until every lease is given back, which whoever closes has to bring about, and frees the models. */
    async close(): Promise<void> {
      isClosed = true;
      await new Promise<void>((resolve) => {
        whenIdle = resolve;
        checkIdle();
      });
      for (const entry of [...entries.values()]) unload(entry, "the server closes");
      await Promise.all(closings);
    },
  };
}

export type ModelPool = ReturnType<typeof createModelPool>;

/** Where a model takes as many requests as come, this many are sent at once. */
const mostAtOnce = 32;

/** One for a model that is not open yet, since it may have no more. */
function slotsOf({ model, opened }: Entry): number {
  return model.slots ?? (opened === undefined ? 1 : (opened.model.sequences ?? mostAtOnce));
}

/** What the promise gives, unless the signal comes before it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new CallwrightError("aborted", "Aborted.", { cause: signal.reason }));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
