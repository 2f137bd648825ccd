// Values in a JSON text with the places where they stand. Knows nothing of how they were read.
import { type JsonValue, joinPointer, pointerSteps } from "../vocabulary/index.ts";
import type { Locate } from "./format.ts";

/** A value in the text. `end` is -1 while it is open. Offsets count UTF-16 units from the reader's start. */
export interface JsonNode {
  readonly type: "object" | "array" | "string" | "scalar";
  readonly start: number;
  end: number;
  /** Where the key before it stands, with its quotes; absent for items and the root. */
  readonly key?: readonly [start: number, end: number];
  /** Set once the value is complete. */
  value: JsonValue | undefined;
  readonly members: Map<string, JsonNode>;
  readonly items: JsonNode[];
  /** Faults inside a string that a lenient reader passed over. */
  mended?: "escaped-backslashes" | "escaped-controls";
}

/** The node at a JSON pointer below `node`, if there is one. */
export function findNode(node: JsonNode | undefined, pointer: string): JsonNode | undefined {
  let found = node;
  for (const name of pointerSteps(pointer)) {
    found = found?.type === "array" ? found.items[Number(name)] : found?.members.get(name);
  }
  return found;
}

/** Where the value at a pointer below `node` stands, or its key; offsets moved by `base`. */
export function locateIn(node: JsonNode | undefined, base: number): Locate {
  return (pointer, part = "value") => {
    const found = findNode(node, pointer);
    const range = part === "key" ? found?.key : found && ([found.start, found.end] as const);
    return range === undefined ? undefined : [base + range[0], base + range[1]];
  };
}

/** Rules by which strings below `node` were mended, each with the string's pointer. */
export function mendedStrings(node: JsonNode, pointer = ""): string[] {
  const own = node.mended === undefined ? [] : [`${node.mended}:${pointer}`];
  const members = [...node.members].flatMap(([name, member]) =>
    mendedStrings(member, joinPointer(pointer, name)),
  );
  return [
    ...own,
    ...members,
    ...node.items.flatMap((item, index) => mendedStrings(item, joinPointer(pointer, index))),
  ];
}

/** The value of a complete object or array, from its parts. */
export function collectValue(node: JsonNode): JsonValue {
  if (node.type === "array") return node.items.map(nodeValue);
  const value: Record<string, JsonValue> = {};
  for (const [name, member] of node.members) {
    // A plain assignment to `__proto__` would set the prototype instead of a key.
    Object.defineProperty(value, name, {
      value: nodeValue(member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return value;
}

function nodeValue(node: JsonNode): JsonValue {
  return node.value ?? null;
}
