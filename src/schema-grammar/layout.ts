// How values are written: the brackets of containers and what sets their parts apart, keys, strings and words.
// JSON in three spacings stands here; formats that write values in another way describe it by the same type.
import type { Expression } from "../gbnf-builder/grammar.ts";
import type { CompileCaps, Spacing } from "./compiled-schema.ts";
import { jsonSpelling, type Spelling } from "./languages/spelling.ts";
import { containsString, type StringLanguage } from "./string-language.ts";

export interface Layout {
  /** Equal for equal layouts, and for no others. */
  readonly key: string;
  readonly scalars: ScalarLayout;
  readonly array: Brackets;
  readonly object: Brackets;
  /** The ways of writing a key with its value. */
  readonly entries: readonly EntryForm[];
  /** The layout of an array's items. */
  readonly item: () => Layout;
  /** The same on one line, for values whose nesting has no bound: an indent cannot grow forever. Itself where it is so already. */
  readonly flat: () => Layout;
  /** Only objects can be written. */
  readonly onlyObjects?: boolean;
  /**
   * A string is written as bare text and every other value as JSON; what is read as JSON of a value that is allowed there is
   * that value. So such a text cannot be written as a string, which is reported.
   */
  readonly typedByText?: boolean;
  /** Inside recursion that is counted: how many rounds are around, and the layout without them. */
  readonly round?: { readonly count: number; readonly of: Layout };
}

export interface ScalarLayout {
  /** Equal for equal ones; empty for JSON. */
  readonly key: string;
  /** The ways of writing a string. */
  readonly strings: readonly StringForm[];
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
}

/** What stands around the parts of a container. `open` and `close` alone are an empty one. */
export interface Brackets {
  readonly open: string;
  readonly afterOpen: string;
  readonly comma: string;
  readonly beforeClose: string;
  readonly close: string;
}

/** One way of writing strings. */
export interface StringForm {
  /** Equal for equal forms; empty for JSON. */
  readonly key: string;
  readonly spelling: Spelling;
  /** The strings that are written so, where another form has the others. */
  readonly only?: StringLanguage;
  /** Those of them that can be written at all, and why the others cannot; absent: all can. */
  readonly writable?: { readonly strings: StringLanguage; readonly reason: string };
}

/** One way of writing a key with its value: key, `colon`, value, `close`. */
export interface EntryForm {
  readonly keys: StringForm;
  readonly colon: string;
  readonly value: () => Layout;
  readonly close: string;
}

/** JSON laid out so. */
export function jsonLayout(spacing: Spacing): Layout {
  if (spacing === "compact") return compact;
  if (spacing === "spaced") return oneLine;
  return prettyLayout(spacing.indent, spacing.level);
}

/** Whether containers go over lines, where recursion has to stop doing so. */
export function isPretty(layout: Layout): boolean {
  return layout.flat() !== layout;
}

/** How many rounds of recursion are around; 0 where nobody counts them. */
export function roundsOf(layout: Layout): number {
  return layout.round?.count ?? 0;
}

/** The same layout without rounds. */
export function plainLayout(layout: Layout): Layout {
  return layout.round?.of ?? layout;
}

/** The layout of any value: over lines only where its nesting is capped. */
export function anyLayout(layout: Layout, { depth }: Partial<CompileCaps>): Layout {
  const plain = plainLayout(layout);
  return depth === undefined ? plain.flat() : plain;
}

/** The layout inside so many rounds of recursion, where each round has rules of its own. */
export function withRounds(layout: Layout, rounds: number): Layout {
  if (rounds === roundsOf(layout)) return layout;
  const plain = plainLayout(layout);
  const inner = (value: () => Layout) => () => withRounds(value(), rounds);
  const rounded: Layout = {
    ...plain,
    key: `${plain.key}^${rounds}`,
    entries: plain.entries.map((form) => ({ ...form, value: inner(form.value) })),
    item: inner(plain.item),
    flat: () => rounded,
    round: { count: rounds, of: plain },
  };
  return rounded;
}

/** Whether the form is for this string. */
export function isWrittenBy({ only }: StringForm, text: string): boolean {
  return only === undefined || containsString(only, text);
}

/** The string as the form writes it. */
export function formText({ spelling }: StringForm, text: string): string {
  return markText(spelling.open) + spelling.text(text) + markText(spelling.close);
}

function markText(mark: Expression): string {
  if (mark.type === "literal" || mark.type === "token") return mark.text;
  if (mark.type === "sequence") return mark.items.map(markText).join("");
  throw new TypeError("what opens or closes a string has to be one text");
}

const jsonString: StringForm = { key: "", spelling: jsonSpelling };
const jsonScalars: ScalarLayout = {
  key: "",
  strings: [jsonString],
  words: { true: "true", false: "false", null: "null" },
};
const compact: Layout = jsonOf("c", { afterOpen: "", comma: ",", colon: ":", beforeClose: "" });
/** One line, a space after commas and colons. */
const oneLine: Layout = jsonOf("s", { afterOpen: "", comma: ", ", colon: ": ", beforeClose: "" });

function prettyLayout(indent: number, level: number): Layout {
  const line = `\n${" ".repeat(indent * (level + 1))}`;
  const texts = {
    afterOpen: line,
    comma: `,${line}`,
    colon: ": ",
    beforeClose: `\n${" ".repeat(indent * level)}`,
  };
  let deeper: Layout | undefined;
  return jsonOf(`p${indent}.${level}`, texts, {
    inner: () => (deeper ??= prettyLayout(indent, level + 1)),
    flat: () => oneLine,
  });
}

function jsonOf(
  key: string,
  { colon, ...texts }: Omit<Brackets, "open" | "close"> & { readonly colon: string },
  inside?: { readonly inner: () => Layout; readonly flat: () => Layout },
): Layout {
  const inner = inside?.inner ?? (() => layout);
  const layout: Layout = {
    key,
    scalars: jsonScalars,
    array: { open: "[", close: "]", ...texts },
    object: { open: "{", close: "}", ...texts },
    entries: [{ keys: jsonString, colon, value: inner, close: "" }],
    item: inner,
    flat: inside?.flat ?? (() => layout),
  };
  return layout;
}
