// Shortens a tool's result to its share of the window: its head and its tail stay, and it is said how much went.
import type { Model } from "../models/model.ts";

export interface ShortenOptions {
  readonly model: Pick<Model, "countTokens">;
  /** Tokens the result may take. */
  readonly tokens: number;
}

/** Of what may stay, this much is taken from the beginning. */
const headShare = 0.7;

/** The text itself where it fits, else its head and tail around a line that says what was cut. */
export async function shortenResult(text: string, options: ShortenOptions): Promise<string> {
  // A token is at least one byte, so that short texts need not be counted.
  if (Buffer.byteLength(text) <= options.tokens) return text;
  // Beyond some dozen characters a token nothing fits; counting it whole would only cost time.
  const tokens = text.length > options.tokens * 32 ? Infinity : await count(text, options);
  if (tokens <= options.tokens) return text;
  const fitting = tokens === Infinity ? options.tokens * 4 : text.length * (options.tokens / tokens);
  let characters = Math.floor(fitting);
  for (;;) {
    const cut = cutMiddle(text, characters);
    if (characters < 100 || (await count(cut, options)) <= options.tokens) return cut;
    characters = Math.floor(characters * 0.8);
  }
}

function count(text: string, options: ShortenOptions): Promise<number> {
  return options.model.countTokens([{ text, special: false }]);
}

function cutMiddle(text: string, characters: number): string {
  const note = (gone: number) =>
    `\n[… ${gone} of ${text.length} characters cut here: ask for a smaller part to see them …]\n`;
  const kept = Math.max(characters - note(text.length).length, 0);
  const head = wholeCharacters(text.slice(0, Math.floor(kept * headShare)));
  const tail = wholeCharacters(text.slice(text.length - Math.ceil(kept * (1 - headShare))));
  return `${head}${note(text.length - head.length - tail.length)}${tail}`;
}

/** Drops halves of surrogate pairs at the cut. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "").replace(/^[\uDC00-\uDFFF]/, "");
}
