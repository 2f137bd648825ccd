// How many cores other programs leave to this one. Threads that wait for each other spin, so that two threads beside a
// busy neighbour are slower than one: the number of threads has to follow the load.
import { cpus } from "node:os";

interface Sample {
  /** Milliseconds since the epoch of `performance`. */
  readonly at: number;
  /** Busy milliseconds of all cores together, and of this process. */
  readonly busy: number;
  readonly own: number;
}

/** Milliseconds between two looks; shorter ones say little, since the system counts in steps of 10. */
const interval = 400;

/** Gives the number of cores to use, between 1 and `most`; looks anew at most every 0.4 s. */
export function createFreeCores(most: number, look: () => Sample = lookNow): () => number {
  let last = look();
  let free = most;
  return () => {
    const now = look();
    const elapsed = now.at - last.at;
    if (elapsed < interval) return free;
    const foreign = Math.max(0, now.busy - last.busy - (now.own - last.own)) / elapsed;
    last = now;
    free = Math.min(most, Math.max(1, Math.round(most - foreign)));
    return free;
  };
}

function lookNow(): Sample {
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const own = process.cpuUsage();
  return { at: performance.now(), busy, own: (own.user + own.system) / 1000 };
}
