#!/usr/bin/env node
// The binary: runs the program, prints one line for what went wrong and sets the exit code.
import { CallwrightError, isAborted } from "../vocabulary/index.ts";
import { CommanderError } from "./commander.ts";
import { exitCodeOfError, exitCodes } from "./exit-codes.ts";
import { createProgram } from "./program.ts";
import { visibleText } from "./visible-text.ts";

process.stdout.on("error", leaveQuietly);

try {
  await createProgram().parseAsync();
} catch (error) {
  // A code that a command has set before something else failed while cleaning up is not overwritten by success.
  process.exitCode = report(error);
  // A runtime that was stopped while it loaded may hold the process open though nothing is left to do.
  if (process.exitCode === exitCodes.interrupted) process.exit();
}

/** Whoever reads our output may stop reading; that is no error. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? exitCodes.done);
  process.stderr.write(`callwright: the output cannot be written: ${error.message}\n`);
  process.exit(exitCodes.usage);
}

function report(error: unknown): number {
  // Commander has printed its line already; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  const wantsStack = process.env.CALLWRIGHT_DEBUG !== undefined && process.env.CALLWRIGHT_DEBUG !== "";
  const text = wantsStack && error instanceof Error ? (error.stack ?? error.message) : describe(error);
  process.stderr.write(`callwright: ${visibleText(text)}\n`);
  return exitCodeOfError(error);
}

function describe(error: unknown): string {
  if (isAborted(error)) return "interrupted";
  const message = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
  if (error instanceof CallwrightError) {
    const { pointer } = error;
    const isNamed = pointer === undefined || message.includes(` at ${pointer || "its root"}:`);
    return isNamed ? message : `${message} (at ${pointer || "the root"})`;
  }
  return `unexpected failure: ${message} (set CALLWRIGHT_DEBUG=1 to see where)`;
}
