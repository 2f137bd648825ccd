// The time that a call may take, as a signal that is aborted with the run's or when the time is over.
import { ToolFailure } from "../tools/index.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects when the signal is aborted. */
  readonly reached: Promise<never>;
  isOver(): boolean;
  /** Does something whose time does not count. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
  clear(): void;
}

/** Starts the clock. */
export function createDeadline(outer: AbortSignal, milliseconds: number): Deadline {
  const controller = new AbortController();
  let isOver = false;
  let left = milliseconds;
  let since = 0;
  let paused = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    since = performance.now();
    timer = setTimeout(() => {
      isOver = true;
      controller.abort(new ToolFailure("The time is over."));
    }, left);
  };
  const stop = () => {
    clearTimeout(timer);
    left = Math.max(0, left - (performance.now() - since));
  };
  const abort = () => controller.abort(outer.reason);
  outer.addEventListener("abort", abort, { once: true });
  const reached = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), { once: true });
  });
  // A call that has ended has nobody waiting here.
  reached.catch(() => undefined);
  start();
  return {
    signal: controller.signal,
    reached,
    isOver: () => isOver,
    without: async (work) => {
      if (paused === 0) stop();
      paused += 1;
      try {
        return await work();
      } finally {
        paused -= 1;
        if (paused === 0 && !controller.signal.aborted) start();
      }
    },
    clear: () => {
      clearTimeout(timer);
      paused = Infinity;
      outer.removeEventListener("abort", abort);
    },
  };
}
