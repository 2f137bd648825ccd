// One holder at a time, in the order of asking, until it is closed.
import { CallwrightError, throwIfAborted } from "../../vocabulary/index.ts";

export class Mutex {
  /** Resolves when the last of those who asked has let go. */
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** Waits for its turn and gives what lets go. Throws `aborted`, at once, and `request-invalid` after `close`. */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    throwIfAborted(signal);
    if (this.#isClosed) throw new CallwrightError("request-invalid", "The model is closed.");
    const before = this.#last;
    let release = (): void => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await untilAborted(before, signal);
    } catch (error) {
      // Who comes next still waits for those before.
      void before.then(release);
      throw error;
    }
    return release;
  }

  /** Refuses whoever asks from now on; resolves when the last holder has let go. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
  }
}

async function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  let giveUp = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  signal.addEventListener("abort", giveUp, { once: true });
  await Promise.race([work, aborted]);
  signal.removeEventListener("abort", giveUp);
  throwIfAborted(signal);
}
