// A simulated world: a state, and tools that read and change it. What the tools of one world do stands in `worlds/`.
import { ToolFailure } from "../../tools/index.ts";
import type { JsonObject, JsonValue } from "../../vocabulary/index.ts";

/** A tool's function: changes the state in place and says what the model reads. Throws `ToolFailure`. */
export type WorldTool<State> = (state: State, input: JsonObject) => string;

export type WorldTools<State> = Readonly<Record<string, WorldTool<State>>>;

/** The entry of a record; a failure that says what there is, where it has none. */
export function entryOf<T>(record: Readonly<Record<string, T>>, key: string, noun: string): T {
  const found = Object.hasOwn(record, key) ? record[key] : undefined;
  if (found === undefined) throw new ToolFailure(`There is no ${noun} "${key}".`);
  return found;
}

/** A string of a valid input; the schema has made sure that it is one where it is required. */
export function textAt(input: JsonObject, key: string): string {
  return optionalText(input, key) ?? "";
}

export function optionalText(input: JsonObject, key: string): string | undefined {
  const value: JsonValue | undefined = input[key];
  return typeof value === "string" ? value : undefined;
}

export function optionalNumber(input: JsonObject, key: string): number | undefined {
  const value: JsonValue | undefined = input[key];
  return typeof value === "number" ? value : undefined;
}

export function lines(texts: readonly string[], none: string): string {
  return texts.length === 0 ? none : texts.join("\n");
}
