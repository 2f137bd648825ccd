// How arguments are written as Python: keyword arguments, and literals inside them.
import { emptyText, literal } from "../gbnf-builder/build.ts";
import { bareSpelling, quotedSpelling } from "../schema-grammar/languages/spelling.ts";
import type { Brackets, EntryForm, Layout, StringForm } from "../schema-grammar/layout.ts";
import { notStrings } from "../schema-grammar/string-language.ts";
import { stringsMatching } from "../schema-grammar/string-patterns.ts";

// The quote that repr() prefers comes first; models use both.
const strings: readonly StringForm[] = ["'", '"'].map((quote) => ({
  key: `python${quote}`,
  spelling: quotedSpelling({ name: `python${quote}`, quote, hex: "\\x" }),
}));

const separators = { afterOpen: "", comma: ", ", beforeClose: "" };
const bare: Brackets = { open: "", close: "", ...separators };

const literals: Layout = {
  key: "python",
  scalars: { key: "python", strings, words: { true: "True", false: "False", null: "None" } },
  array: { open: "[", close: "]", ...separators },
  object: { open: "{", close: "}", ...separators },
  entries: strings.map((keys): EntryForm => ({ keys, colon: ": ", value: () => literals, close: "" })),
  item: () => literals,
  flat: () => literals,
};

/** Names that stand before a `=`. A model writes them bare also where Python would not have them, as in `from=`. */
export const keywordPattern = "[^\\s=(),'\"\\[\\]{}:*]+";
const keywords = stringsMatching(`^${keywordPattern}$`).language;
const keyword: StringForm = {
  key: "python-keyword",
  spelling: bareSpelling({ name: "python-keyword", open: emptyText, close: emptyText }),
  only: keywords,
};
/** Keys that no keyword can be are unpacked from a dict. */
const unpacked: StringForm = {
  key: "python-unpacked",
  spelling: {
    ...quotedSpelling({ name: "python-unpacked", quote: "'", hex: "\\x" }),
    open: literal("**{'"),
  },
  only: notStrings(keywords).language,
};

/** The arguments of a call, without the parentheses around them. */
export const keywordArguments: Layout = {
  ...literals,
  key: "python-arguments",
  object: bare,
  entries: [
    { keys: keyword, colon: "=", value: () => literals, close: "" },
    { keys: unpacked, colon: ": ", value: () => literals, close: "}" },
  ],
  flat: () => keywordArguments,
  onlyObjects: true,
};
