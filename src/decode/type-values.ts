// Gives values that a format writes as raw text their types, by the tool's schema: a declared string stays the text it is,
// anything else is read as JSON where the schema then allows it. Changes nothing that is valid as text.
import { type JsonValue, joinPointer, pointerSteps } from "../vocabulary/index.ts";
import { type CheckedTool, checkCall, type UncheckedCall } from "./check-call.ts";
import { valueAt, withValueAt } from "./edit-json.ts";

/** The call with its top-level values typed. Values that fit neither way stay text, for the check to refuse. */
export function typeValues(call: UncheckedCall, tools: readonly CheckedTool[]): UncheckedCall {
  let typed = call;
  const keys = new Set(checkCall(call, tools).map((fault) => pointerSteps(fault.pointer)[0]));
  for (const key of keys) {
    if (key === undefined) continue;
    const pointer = joinPointer("", key);
    const raw = valueAt(typed.input, pointer);
    const value = typeof raw === "string" ? readJson(raw) : undefined;
    if (value === undefined) continue;
    const candidate = { ...typed, input: withValueAt(typed.input, pointer, value) };
    if (isBetter(candidate, typed, pointer, tools)) typed = candidate;
  }
  return typed;
}

/** A value is taken if nothing is wrong with it any more, or if what is wrong now lies inside it. */
function isBetter(
  candidate: UncheckedCall,
  current: UncheckedCall,
  pointer: string,
  tools: readonly CheckedTool[],
): boolean {
  const before = placesOf(current, pointer, tools);
  const after = placesOf(candidate, pointer, tools);
  return after.length === 0 || (before.includes(pointer) && !after.includes(pointer));
}

function placesOf(call: UncheckedCall, pointer: string, tools: readonly CheckedTool[]): readonly string[] {
  return checkCall(call, tools)
    .map((fault) => fault.pointer)
    .filter((place) => place === pointer || place.startsWith(`${pointer}/`));
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.trim()) as JsonValue;
  } catch {
    // Text that is no JSON can only be a string.
    return undefined;
  }
}
