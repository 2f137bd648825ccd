// What every source of a model file gives: bytes in order, what it says about the whole, and where it may be resumed.
// Knows nothing of where the bytes go, and checks no hash.

/** A partial file: its first `offset` bytes came from a source in this `state`. */
export interface ResumePoint {
  readonly offset: number;
  readonly state: string;
}

export interface OpenOptions {
  readonly resume?: ResumePoint;
  readonly signal: AbortSignal;
  /** Milliseconds within which the source has to answer. */
  readonly answerWithin: number;
  /** Milliseconds without a byte after which a transfer counts as broken. */
  readonly stallAfter: number;
  /** A folder of the source's own; it is removed afterwards. */
  readonly workFolder: string;
  /** Told of bytes that are under way but not given out yet. */
  readonly onPending?: (bytes: number) => void;
}

/** What is said of a whole file, as far as it is known. */
export interface FileStatement {
  readonly size?: number;
  readonly sha256?: string;
}

export interface OpenedSource {
  readonly stated: FileStatement;
  /** Where in the file the bytes begin: the resume point's offset, or 0. */
  readonly offset: number;
  readonly chunks: AsyncIterable<SourceChunk>;
  /** Set where the transfer can be resumed at any byte, with this state. */
  readonly state?: string;
}

export type SourceChunk =
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  /** What was given so far can be resumed from here with this state. */
  | { readonly type: "checkpoint"; readonly state: string };

/** A source that cannot be used, and why. `retry`: the transfer broke, and may go on if tried again. */
export class SourceFault extends Error {
  readonly retry: boolean;

  constructor(reason: string, options: { readonly retry?: boolean; readonly cause?: unknown } = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SourceFault";
    this.retry = options.retry ?? false;
  }
}

/** Refuses a source that has another file than expected, before a byte of it is read. */
export function refuseOtherFile(stated: FileStatement, expected: FileStatement): void {
  if (stated.size !== undefined && expected.size !== undefined && stated.size !== expected.size) {
    throw new SourceFault(`it has a file of ${stated.size} bytes, ${expected.size} were expected`);
  }
  if (stated.sha256 !== undefined && expected.sha256 !== undefined && stated.sha256 !== expected.sha256) {
    throw new SourceFault(`it has a file with SHA-256 ${stated.sha256}, ${expected.sha256} was expected`);
  }
}
