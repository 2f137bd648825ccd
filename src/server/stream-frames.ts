// Frames of a reply as a body that a client reads: shows that it lives while nothing can be said, and ends the work behind it when
// the client goes, or stops reading and the time is over. Knows neither frames nor models.

export interface StreamFramesOptions {
  readonly keepAlive: string;
  readonly keepAliveMilliseconds: number;
  /** Ends the frames even if nobody reads on. */
  readonly signal: AbortSignal;
  /** The client went away. */
  readonly onCancel: () => void;
  /** Nobody will read on; called also where the frames never began. */
  readonly onEnd: () => void;
}

/** How long a reader has for the last frames. */
const graceMilliseconds = 1000;

export function streamFrames(
  frames: AsyncGenerator<string>,
  { keepAlive, keepAliveMilliseconds, signal, onCancel, onEnd }: StreamFramesOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined;
  let isReading = false;
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // Whoever reads gets the last frames; who has stopped reading must not hold the model.
      const force = (): void => {
        if (isReading || isOver) return;
        isOver = true;
        void frames.return(undefined).finally(onEnd);
        controller.error(signal.reason);
      };
      const end = () => setTimeout(force, graceMilliseconds).unref();
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    },
    async pull(controller) {
      isReading = true;
      try {
        do {
          next ??= frames.next();
          const result = await orTimeout(next, keepAliveMilliseconds);
          if (result === undefined) {
            controller.enqueue(encoder.encode(keepAlive));
            continue;
          }
          next = undefined;
          if (result.done === true) {
            isOver = true;
            controller.close();
            return;
          }
          controller.enqueue(encoder.encode(result.value));
          // After its end nobody may be asked to read on.
        } while (signal.aborted);
      } finally {
        isReading = false;
      }
    },
    async cancel() {
      isOver = true;
      onCancel();
      await frames.return(undefined);
      onEnd();
    },
  });
}

async function orTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
