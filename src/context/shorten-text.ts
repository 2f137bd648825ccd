// Shortens a text to a number of tokens: its head and its tail stay, and it is said how much went and how to see it.

export interface ShortenOptions {
  /** Tokens of a text. */
  readonly count: (text: string) => Promise<number>;
  /** Tokens the text may take. */
  readonly tokens: number;
  /** Characters of the whole text, where the given one is a part of it already. */
  readonly characters?: number;
  /** What to do to see the rest. */
  readonly advice?: string;
}

/** Of what may stay, this much is taken from the beginning. */
const headShare = 0.7;

/** The text itself where it fits, else its head and tail around a line that says what was cut. */
export async function shortenText(text: string, options: ShortenOptions): Promise<string> {
  const { tokens: room, count } = options;
  // A token is at least one byte, so that short texts need not be counted.
  if (Buffer.byteLength(text) <= room) return text;
  // Beyond some dozen characters a token nothing fits; counting it whole would only cost time.
  const tokens = text.length > room * 32 ? Infinity : await count(text);
  if (tokens <= room) return text;
  const fitting = tokens === Infinity ? room * 4 : text.length * (room / tokens);
  let characters = Math.floor(fitting);
  for (;;) {
    const cut = cutMiddle(text, characters, options);
    if (characters < 100 || (await count(cut)) <= room) return cut;
    characters = Math.floor(characters * 0.8);
  }
}

function cutMiddle(text: string, characters: number, options: ShortenOptions): string {
  const { characters: total = text.length, advice = "ask for a smaller part to see them" } = options;
  const note = (gone: number) => `\n[… ${gone} of ${total} characters cut here: ${advice} …]\n`;
  const kept = Math.max(characters - note(total).length, 0);
  const head = wholeCharacters(text.slice(0, Math.floor(kept * headShare)));
  const tail = wholeCharacters(text.slice(text.length - Math.ceil(kept * (1 - headShare))));
  return `${head}${note(total - head.length - tail.length)}${tail}`;
}

/** Drops halves of surrogate pairs at the cut. */
function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "").replace(/^[\uDC00-\uDFFF]/, "");
}
