// Keeps untrusted text plain: a text that spells a control token must not become that token.
// Invisible marks are set around and inside such spellings before a template renders them, and the result is split at them.
import type { JsonValue } from "../vocabulary/index.ts";
import type { PromptPart } from "./format.ts";

export interface PlainMarks {
  /** The text with every spelling of a special token marked. */
  mark(text: string): string;
  /** The same for every string and key inside a JSON value. */
  markJson<T extends JsonValue>(value: T): T;
  /** The rendered text without marks; what was marked comes as parts that are not special. */
  split(rendered: string): readonly PromptPart[];
}

// Characters of the private use areas, which no template touches and JSON does not escape.
const privateUse = [0xe000, 0xf0000] as const;

/** Marks for a request. `everything` is its whole text, which the marks must not occur in. */
export function createPlainMarks(specialTokens: readonly string[], everything: string): PlainMarks {
  // A token of one character or of white space only is no mark that a text could smuggle in.
  const specials = specialTokens.filter((text) => text.length > 1 && text.trim() !== "");
  const [start, cut, end] = unusedCharacters(everything);

  function mark(text: string): string {
    const regions = spellings(text, specials);
    let marked = "";
    let done = 0;
    for (const { from, to, cuts } of regions) {
      marked += text.slice(done, from) + start;
      let inside = from;
      for (const at of cuts) {
        marked += text.slice(inside, at) + cut;
        inside = at;
      }
      marked += text.slice(inside, to) + end;
      done = to;
    }
    return marked + text.slice(done);
  }

  function markAny(value: JsonValue): JsonValue {
    if (typeof value === "string") return mark(value);
    if (Array.isArray(value)) return value.map(markAny);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [mark(key), markAny(inner)]));
  }

  function split(rendered: string): readonly PromptPart[] {
    const parts: PromptPart[] = [];
    let rest = rendered;
    while (rest !== "") {
      const from = rest.indexOf(start);
      const to = from === -1 ? -1 : rest.indexOf(end, from);
      const special = to === -1 ? rest : rest.slice(0, from);
      const clean = special.replaceAll(start, "").replaceAll(cut, "").replaceAll(end, "");
      if (clean !== "") parts.push({ text: clean, special: true });
      if (to === -1) break;
      parts.push({ text: rest.slice(from + start.length, to).replaceAll(cut, ""), special: false });
      rest = rest.slice(to + end.length);
    }
    return parts;
  }

  return { mark, markJson: (value) => markAny(value) as typeof value, split };
}

interface Region {
  readonly from: number;
  to: number;
  /** Places behind the first character of each spelling: cut there, none is whole while the template renders. */
  readonly cuts: number[];
}

function spellings(text: string, specials: readonly string[]): readonly Region[] {
  const found = specials.flatMap((special) => {
    const ranges: { from: number; to: number }[] = [];
    for (let at = text.indexOf(special); at !== -1; at = text.indexOf(special, at + 1)) {
      ranges.push({ from: at, to: at + special.length });
    }
    return ranges;
  });
  found.sort((a, b) => a.from - b.from || a.to - b.to);
  const regions: Region[] = [];
  for (const { from, to } of found) {
    const last = regions.at(-1);
    if (last === undefined || from >= last.to) {
      regions.push({ from, to, cuts: [from + 1] });
      continue;
    }
    last.to = Math.max(last.to, to);
    if (last.cuts.at(-1) !== from + 1) last.cuts.push(from + 1);
  }
  return regions;
}

function unusedCharacters(text: string): readonly [string, string, string] {
  const unused: string[] = [];
  for (const first of privateUse) {
    for (let code = first; code < first + 0x1000 && unused.length < 3; code += 1) {
      const character = String.fromCodePoint(code);
      if (!text.includes(character)) unused.push(character);
    }
  }
  const [start = "", cut = "", end = ""] = unused;
  return [start, cut, end];
}
