// Which files a model has seen, in which state: nothing is changed that was not read before, or changed since.
import { createHash } from "node:crypto";
import { ToolFailure } from "../tool.ts";

export interface SeenFiles {
  /** Notes that the model knows the file as these bytes; null: it knows that there is none. */
  note(real: string, bytes: Uint8Array | null): void;
  /** Throws `ToolFailure` where the file is not as the model last saw it, or was never seen. */
  check(real: string, name: string, bytes: Uint8Array): void;
}

/** Keeps hashes, not texts. */
export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, string>();
  return {
    note: (real, bytes) => {
      if (bytes === null) seen.delete(real);
      else seen.set(real, hashOf(bytes));
    },
    check: (real, name, bytes) => {
      const known = seen.get(real);
      if (known === undefined) throw new ToolFailure(`Read "${name}" before you change it.`);
      if (known !== hashOf(bytes)) {
        throw new ToolFailure(`"${name}" has changed since it was read: read it again.`);
      }
    },
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
