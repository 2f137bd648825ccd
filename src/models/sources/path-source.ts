// A file on this machine or a mounted share, read from its start. Copied like any other source, so that the cache
// keeps its promise of one checked file; whoever wants no copy names the path itself as the model.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type OpenedSource, type OpenOptions, type SourceChunk, SourceFault } from "./opened-source.ts";

/** Opens a file. Throws `SourceFault` where it cannot be read. */
export async function openPath(path: string, { signal }: Pick<OpenOptions, "signal">): Promise<OpenedSource> {
  const stats = await stat(path).catch((error: unknown) => {
    throw unreadable(error);
  });
  if (!stats.isFile()) throw new SourceFault("it is not a file");
  return { stated: { size: stats.size }, offset: 0, chunks: readChunks(path, signal) };
}

async function* readChunks(path: string, signal: AbortSignal): AsyncGenerator<SourceChunk> {
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
      yield { type: "bytes", bytes };
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(error);
  }
}

function unreadable(error: unknown): SourceFault {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  return new SourceFault(`it cannot be read (${reason})`, { cause: error });
}
