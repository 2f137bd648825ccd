// Several formats may share an opener. Their readers run side by side until one has read its whole section, or none can;
// what the others said is then dropped. Knows nothing of any format.
import type { CallReader, CallReaderEvent } from "./format.ts";

interface Candidate {
  readonly reader: CallReader;
  held: CallReaderEvent[];
  isBroken: boolean;
}

/** One reader over several, in order of preference. With a single one it is that reader. */
export function combineReaders(readers: readonly [CallReader, ...CallReader[]]): CallReader {
  if (readers.length === 1) return readers[0];
  const candidates: Candidate[] = readers.map((reader) => ({ reader, held: [], isBroken: false }));
  let chosen: CallReader | undefined;

  function feed(read: (reader: CallReader) => readonly CallReaderEvent[]): readonly CallReaderEvent[] {
    if (chosen !== undefined) return read(chosen);
    for (const candidate of candidates) {
      const events = read(candidate.reader);
      candidate.held.push(...events);
      candidate.isBroken ||= events.some((event) => event.type === "call-broken");
    }
    const winner = choose();
    if (winner === undefined) return [];
    chosen = winner.reader;
    return winner.held;
  }

  function choose(): Candidate | undefined {
    const complete = candidates.find(
      ({ held, isBroken }) => !isBroken && held.some((event) => event.type === "section-end"),
    );
    if (complete !== undefined) return complete;
    // The last one that is not broken is not chosen yet: it may break as well, and then not have come furthest.
    if (candidates.some(({ isBroken }) => !isBroken)) return undefined;
    return candidates.reduce((best, next) => (progress(next) > progress(best) ? next : best));
  }

  return {
    push: (text) => feed((reader) => reader.push(text)),
    finish: () => feed((reader) => reader.finish()),
  };
}

/** How far a broken reader came. */
function progress({ held }: Candidate): number {
  const broken = held.find((event) => event.type === "call-broken");
  return broken?.type === "call-broken" ? broken.at : 0;
}
