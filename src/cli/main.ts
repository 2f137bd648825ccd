#!/usr/bin/env node
// The binary: runs the program, prints one line for what went wrong and sets the exit code.
import { CallwrightError, isAborted } from "../vocabulary/index.ts";
import { CommanderError } from "./commander.ts";
import { exitCodeOfError, exitCodes } from "./exit-codes.ts";
import { createProgram } from "./program.ts";
import { jsonLine, visibleText } from "./visible-text.ts";

process.stdout.on("error", leaveQuietly);

const program = createProgram();
let wantsJson = false;
program.hook("preAction", (_program, command) => {
  wantsJson = command.opts().json === true;
});

try {
  await program.parseAsync();
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
  if (wantsJson) process.stdout.write(jsonLine(errorRecord(error)));
  return exitCodeOfError(error);
}

/** What a program that reads `--json` is told. */
function errorRecord(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  if (isAborted(error)) return { type: "error", code: "aborted", message };
  if (!(error instanceof CallwrightError)) return { type: "error", code: "unexpected", message };
  const { code, pointer } = error;
  return { type: "error", code, message, ...(pointer === undefined ? {} : { pointer }) };
}

function describe(error: unknown): string {
  if (isAborted(error)) return "interrupted";
  const message = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
  if (error instanceof CallwrightError) {
    const { pointer } = error;
    // The root is the whole of what the message speaks of already.
    const isNamed = pointer === undefined || pointer === "" || message.includes(` at ${pointer}:`);
    return isNamed ? message : `${message} (at ${pointer})`;
  }
  return `unexpected failure: ${message} (set CALLWRIGHT_DEBUG=1 to see where)`;
}
