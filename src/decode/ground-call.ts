// Leaves out of a valid call the optional arguments that nothing in the conversation speaks of, where the profile asks for it.
import type { OfferedTool } from "../formats/index.ts";
import { isJsonObject, type JsonObject } from "../vocabulary/index.ts";
import { checkCall } from "./check-call.ts";
import { ungroundedKeys } from "./ground-values.ts";
import type { Turn } from "./turn.ts";

export interface ShortenedCall {
  readonly input: JsonObject;
  /** The input as JSON. */
  readonly text: string;
  /** What was left out, each as the text of one member. */
  readonly dropped: readonly string[];
}

/** Whether arguments of the tool may be left out, so that nothing of a call can be shown before it is complete. */
export function mayShorten({ ground }: Turn, { inputSchema }: OfferedTool): boolean {
  if (ground === undefined || !isJsonObject(inputSchema) || !isJsonObject(inputSchema.properties))
    return false;
  const { properties, required } = inputSchema;
  return Object.keys(properties).some((key) => !Array.isArray(required) || !required.includes(key));
}

/** The call without its inventions; undefined where it stays as it is. */
export function groundCall(
  { ground }: Turn,
  tool: OfferedTool,
  input: JsonObject,
): ShortenedCall | undefined {
  if (ground === undefined) return undefined;
  const keys = ungroundedKeys(tool, input, ground);
  if (keys.length === 0) return undefined;
  const members = Object.entries(input);
  const rest = Object.fromEntries(members.filter(([key]) => !keys.includes(key)));
  // A number of more digits than a double keeps would be written as another one.
  if (checkCall({ name: tool.name, input: rest }, [tool]).length > 0 || holdsLargeNumber(rest))
    return undefined;
  const dropped = members.filter(([key]) => keys.includes(key));
  return {
    input: rest,
    text: JSON.stringify(rest),
    dropped: dropped.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`),
  };
}

function holdsLargeNumber(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsLargeNumber);
}
