// JSON text in the layouts that models write: compact, spaced, or over lines with an indent.
// Knows the envelope of a call (`name`, `arguments`) but no format's marks.
import type { Spacing } from "../schema-grammar/compiled-schema.ts";
import { isJsonObject, type JsonValue } from "../vocabulary/index.ts";

/** The text around a call's name and arguments: `before` name `between` arguments `after`. */
export interface EnvelopeText {
  readonly before: string;
  readonly between: string;
  readonly after: string;
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

/** What stands around the name and the arguments of `{"name": …, "arguments": …}`. */
export function envelopeText(spacing: Spacing): EnvelopeText {
  if (spacing === "compact") return { before: '{"name":"', between: '","arguments":', after: "}" };
  if (spacing === "spaced") return { before: '{"name": "', between: '", "arguments": ', after: "}" };
  const inner = lineBreak(innerSpacing(spacing));
  return {
    before: `{${inner}"name": "`,
    between: `",${inner}"arguments": `,
    after: `${lineBreak(spacing)}}`,
  };
}

/** A whole call as JSON. */
export function writeEnvelope(name: string, input: JsonValue, spacing: Spacing): string {
  const { before, between, after } = envelopeText(spacing);
  return before + escapeName(name) + between + writeJson(input, innerSpacing(spacing)) + after;
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
