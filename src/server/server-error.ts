// A fault that the server itself finds: a request that may not come in, or cannot now.
import type { WireFault } from "../wire/wire-fault.ts";

/** Thrown inside the server, and written in the shape of the API that was asked. */
export class ServerError extends Error {
  readonly fault: WireFault;

  constructor(fault: WireFault) {
    super(fault.message);
    this.name = "ServerError";
    this.fault = fault;
  }
}
