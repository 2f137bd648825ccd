// Whether calls are those that an item of ours wants: the same tools in any order, the same arguments as JSON values.
// Knows no schema but where a `default` makes a value and its absence the same.
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  joinPointer,
} from "../../vocabulary/index.ts";
import type { AnsweredCall } from "../bench-item.ts";
import { readJson } from "../read-json.ts";

/** A wanted call. Pointers are JSON pointers into `arguments`; `*` in them stands for any place of a list. */
export interface WantedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Places where other values, or none, are as right. They replace what `arguments` says there. */
  readonly accept?: Readonly<Record<string, AcceptedValues>>;
}

export type AcceptedValues =
  | {
      readonly values: readonly JsonValue[];
      /** Whether the place may be left out. */
      readonly absent?: boolean;
    }
  /** Whatever stands there says nothing about the call. */
  | { readonly any: true };

/** What the suite says of a tool beside its description. */
export interface ToolNotes {
  readonly inputSchema: JsonSchema;
  /** Texts in people's words: compared without case, spacing, quotes around them and a full stop at the end. */
  readonly freeText?: readonly string[];
  /** Lists whose order says nothing. */
  readonly unordered?: readonly string[];
}

export type CallsFault =
  | "missed-call"
  | "unwanted-call"
  | "wrong-count"
  | "wrong-tool"
  | "unreadable-arguments"
  | "missing-argument"
  | "extra-argument"
  | "wrong-value";

/** Undefined where the calls are right, else the kind of the first fault found. */
export function judgeCalls(
  calls: readonly AnsweredCall[],
  wanted: readonly WantedCall[],
  tools: Readonly<Record<string, ToolNotes>>,
): CallsFault | undefined {
  if (wanted.length === 0) return calls.length === 0 ? undefined : "unwanted-call";
  if (calls.length === 0) return "missed-call";
  if (calls.length !== wanted.length) return "wrong-count";
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();
  if (names(calls).join("\n") !== names(wanted).join("\n")) return "wrong-tool";
  const given = calls.map(({ text }) => readJson(text));
  if (given.includes(undefined)) return "unreadable-arguments";
  const fault = (at: number, want: WantedCall): CallsFault | undefined =>
    calls[at]?.name === want.name ? compareCall(given[at] ?? null, want, tools[want.name]) : "wrong-tool";
  if (canPair(wanted, given.length, (want, at) => fault(at, want) === undefined)) return undefined;
  const [first] = wanted;
  const at = calls.findIndex(({ name }) => name === first?.name);
  // With several calls the kinds are those of the first wanted one, or a wrong value somewhere.
  return (first === undefined ? undefined : fault(at, first)) ?? "wrong-value";
}

function compareCall(
  given: JsonValue,
  want: WantedCall,
  notes: ToolNotes | undefined,
): CallsFault | undefined {
  const matcher: Comparison = {
    accept: Object.entries(want.accept ?? {}),
    freeText: notes?.freeText ?? [],
    unordered: notes?.unordered ?? [],
  };
  return compareValue(matcher, { given, want: want.arguments, pointer: "", schema: notes?.inputSchema });
}

interface Comparison {
  readonly accept: readonly (readonly [pointer: string, accepted: AcceptedValues])[];
  readonly freeText: readonly string[];
  readonly unordered: readonly string[];
}

/** A place in both values; `undefined` where one of them has nothing there. */
interface Place {
  readonly given: JsonValue | undefined;
  readonly want: JsonValue | undefined;
  readonly pointer: string;
  readonly schema: JsonSchema | undefined;
}

function compareValue(comparison: Comparison, place: Place): CallsFault | undefined {
  const { pointer, schema } = place;
  const accepted = comparison.accept.find(([pattern]) => fits(pattern, pointer))?.[1];
  if (accepted !== undefined) return compareAccepted(comparison, place, accepted);
  const { given = defaultOf(schema), want = defaultOf(schema) } = place;
  if (given === undefined || want === undefined) {
    if (given === want) return undefined;
    return given === undefined ? "missing-argument" : "extra-argument";
  }
  if (typeof given === "string" && typeof want === "string") {
    const isFree = comparison.freeText.some((pattern) => fits(pattern, pointer));
    const same = isFree ? plainText(given) === plainText(want) : given === want;
    return same ? undefined : "wrong-value";
  }
  if (Array.isArray(given) && Array.isArray(want)) {
    return compareLists(comparison, { given, want, pointer, schema });
  }
  if (isJsonObject(given) && isJsonObject(want)) {
    const keys = [...new Set([...Object.keys(want), ...Object.keys(given)])];
    const faults = keys.map((key) =>
      compareValue(comparison, {
        given: given[key],
        want: want[key],
        pointer: joinPointer(pointer, key),
        schema: propertyOf(schema, key),
      }),
    );
    return faults.find((fault) => fault !== undefined);
  }
  return given === want ? undefined : "wrong-value";
}

function compareAccepted(
  comparison: Comparison,
  place: Place,
  accepted: AcceptedValues,
): CallsFault | undefined {
  if ("any" in accepted) return undefined;
  const { values, absent = false } = accepted;
  if (place.given === undefined) return absent ? undefined : "missing-argument";
  const open = { ...comparison, accept: [] };
  const isOne = values.some((want) => compareValue(open, { ...place, want }) === undefined);
  return isOne ? undefined : "wrong-value";
}

function compareLists(
  comparison: Comparison,
  lists: {
    readonly given: readonly JsonValue[];
    readonly want: readonly JsonValue[];
    readonly pointer: string;
    readonly schema: JsonSchema | undefined;
  },
): CallsFault | undefined {
  const { given, want, pointer, schema } = lists;
  if (given.length !== want.length) return "wrong-value";
  const items = keyword(schema, "items");
  const compareAt = (at: number, wanted: JsonValue) =>
    compareValue(comparison, {
      given: given[at],
      want: wanted,
      pointer: joinPointer(pointer, at),
      schema: items as JsonSchema | undefined,
    });
  if (comparison.unordered.some((pattern) => fits(pattern, pointer))) {
    return canPair(want, given.length, (wanted, at) => compareAt(at, wanted) === undefined)
      ? undefined
      : "wrong-value";
  }
  return want.map((wanted, at) => compareAt(at, wanted)).find((fault) => fault !== undefined);
}

/** Whether each wanted thing gets a given one of its own, tried with going back. */
function canPair<T>(
  wanted: readonly T[],
  given: number,
  fitsAt: (want: T, at: number) => boolean,
  taken: ReadonlySet<number> = new Set(),
): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return true;
  return Array.from({ length: given }, (_, at) => at).some(
    (at) => !taken.has(at) && fitsAt(first, at) && canPair(rest, given, fitsAt, new Set([...taken, at])),
  );
}

/** Whether a pointer is the pattern's, whose `*` stands for one step. */
function fits(pattern: string, pointer: string): boolean {
  const steps = pointer.split("/");
  const wanted = pattern.split("/");
  return steps.length === wanted.length && wanted.every((step, at) => step === "*" || step === steps[at]);
}

function plainText(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[‘’]/g, "'")
    .replace(/^["'\s]+|["'.\s]+$/g, "");
}

function defaultOf(schema: JsonSchema | undefined): JsonValue | undefined {
  return keyword(schema, "default");
}

/** What a schema, or the first of its alternatives that has the key, says of a key. */
function propertyOf(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const alternatives = keyword(schema, "oneOf");
  const places = [schema, ...(Array.isArray(alternatives) ? (alternatives as readonly JsonSchema[]) : [])];
  return places
    .map((place) => keyword(place, "properties"))
    .map((properties) => (isJsonObject(properties) ? (properties[key] as JsonSchema | undefined) : undefined))
    .find((property) => property !== undefined);
}

function keyword(schema: JsonSchema | undefined, name: string): JsonValue | undefined {
  return isJsonObject(schema) ? (schema[name] as JsonValue | undefined) : undefined;
}
