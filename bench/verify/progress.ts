// Says on stderr how far a long run is: done of total, rate and what remains. Knows nothing of what is run.
import { duration } from "../../src/bench/figures.ts";

export interface Progress {
  /** One more item is done; `note` says how it went. */
  step(note: string): void;
  finish(): void;
}

export interface ProgressOptions {
  readonly label: string;
  readonly total: number;
  /** Items that an earlier run had done already; they do not count for the rate. */
  readonly alreadyDone?: number;
  readonly output?: { readonly isTTY?: boolean; write(text: string): unknown };
  /** Milliseconds since some start. */
  readonly now?: () => number;
}

/** Rewrites one line on a terminal; elsewhere writes a line for every twentieth of the work. */
export function createProgress(options: ProgressOptions): Progress {
  const output = options.output ?? process.stderr;
  const now = options.now ?? (() => performance.now());
  const alreadyDone = options.alreadyDone ?? 0;
  const start = now();
  const stride = Math.max(1, Math.floor(options.total / 20));
  let done = alreadyDone;
  return {
    step(note) {
      done += 1;
      const seconds = (now() - start) / 1000;
      const rate = seconds > 0 ? (done - alreadyDone) / seconds : 0;
      const remaining = rate > 0 ? duration((options.total - done) / rate) : "?";
      const line = `${options.label} ${done}/${options.total}, ${rate.toFixed(2)}/s, ${remaining} left: ${note}`;
      if (output.isTTY === true) output.write(`\r\u001b[2K${line.slice(0, 118)}`);
      else if (done % stride === 0 || done === options.total) output.write(`${line}\n`);
    },
    finish() {
      if (output.isTTY === true) output.write("\n");
    },
  };
}
