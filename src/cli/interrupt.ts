// Ctrl-C: once aborts what is running and lets it clean up, twice exits at once.
import { CallwrightError } from "../vocabulary/index.ts";
import { exitCodes } from "./exit-codes.ts";

let controller: AbortController | undefined;

/** The signal of the whole process, aborted by the first SIGINT, SIGTERM or SIGHUP. */
export function interruptSignal(): AbortSignal {
  if (controller !== undefined) return controller.signal;
  const created = new AbortController();
  controller = created;
  const interrupt = () => {
    if (created.signal.aborted) process.exit(exitCodes.interrupted);
    created.abort(new CallwrightError("aborted", "Interrupted."));
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  // The terminal was closed: what is half done is cleaned up as well.
  process.on("SIGHUP", interrupt);
  return created.signal;
}

/** Runs an action that ends early where the process is interrupted. */
export function withInterrupt<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return action(interruptSignal());
}
