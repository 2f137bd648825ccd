// Several servers of one model: who is asked next, and what happens when one does not answer. A prompt goes where the
// beginning of it went before, for there it is in the cache; a server that failed is left alone for a while.
import { setTimeout as wait } from "node:timers/promises";
import { CallwrightError, throwIfAborted } from "../../vocabulary/index.ts";
import { askServer, failureDetails } from "./ask-server.ts";
import { ownRoute, type ServerAddress } from "./server-address.ts";

export interface ReplicaOptions {
  /** Milliseconds after the first failure before a server is asked again; doubled with each further one. */
  readonly backOff: number;
  readonly mostBackOff: number;
  /** Milliseconds that a request waits for any server to answer. */
  readonly patience: number;
}

export const defaultReplicaOptions: ReplicaOptions = { backOff: 250, mostBackOff: 8_000, patience: 60_000 };

export interface Replicas {
  readonly servers: readonly ServerAddress[];
  /**
   * Asks one server after the other until one answers; after its first item, a failure is thrown to the reader. Throws the
   * last server's failure where none answers within the patience, and at once what no other server could do better.
   */
  ask<T>(request: ReplicaRequest<T>): AsyncGenerator<T>;
}

export interface ReplicaRequest<T> {
  /** What the servers' caches are keyed by; empty for what they keep nothing of. */
  readonly prompt: string;
  readonly signal?: AbortSignal;
  open(server: ServerAddress): AsyncGenerator<T>;
}

interface Replica {
  readonly server: ServerAddress;
  /** Prompts it was given, the newest last. */
  readonly prompts: string[];
  busy: number;
  failures: number;
  /** When it may be asked again, in milliseconds of `performance.now()`. */
  readyAt: number;
}

const keptPrompts = 32;
/** A server that has at least this share of a prompt is asked, unless it is busier than another by this many requests. */
const worthwhileShare = 0.5;
const mostBusier = 2;

export function createReplicas(
  servers: readonly ServerAddress[],
  options: ReplicaOptions = defaultReplicaOptions,
): Replicas {
  const replicas: readonly Replica[] = servers.map((server) => ({
    server,
    prompts: [],
    busy: 0,
    failures: 0,
    readyAt: 0,
  }));
  return { servers, ask };

  async function* ask<T>(request: ReplicaRequest<T>): AsyncGenerator<T> {
    const deadline = performance.now() + options.patience;
    let broken = 0;
    for (;;) {
      const replica = await nextReplica(request, deadline);
      const items = request.open(replica.server);
      try {
        const first = await items.next().catch((error: unknown) => {
          // A server that breaks over a request may do so each time.
          broken += failureDetails(error).status === 500 ? 1 : 0;
          if (broken > replicas.length) throw error;
          return fail(replica, error, deadline);
        });
        if (first === undefined) continue;
        replica.failures = 0;
        remember(replica, request.prompt);
        if (first.done !== true) yield first.value;
        for (let item = first; item.done !== true; ) {
          item = await items.next().catch((error: unknown) => {
            setAside(replica, error);
            throw error;
          });
          if (item.done !== true) yield item.value;
        }
        return;
      } finally {
        replica.busy -= 1;
        await items.return(undefined);
      }
    }
  }

  /** Nothing where another try may do better. */
  function fail(replica: Replica, error: unknown, deadline: number): undefined {
    if (!setAside(replica, error)) throw error;
    const isHopeless = replicas.every(({ readyAt }) => readyAt > deadline);
    if (isHopeless) throw error;
    return undefined;
  }

  /** Leaves a server alone for a while, where that may help. */
  function setAside(replica: Replica, error: unknown): boolean {
    const { retry, retryAfter } = failureDetails(error);
    if (!retry) return false;
    const least = Math.min(options.mostBackOff, options.backOff * 2 ** replica.failures);
    replica.failures += 1;
    // Drawn, so that clients who failed together do not come back together.
    const pause = Math.max(retryAfter ?? 0, least * (0.5 + Math.random()));
    replica.readyAt = performance.now() + pause;
    return true;
  }

  /** The best server that may be asked now, which is busy from then on; waits where there is none. */
  async function nextReplica(
    { prompt, signal }: Pick<ReplicaRequest<unknown>, "prompt" | "signal">,
    deadline: number,
  ): Promise<Replica> {
    for (;;) {
      throwIfAborted(signal);
      const now = performance.now();
      const ready = replicas.filter(({ readyAt }) => readyAt <= now);
      const chosen = chooseReplica(ready, prompt);
      if (chosen === undefined) {
        const soonest = Math.min(...replicas.map(({ readyAt }) => readyAt));
        await pauseFor(soonest - now, signal);
        continue;
      }
      chosen.busy += 1;
      if (chosen.failures === 0) return chosen;
      const trouble = await troubleOf(chosen.server, signal).catch((error: unknown) => {
        chosen.busy -= 1;
        throw error;
      });
      if (trouble === undefined) return chosen;
      chosen.busy -= 1;
      fail(chosen, trouble, deadline);
    }
  }
}

/** Among servers of equal merit the one that is asked least. */
function chooseReplica(ready: readonly Replica[], prompt: string): Replica | undefined {
  const leastBusy = Math.min(...ready.map(({ busy }) => busy));
  const merits = ready.map((replica) => {
    const shared = Math.max(0, ...replica.prompts.map((known) => sharedLength(known, prompt)));
    const isWorthwhile = shared >= prompt.length * worthwhileShare && replica.busy <= leastBusy + mostBusier;
    return { replica, shared: isWorthwhile ? shared : 0 };
  });
  merits.sort(
    (a, b) =>
      b.shared - a.shared ||
      a.replica.busy - b.replica.busy ||
      a.replica.prompts.length - b.replica.prompts.length,
  );
  return merits[0]?.replica;
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

function remember({ prompts }: Replica, prompt: string): void {
  if (prompt === "") return;
  prompts.push(prompt);
  if (prompts.length > keptPrompts) prompts.shift();
}

/** Asks a server that failed how it is; any answer of one that has no such route is a sign of life. */
async function troubleOf(server: ServerAddress, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    await askServer(server, {
      url: ownRoute(server, "/health"),
      ...(signal === undefined ? {} : { signal }),
    });
    return undefined;
  } catch (error) {
    throwIfAborted(signal);
    const { retry } = failureDetails(error);
    return error instanceof CallwrightError && !retry ? undefined : error;
  }
}

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(Math.max(1, milliseconds), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}
