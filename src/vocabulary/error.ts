// The caller's mistakes: wrong configuration, schemas that cannot be met, files that are not what they should be.
// A model's mistake is never an error but a value, and a tool's failure is a `ToolFailure`.

/** What went wrong, for programs. The message is for people and says what to do. */
export type ErrorCode =
  | "schema-invalid"
  | "schema-unsatisfiable"
  | "schema-too-deep"
  | "grammar-invalid"
  | "tool-duplicate"
  | "tool-invalid"
  | "tool-choice-unknown"
  | "request-invalid"
  | "context-overflow"
  | "model-missing"
  | "model-unknown"
  | "model-file-invalid"
  | "model-unsupported"
  | "model-download-failed"
  | "endpoint-unreachable"
  | "endpoint-refused"
  | "endpoint-invalid"
  | "endpoint-lost"
  | "data-missing"
  | "catalogue-invalid"
  | "profile-invalid"
  | "format-unknown"
  | "file-unreadable"
  | "runtime-mismatch"
  | "journal-invalid"
  | "session-unknown"
  | "session-busy"
  | "aborted";

export interface CallwrightErrorOptions {
  /** JSON pointer into the schema, tool list or configuration that is at fault. */
  readonly pointer?: string;
  readonly cause?: unknown;
  /** Figures behind the message, such as tokens by part. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Thrown for the caller's mistakes only. `code` is stable; `message` says what to change. */
export class CallwrightError extends Error {
  readonly code: ErrorCode;
  readonly pointer?: string;
  readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: CallwrightErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CallwrightError";
    this.code = code;
    if (options.pointer !== undefined) this.pointer = options.pointer;
    if (options.details !== undefined) this.details = options.details;
  }
}

/** Throws `aborted` where the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CallwrightError("aborted", "Aborted.", { cause: signal.reason });
}

/** Whether an error says that the work was aborted by the caller's signal. */
export function isAborted(error: unknown): boolean {
  return (
    (error instanceof CallwrightError && error.code === "aborted") ||
    (error instanceof Error && error.name === "AbortError")
  );
}
