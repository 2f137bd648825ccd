// Finds what is no JSON in a value that a program handed in: cycles, functions, BigInts, numbers that are none.
// A key whose value is undefined counts as absent, as `JSON.stringify` has it.
import { joinPointer } from "./json-pointer.ts";

export interface NonJson {
  /** JSON pointer to it. */
  readonly pointer: string;
  readonly came: string;
}

/** Levels of nesting below which nothing is looked at; the walk has to end before the stack does. */
const deepest = 1000;

/** The first part of a value that JSON cannot say; undefined where there is none. */
export function findNonJson(value: unknown): NonJson | undefined {
  const above = new Set<object>();
  const seen = new Set<object>();
  const visit = (part: unknown, pointer: string): NonJson | undefined => {
    if (typeof part !== "object" || part === null)
      return isJsonScalar(part) ? undefined : describe(part, pointer);
    if (above.has(part)) return { pointer, came: "a value that holds itself" };
    if (seen.has(part)) return undefined;
    if (above.size >= deepest) return { pointer, came: `more than ${deepest} levels of nesting` };
    above.add(part);
    for (const [key, inner] of entriesOf(part)) {
      const found = visit(inner, joinPointer(pointer, key));
      if (found !== undefined) return found;
    }
    above.delete(part);
    seen.add(part);
    return undefined;
  };
  return visit(value, "");
}

function entriesOf(part: object): readonly (readonly [string, unknown])[] {
  if (Array.isArray(part)) return Array.from(part, (inner: unknown, at) => [String(at), inner] as const);
  return Object.entries(part).filter(([, inner]) => inner !== undefined);
}

function isJsonScalar(part: unknown): boolean {
  if (typeof part === "number") return Number.isFinite(part);
  return part === null || typeof part === "string" || typeof part === "boolean";
}

function describe(part: unknown, pointer: string): NonJson {
  if (typeof part === "number" || part === undefined) return { pointer, came: String(part) };
  return { pointer, came: `a ${typeof part}` };
}
