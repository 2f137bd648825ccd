// How far a bench is, on stderr: one line that is redrawn on a terminal, else a line for every twentieth of the run.
import { duration } from "../bench/figures.ts";
import type { BenchProgress } from "../bench/run-suite.ts";

export function createBenchProgress(stream: NodeJS.WriteStream) {
  let started = performance.now();
  let isDrawn = false;
  return {
    fetching: () => {
      stream.write("fetching the suite's data, once\n");
    },
    start: (path: string) => {
      started = performance.now();
      stream.write(`results go to ${path}\n`);
    },
    show: ({ done, total, asked, last }: BenchProgress) => {
      if (last === undefined) {
        if (done > 0) stream.write(`${done} of ${total} were answered before\n`);
        return;
      }
      const rate = asked / ((performance.now() - started) / 1000);
      const left = duration((total - done) / rate);
      const line = `${done}/${total}, ${rate.toFixed(2)}/s, ${left} left: ${last.id} ${last.verdict.fault ?? "right"}`;
      isDrawn = stream.isTTY;
      if (stream.isTTY) stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`);
      else if (done % Math.max(1, Math.floor(total / 20)) === 0 || done === total) stream.write(`${line}\n`);
    },
    end: () => {
      if (isDrawn) stream.write("\n");
      isDrawn = false;
    },
  };
}
