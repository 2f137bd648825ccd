// Writes values as a layout has it, whatever their schema.
import { isJsonObject, type JsonValue } from "../vocabulary/index.ts";
import { type Brackets, type EntryForm, formText, isWrittenBy, type Layout } from "./layout.ts";
import { plainNumber } from "./plain-number.ts";

/**
 * The text of the value. Half a character in a key is written as U+FFFD where the layout cannot spell it. Throws a `TypeError`
 * where the layout has no form for the value, such as a number among objects only.
 */
export function writeValue(value: JsonValue, layout: Layout): string {
  const text = tryWriteValue(value, layout) ?? tryWriteValue(withWholeKeys(value), layout);
  if (text === undefined) throw new TypeError(`the layout ${layout.key} cannot write this value`);
  return text;
}

/** The value with U+FFFD for each lone surrogate in a key. */
function withWholeKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withWholeKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replace(/\p{Surrogate}/gu, "\uFFFD"),
      withWholeKeys(member),
    ]),
  );
}

/** The text of a string or a word; undefined where no form has it. */
export function writeScalar(
  value: string | number | boolean | null,
  { scalars }: Layout,
): string | undefined {
  if (typeof value === "number") return plainNumber(value);
  if (typeof value !== "string") return scalars.words[`${value}`];
  const form = scalars.strings.find((candidate) => isWrittenBy(candidate, value));
  return form === undefined ? undefined : formText(form, value);
}

/** A key with its value, in the first form that can write both; undefined where none can. */
export function writeEntry(
  key: string,
  layout: Layout,
  write: (layout: Layout) => string | undefined,
): string | undefined {
  return firstText(layout.entries, ({ keys, colon, value, close }: EntryForm) => {
    const text = isWrittenBy(keys, key) ? write(value()) : undefined;
    return text === undefined ? undefined : formText(keys, key) + colon + text + close;
  });
}

/** A container's text around its parts. */
export function writeBrackets(brackets: Brackets, parts: readonly string[]): string {
  const { open, afterOpen, comma, beforeClose, close } = brackets;
  return parts.length === 0 ? open + close : open + afterOpen + parts.join(comma) + beforeClose + close;
}

/** The first text that can be written of the items. */
export function firstText<T>(
  items: readonly T[],
  write: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const text = write(item);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The same, undefined where the layout has no form for it. */
export function tryWriteValue(value: JsonValue, layout: Layout): string | undefined {
  if (isJsonObject(value)) {
    const parts = Object.entries(value).map(([key, member]) =>
      writeEntry(key, layout, (inner) => tryWriteValue(member, inner)),
    );
    return isWhole(parts) ? writeBrackets(layout.object, parts) : undefined;
  }
  if (layout.onlyObjects === true) return undefined;
  if (typeof value !== "object" || value === null) return writeScalar(value, layout);
  const items = value.map((item) => tryWriteValue(item, layout.item()));
  return isWhole(items) ? writeBrackets(layout.array, items) : undefined;
}

function isWhole(parts: readonly (string | undefined)[]): parts is readonly string[] {
  return parts.every((part) => part !== undefined);
}
