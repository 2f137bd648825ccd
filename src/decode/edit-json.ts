// Reads and changes a JSON value at a pointer. Nothing given is changed: an edit is a new value.
import { isJsonObject, type JsonObject, type JsonValue, pointerSteps } from "../vocabulary/index.ts";

/** The value at the pointer, or undefined where there is none. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const part of pointerSteps(pointer)) found = childOf(found, part);
  return found;
}

/** The value with the one at the pointer put in place. */
export function withValueAt(value: JsonValue, pointer: string, replacement: JsonValue): JsonValue {
  return editAt(value, pointerSteps(pointer), () => replacement);
}

/** The value without the key at the pointer; items of lists stay. */
export function withoutKeyAt(value: JsonValue, pointer: string): JsonValue {
  const parts = pointerSteps(pointer);
  const key = parts.at(-1);
  return editAt(value, parts.slice(0, -1), (holder) =>
    isJsonObject(holder)
      ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key))
      : holder,
  );
}

function childOf(value: JsonValue | undefined, part: string): JsonValue | undefined {
  if (Array.isArray(value)) return (value as readonly JsonValue[])[Number(part)];
  return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

function editAt(
  value: JsonValue,
  parts: readonly string[],
  edit: (value: JsonValue) => JsonValue,
): JsonValue {
  const [part, ...rest] = parts;
  if (part === undefined) return edit(value);
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) => (String(index) === part ? editAt(item, rest, edit) : item));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as JsonObject).map(([key, inner]) => [
    key,
    key === part ? editAt(inner, rest, edit) : inner,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
