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

export function streamFrames(
  frames: AsyncGenerator<string>,
  { keepAlive, keepAliveMilliseconds, signal, onCancel, onEnd }: StreamFramesOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string>> | undefined;
  let isReading = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (): void => {
        // Whoever reads gets the last frames; who has stopped reading must not hold the model.
        if (isReading) return;
        void frames.return(undefined).finally(onEnd);
        controller.error(signal.reason);
      };
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
