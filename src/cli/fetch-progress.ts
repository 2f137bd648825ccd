// Shows how far a download is, on stderr: a bar that is redrawn on a terminal, a plain line every tenth elsewhere.
import type { FetchProgress } from "../models/index.ts";
import { visibleText } from "./visible-text.ts";

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressDisplay {
  show(progress: FetchProgress): void;
  /** A line of its own, above the bar. */
  notice(text: string): void;
  /** Leaves the terminal on a fresh line. */
  end(): void;
}

const redrawEvery = 100;
const barWidth = 24;

export function createFetchProgress(
  stream: ProgressStream = process.stderr,
  now: () => number = Date.now,
): ProgressDisplay {
  return stream.isTTY === true ? createBar(stream, now) : createLines(stream);
}

/** A count of bytes as people read it. */
export function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.round(bytes / 1e3)} kB`;
}

function createBar(stream: ProgressStream, now: () => number): ProgressDisplay {
  let drawnAt = 0;
  let isDrawn = false;
  let from: { readonly source: string; readonly at: number; readonly done: number } | undefined;
  const clear = () => {
    if (isDrawn) stream.write("\r\u001b[2K");
    isDrawn = false;
  };
  return {
    show(progress) {
      const at = now();
      if (from?.source !== progress.source) from = { source: progress.source, at, done: progress.done };
      if (at - drawnAt < redrawEvery && progress.done !== progress.total) return;
      drawnAt = at;
      const speed = at > from.at ? ((progress.done - from.done) / (at - from.at)) * 1000 : 0;
      clear();
      stream.write(barText(progress, speed).slice(0, (stream.columns ?? 100) - 1));
      isDrawn = true;
    },
    notice(text) {
      clear();
      stream.write(`${visibleText(text)}\n`);
    },
    end() {
      if (isDrawn) stream.write("\n");
      isDrawn = false;
    },
  };
}

function barText({ id, done, total }: FetchProgress, speed: number): string {
  const rate = speed > 0 ? `  ${formatBytes(speed)}/s` : "";
  if (total === undefined) return `${id}  ${formatBytes(done)}${rate}`;
  const filled = Math.floor((done / total) * barWidth);
  const bar = "#".repeat(filled) + "-".repeat(barWidth - filled);
  const percent = `${Math.floor((done / total) * 100)}`.padStart(3);
  return `${id}  [${bar}] ${percent} %  ${formatBytes(done)} of ${formatBytes(total)}${rate}`;
}

function createLines(stream: ProgressStream): ProgressDisplay {
  let shown = -1;
  return {
    show({ id, source, done, total }) {
      if (shown === -1) stream.write(`fetching ${id} from ${source}\n`);
      shown = Math.max(shown, 0);
      if (total === undefined) return;
      const tenth = Math.floor((done / total) * 10);
      if (tenth <= shown) return;
      shown = tenth;
      stream.write(`${id}: ${tenth * 10} % of ${formatBytes(total)}\n`);
    },
    notice: (text) => stream.write(`${visibleText(text)}\n`),
    end: () => undefined,
  };
}
