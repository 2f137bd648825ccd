// Writes calls as a model that uses code fences does, for scripts of the scripted model.
import type { JsonValue } from "../../src/vocabulary/index.ts";

export interface WrittenCall {
  readonly name: string;
  readonly arguments: JsonValue;
}

/** The profile under which these texts are calls. */
export const fenceProfile = { name: "scripted", format: "json-fence", openers: ["json-fence"] } as const;

export function writeCalls(...calls: readonly WrittenCall[]): string {
  return calls
    .map(
      (call) =>
        `\`\`\`json\n${JSON.stringify({ name: call.name, arguments: call.arguments }, null, 2)}\n\`\`\``,
    )
    .join("\n");
}
