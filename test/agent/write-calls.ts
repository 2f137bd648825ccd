// Writes calls as a model that uses code fences does, for scripts of the scripted model.
import { jsonFence } from "../../src/formats/json-fence.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";

export interface WrittenCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The profile under which these texts are calls. */
export const fenceProfile = { name: "scripted", format: "json-fence", openers: ["json-fence"] } as const;

export function writeCalls(...calls: readonly WrittenCall[]): string {
  const written = calls.map((call) => ({ name: call.name, input: call.arguments }));
  return jsonFence.writeCalls(written, { parallel: true, spacing: "spaced" });
}
