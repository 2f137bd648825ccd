// The exit codes of every command, and which error gives which.
import { CallwrightError, type ErrorCode, isAborted, type RunEndReason } from "../vocabulary/index.ts";

export const exitCodes = {
  done: 0,
  bug: 1,
  usage: 2,
  model: 3,
  context: 4,
  unfinished: 5,
  refused: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The table that stands in the help text. */
export const exitCodeHelp = `
Exit codes:
  0    done
  1    a fault of Callwright itself
  2    wrong use: options, files, tools or schemas that are not what they should be
  3    a model that is missing, damaged, unknown or cannot be fetched or run; a server that does not answer as it should
  4    the request does not fit the model's window
  5    the model came to no answer or no valid call within its bounds; a run that lost too much (bench compare)
  6    a text that the grammar refuses (grammar --accepts), a damaged model file (models verify)
  130  interrupted

With --json an error is, besides its line on stderr, the last line of stdout:
  {"type":"error","code":"model-missing","message":"…"}`;

/** The exit code of a run by why it ended. */
export function exitCodeOfRun(reason: RunEndReason): ExitCode {
  switch (reason) {
    case "done":
    case "stopped":
      return exitCodes.done;
    case "aborted":
      return exitCodes.interrupted;
    case "length":
    case "invalid":
    case "step-limit":
    case "budget":
    case "loop":
    case "denied":
    case "error":
      return exitCodes.unfinished;
    default:
      return reason satisfies never;
  }
}

/** The exit code of what a command threw. */
export function exitCodeOfError(error: unknown): ExitCode {
  if (isAborted(error)) return exitCodes.interrupted;
  return error instanceof CallwrightError ? exitCodeOfCode(error.code) : exitCodes.bug;
}

function exitCodeOfCode(code: ErrorCode): ExitCode {
  switch (code) {
    case "model-missing":
    case "model-unknown":
    case "model-file-invalid":
    case "model-unsupported":
    case "model-download-failed":
    case "endpoint-unreachable":
    case "endpoint-refused":
    case "endpoint-invalid":
    case "endpoint-lost":
    case "runtime-mismatch":
      return exitCodes.model;
    case "context-overflow":
      return exitCodes.context;
    case "aborted":
      return exitCodes.interrupted;
    case "schema-invalid":
    case "schema-unsatisfiable":
    case "schema-too-deep":
    case "grammar-invalid":
    case "tool-duplicate":
    case "tool-invalid":
    case "tool-choice-unknown":
    case "request-invalid":
    case "data-missing":
    case "catalogue-invalid":
    case "profile-invalid":
    case "format-unknown":
    case "file-unreadable":
    case "journal-invalid":
    case "session-unknown":
    case "session-busy":
      return exitCodes.usage;
    default:
      return code satisfies never;
  }
}
