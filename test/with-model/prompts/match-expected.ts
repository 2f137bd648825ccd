// Judges a call against the values a person wrote down for it beforehand. Strict: what is not declared acceptable is wrong.
// Knows nothing of models, of formats or of schemas.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/vocabulary/index.ts";

/** The call that is wanted. A key of the arguments that is not declared here may not occur. */
export interface ExpectedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, Matcher>>;
}

/**
 * What a value may be:
 * a list is short for `values` without any option;
 * `values`: equal to one of them, strings after trimming and, with `ignoreCase`, without regard to case;
 * `keys`: an object of these keys, each by its own matcher;
 * `items`: an array of these items, each by its own matcher, in this order or, with `anyOrder`, in any.
 * A key whose matcher is `optional` may be absent; every other declared key must be there.
 */
export type Matcher =
  | readonly JsonValue[]
  | { readonly values: readonly JsonValue[]; readonly ignoreCase?: boolean; readonly optional?: boolean }
  | { readonly keys: Readonly<Record<string, Matcher>>; readonly optional?: boolean }
  | { readonly items: readonly Matcher[]; readonly anyOrder?: boolean; readonly optional?: boolean };

export interface Verdict {
  readonly ok: boolean;
  /** Empty where `ok`; else the first thing that is wrong, in words. */
  readonly reason: string;
}

const right: Verdict = { ok: true, reason: "" };

/** Whether a call is the expected one, name and arguments. */
export function matchesExpected(
  call: { readonly name: string; readonly input: JsonObject },
  expected: ExpectedCall,
): Verdict {
  if (call.name !== expected.name) return wrong(`tool ${call.name} instead of ${expected.name}`);
  return matchKeys(call.input, expected.arguments, "");
}

function matchKeys(value: JsonObject, keys: Readonly<Record<string, Matcher>>, pointer: string): Verdict {
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(keys, key)) return wrong(`${pointer}/${key} is not wanted, came ${show(value[key])}`);
  }
  for (const [key, matcher] of Object.entries(keys)) {
    const held = Object.hasOwn(value, key) ? value[key] : undefined;
    if (held === undefined) {
      if (isOptional(matcher)) continue;
      return wrong(`${pointer}/${key} is missing`);
    }
    const verdict = matchValue(held, matcher, `${pointer}/${key}`);
    if (!verdict.ok) return verdict;
  }
  return right;
}

function matchValue(value: JsonValue, matcher: Matcher, pointer: string): Verdict {
  if (isList(matcher)) return matchValues(value, matcher, false, pointer);
  if ("values" in matcher) return matchValues(value, matcher.values, matcher.ignoreCase ?? false, pointer);
  if ("keys" in matcher) {
    if (!isJsonObject(value)) return wrong(`${pointer} is no object, came ${show(value)}`);
    return matchKeys(value, matcher.keys, pointer);
  }
  if (!isList(value)) return wrong(`${pointer} is no array, came ${show(value)}`);
  if (value.length !== matcher.items.length) {
    return wrong(`${pointer} has ${value.length} items instead of ${matcher.items.length}`);
  }
  return matcher.anyOrder === true
    ? matchInAnyOrder(value, matcher.items, pointer)
    : matchInOrder(value, matcher.items, pointer);
}

function matchValues(
  value: JsonValue,
  accepted: readonly JsonValue[],
  ignoreCase: boolean,
  pointer: string,
): Verdict {
  if (accepted.some((candidate) => isEqual(value, candidate, ignoreCase))) return right;
  return wrong(`${pointer} is ${show(value)} instead of ${accepted.map(show).join(" or ")}`);
}

function matchInOrder(value: readonly JsonValue[], items: readonly Matcher[], pointer: string): Verdict {
  for (const [index, matcher] of items.entries()) {
    const verdict = matchValue(value[index] ?? null, matcher, `${pointer}/${index}`);
    if (!verdict.ok) return verdict;
  }
  return right;
}

/** Each matcher must find an item of its own; expected lists are short, so trying every assignment is fine. */
function matchInAnyOrder(value: readonly JsonValue[], items: readonly Matcher[], pointer: string): Verdict {
  const [first, ...rest] = items;
  if (first === undefined) return right;
  for (const [index, item] of value.entries()) {
    if (!matchValue(item, first, pointer).ok) continue;
    if (matchInAnyOrder(value.toSpliced(index, 1), rest, pointer).ok) return right;
  }
  return wrong(`${pointer} does not hold the wanted items, came ${show(value)}`);
}

function isEqual(a: JsonValue, b: JsonValue, ignoreCase: boolean): boolean {
  if (typeof a === "string" && typeof b === "string") {
    return ignoreCase ? a.trim().toLowerCase() === b.trim().toLowerCase() : a.trim() === b.trim();
  }
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index] ?? null, ignoreCase));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null, ignoreCase))
    );
  }
  return a === b;
}

export function isOptional(matcher: Matcher): boolean {
  return !isList(matcher) && matcher.optional === true;
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function wrong(reason: string): Verdict {
  return { ok: false, reason };
}

function show(value: JsonValue | undefined): string {
  return JSON.stringify(value) ?? "nothing";
}
