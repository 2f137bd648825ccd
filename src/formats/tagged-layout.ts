// How arguments are written between tags: each key and its value in tags of their own, strings as bare text, the rest as JSON.
import { emptyText, literal } from "../gbnf-builder/build.ts";
import { bareSpelling } from "../schema-grammar/languages/spelling.ts";
import { type EntryForm, jsonLayout, type Layout } from "../schema-grammar/layout.ts";
import { notStrings, type StringLanguage } from "../schema-grammar/string-language.ts";
import { stringsMatching } from "../schema-grammar/string-patterns.ts";
import { escapePattern } from "../vocabulary/index.ts";
import { oneLine } from "./envelope-format.ts";
import type { LayoutOptions } from "./format.ts";
import type { TagStyle, ValueTags } from "./tagged-values.ts";

const known = new Map<string, Layout>();

/** The arguments of a call between these tags. */
export function taggedArguments(style: TagStyle, options: LayoutOptions): Layout {
  const spacing = oneLine(options);
  const key = `${style.name}-${spacing}`;
  const layout = known.get(key) ?? createLayout(style, key, jsonLayout(spacing));
  known.set(key, layout);
  return layout;
}

function createLayout(style: TagStyle, key: string, json: Layout): Layout {
  const { name, keyOpen, keyClose } = style;
  const keys = {
    key: `${name}-key`,
    spelling: bareSpelling({ name: `${name}-key`, open: literal(keyOpen), close: emptyText }),
    writable: {
      strings: withoutEnd(escapePattern(keyClose), "^(?:\\s[^]*|[^]*\\s)$"),
      reason: `a key cannot hold ${keyClose}, nor white space at its ends`,
    },
  };
  const around = { open: "", afterOpen: "", comma: "", beforeClose: "", close: "" };
  const layout: Layout = {
    ...json,
    key,
    object: around,
    entries: style.values.map((tags, index): EntryForm => {
      const value = valueLayout(`${key}-${index}`, json, style, tags);
      const colon = `${keyClose}${style.between ?? ""}${tags.open}`;
      return { keys, colon, value: () => value, close: `${tags.close}${style.after ?? ""}` };
    }),
    flat: () => layout,
    onlyObjects: true,
  };
  return layout;
}

function valueLayout(key: string, json: Layout, style: TagStyle, tags: ValueTags): Layout {
  const followers = [style.keyOpen, style.end].map(escapePattern).join("|");
  const layout: Layout = {
    ...json,
    key,
    scalars: {
      ...json.scalars,
      key,
      strings: [
        {
          key,
          spelling: bareSpelling({ name: key, open: emptyText, close: emptyText }),
          ...(tags.only === undefined ? {} : { only: stringsMatching(tags.only).language }),
          writable: {
            strings: withoutEnd(`${escapePattern(tags.close.trim())}\\s*(?:${followers})`),
            reason: `${tags.close.trim()} before ${style.keyOpen} or ${style.end} ends the value`,
          },
        },
      ],
    },
    flat: () => layout,
    typedByText: true,
  };
  return layout;
}

/** The strings in which none of the expressions is found. */
function withoutEnd(...sources: readonly string[]): StringLanguage {
  return notStrings(stringsMatching(sources.map((source) => `(?:${source})`).join("|")).language).language;
}
