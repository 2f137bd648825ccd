// How Gemma writes arguments: bare keys, and strings between a quoting token of its own without any escape.
import { emptyText, literal, token } from "../gbnf-builder/build.ts";
import { bareSpelling } from "../schema-grammar/languages/spelling.ts";
import type { Layout, StringForm } from "../schema-grammar/layout.ts";
import { notStrings } from "../schema-grammar/string-language.ts";
import { stringsMatching } from "../schema-grammar/string-patterns.ts";
import { escapePattern } from "../vocabulary/index.ts";

/** What may stand behind a string; a quote before anything else is part of it. */
export const behindString = ",}]:";

/** Characters of a key that needs no quotes. */
export const bareKeyPattern = '[^\\s{}<>:,"]+';
const bareKeys = stringsMatching(`^${bareKeyPattern}$`).language;
const bareKey: StringForm = {
  key: "gemma-key",
  spelling: bareSpelling({ name: "gemma-key", open: emptyText, close: emptyText }),
  only: bareKeys,
};
const otherKeys = notStrings(bareKeys).language;

/** The arguments of a call, without the braces around them. `isToken`: the quote is one token of the vocabulary. */
export function gemmaArguments(quote: string, isToken: boolean): Layout {
  const mark = isToken ? token(quote) : literal(quote);
  const key = `gemma${isToken ? "-token" : ""}${quote}`;
  const quoted: StringForm = {
    key,
    spelling: bareSpelling({ name: key, open: mark, close: mark }),
    writable: {
      strings: notStrings(stringsMatching(`${escapePattern(quote)}\\s*[,}\\]:]`).language).language,
      reason: `${quote} before , } ] or : ends the string`,
    },
  };
  const separators = { afterOpen: "", comma: ",", beforeClose: "" };
  const values: Layout = {
    key,
    scalars: { key, strings: [quoted], words: { true: "true", false: "false", null: "null" } },
    array: { open: "[", close: "]", ...separators },
    object: { open: "{", close: "}", ...separators },
    entries: [
      { keys: bareKey, colon: ":", value: () => values, close: "" },
      { keys: { ...quoted, key: `${key}-key`, only: otherKeys }, colon: ":", value: () => values, close: "" },
    ],
    item: () => values,
    flat: () => values,
  };
  const root: Layout = {
    ...values,
    key: `${key}-arguments`,
    object: { open: "", close: "", ...separators },
    flat: () => root,
    onlyObjects: true,
  };
  return root;
}
