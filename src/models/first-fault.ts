// The first fault of a checked file as people need it: the place, down to the key, and what is wrong there.
import type { ValueFault } from "../schema-grammar/validator.ts";
import { joinPointer } from "../vocabulary/index.ts";

export interface FirstFault {
  readonly pointer: string;
  readonly text: string;
}

/** Undefined where there is no fault. */
export function firstFault(faults: readonly ValueFault[]): FirstFault | undefined {
  const fault = faults[0];
  if (fault === undefined) return undefined;
  const { additionalProperty } = fault.params;
  if (typeof additionalProperty === "string") {
    return { pointer: joinPointer(fault.pointer, additionalProperty), text: "there is no such key" };
  }
  return { pointer: fault.pointer, text: `expected ${fault.expected}, came ${fault.came}` };
}
