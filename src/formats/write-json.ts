// JSON text in the layouts that models write: compact, spaced, or over lines with an indent.
// Knows the envelope of a call (`name`, `arguments`) but no format's marks.
import type { Spacing } from "../schema-grammar/compiled-schema.ts";
import { isJsonObject, type JsonValue } from "../vocabulary/index.ts";
import type { WrittenCall } from "./format.ts";

/** The text around a call's name and arguments: `before` name `between` arguments `after`. */
export interface EnvelopeText {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** How an envelope is spelled. */
export interface EnvelopeKeys {
  /** The key that the arguments stand under. */
  readonly arguments?: "arguments" | "parameters";
  /** Gives each call the id that stands behind its arguments; absent: there is none. */
  id?(call: WrittenCall, index: number): string;
}

/** The text of a value. Strings are escaped as JSON.stringify does. */
export function writeJson(value: JsonValue, spacing: Spacing): string {
  if (Array.isArray(value)) return writeItems("[", "]", value, spacing, writeJson);
  if (!isJsonObject(value)) return JSON.stringify(value);
  return writeItems("{", "}", Object.entries(value), spacing, ([key, member], inner) => {
    const colon = spacing === "compact" ? ":" : ": ";
    return JSON.stringify(key) + colon + writeJson(member, inner);
  });
}

/**
 * What stands around the name and the arguments of `{"name": …, "arguments": …}`. Where calls have ids, the text ends at the
 * quote that opens the id.
 */
export function envelopeText(spacing: Spacing, keys: EnvelopeKeys = {}): EnvelopeText {
  const { arguments: key = "arguments" } = keys;
  const inner = lineBreak(innerSpacing(spacing));
  const colon = spacing === "compact" ? ":" : ": ";
  const comma = spacing === "spaced" ? ", " : `,${inner}`;
  return {
    before: `{${inner}"name"${colon}"`,
    between: `"${comma}"${key}"${colon}`,
    after: keys.id === undefined ? envelopeEnd(spacing) : `${comma}"id"${colon}"`,
  };
}

function envelopeEnd(spacing: Spacing): string {
  return `${lineBreak(spacing)}}`;
}

/** A whole call as JSON; `index` is its place among those written with it. */
export function writeEnvelope(
  call: WrittenCall,
  {
    spacing,
    keys = {},
    index,
  }: { readonly spacing: Spacing; readonly keys?: EnvelopeKeys; readonly index: number },
): string {
  const { before, between, after } = envelopeText(spacing, keys);
  const id = keys.id === undefined ? "" : `${keys.id(call, index)}"${envelopeEnd(spacing)}`;
  return before + escapeName(call.name) + between + writeJson(call.input, innerSpacing(spacing)) + after + id;
}

/** A name as it stands between the quotes of a JSON string. */
export function escapeName(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

/** The layout of a value one level further in. */
export function innerSpacing(spacing: Spacing): Spacing {
  return typeof spacing === "string" ? spacing : { indent: spacing.indent, level: spacing.level + 1 };
}

/** A new line with the indent of this level, or nothing where the layout has no lines. */
export function lineBreak(spacing: Spacing): string {
  return typeof spacing === "string" ? "" : `\n${" ".repeat(spacing.indent * spacing.level)}`;
}

function writeItems<T>(
  open: string,
  close: string,
  items: readonly T[],
  spacing: Spacing,
  write: (item: T, spacing: Spacing) => string,
): string {
  if (items.length === 0) return open + close;
  const inner = innerSpacing(spacing);
  const separator = spacing === "spaced" ? ", " : `,${lineBreak(inner)}`;
  const body = items.map((item) => write(item, inner)).join(separator);
  return open + lineBreak(inner) + body + lineBreak(spacing) + close;
}
