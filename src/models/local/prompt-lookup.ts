// Proposes how a value goes on: values are often copied from the conversation, so what followed the same beginning there
// is likely to follow here. A proposal costs nothing until it is verified. (Prompt lookup decoding, Saxena 2023.)

/** How much of the end of a conversation is searched, in UTF-16 units. */
const searched = 4000;
/** The longest proposal. */
const longest = 48;
/** In plain prose only so long a repetition is worth a proposal. */
const leastInProse = 12;

export interface LookupPlace {
  /** The conversation up to the reply. */
  readonly conversation: string;
  /** The reply so far. */
  readonly written: string;
  /** Whether a value is being written, rather than prose. */
  readonly inValue: boolean;
}

export interface Proposal {
  /** What of the reply the proposal continues. */
  readonly known: string;
  readonly text: string;
}

/** The text that followed the newest place with the same beginning; undefined where there is none. */
export function lookUp({ conversation, written, inValue }: LookupPlace): Proposal | undefined {
  const text = conversation.slice(-searched);
  for (const known of inValue ? valueBeginnings(written) : [written.slice(-leastInProse)]) {
    if (!inValue && known.length < leastInProse) continue;
    const at = lastPlace(text, known, inValue);
    if (at === undefined) continue;
    const following = text.slice(at + known.length, at + known.length + longest);
    const proposed = inValue ? restOfValue(known, following) : line(following);
    if (proposed !== "") return { known, text: proposed };
  }
  return undefined;
}

/**
 * The rest of the word or number; past its end only where several words were copied already, since most values end there.
 */
function restOfValue(known: string, following: string): string {
  const copied = known.trim().split(/\s+/).length;
  const rest = withoutPunctuation(/^\S*/.exec(following)?.[0] ?? "");
  if (rest !== "" || copied < 2) return rest;
  return copied < 3 ? withoutPunctuation(/^\s*\S+/.exec(line(following))?.[0] ?? "") : line(following);
}

function withoutPunctuation(word: string): string {
  return word.replace(/[.,;:!?"')\]}]+$/, "");
}

/** Neither a value nor prose goes on past a line's end as it did elsewhere. */
function line(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** What of the value is written: all since its quote, or its last word. */
function valueBeginnings(written: string): readonly string[] {
  const tail = written.slice(-64);
  const sinceQuote = /"([^"\n]+)$/.exec(tail)?.[1];
  const lastWord = /[^\s"[\](),:]+$/.exec(tail)?.[0];
  return [sinceQuote, lastWord].filter((known) => known !== undefined);
}

function lastPlace(text: string, known: string, atWord: boolean): number | undefined {
  for (let at = text.lastIndexOf(known); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(known, at - 1)) {
    if (!atWord || at === 0 || !isWordCharacter(text[at - 1] as string)) return at;
  }
  return undefined;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}
