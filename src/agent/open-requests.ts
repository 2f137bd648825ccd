// The requests of one engine that are under way, and how all of them are ended together.
// Knows nothing of what a request is: it is an iterable of events that a signal stops.
import { CallwrightError } from "../vocabulary/index.ts";

export interface OpenRequests {
  /** Aborted when the requests are ended. */
  readonly signal: AbortSignal;
  /**
   * An iterable that starts when it is first read. What `start` throws is thrown to whoever reads; after `end` that is
   * `request-invalid`.
   */
  add<T>(start: (ended: AbortSignal) => AsyncGenerator<T>): AsyncIterableIterator<T>;
  /** Aborts every request and waits until each has come to its end, whether or not anybody reads it. */
  end(): Promise<void>;
}

/** Whoever holds a request without reading on finds its last events later. */
interface OpenRequest {
  readonly readAhead: () => Promise<void>;
}

export function createOpenRequests(): OpenRequests {
  const controller = new AbortController();
  const open = new Set<OpenRequest>();
  return {
    signal: controller.signal,
    add: (start) =>
      createRequest(() => {
        if (controller.signal.aborted) throw new CallwrightError("request-invalid", "The engine is closed.");
        return start(controller.signal);
      }, open),
    end: async () => {
      controller.abort(new CallwrightError("aborted", "The engine was closed."));
      await Promise.all([...open].map((request) => request.readAhead()));
    },
  };
}

function createRequest<T>(start: () => AsyncGenerator<T>, open: Set<OpenRequest>): AsyncIterableIterator<T> {
  const ahead: Promise<IteratorResult<T>>[] = [];
  let events: AsyncGenerator<T> | undefined;
  let isLeft = false;
  const step = (generator: AsyncGenerator<T>): Promise<IteratorResult<T>> => {
    const result = generator.next();
    const settle = ({ done }: IteratorResult<T>) => done && open.delete(request);
    // What went wrong is thrown to whoever reads the step.
    void result.then(settle, () => open.delete(request));
    return result;
  };
  const request: OpenRequest = {
    readAhead: async () => {
      while (events !== undefined && open.has(request)) {
        const result = step(events);
        ahead.push(result);
        // Here only its end matters: what went wrong is thrown to whoever reads the step.
        await result.catch(() => undefined);
      }
    },
  };
  return {
    next: async () => {
      if (isLeft) return { done: true, value: undefined };
      if (events === undefined) {
        events = start();
        open.add(request);
      }
      return ahead.shift() ?? step(events);
    },
    return: async () => {
      isLeft = true;
      await events?.return(undefined);
      open.delete(request);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
