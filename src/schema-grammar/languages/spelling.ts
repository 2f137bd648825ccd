// How characters are written inside a string: JSON's way, or another that the caller gives.
import { characters, choice, literal, sequence } from "../../gbnf-builder/build.ts";
import type { Expression } from "../../gbnf-builder/grammar.ts";
import { type Ranges, rangesKey } from "./code-points.ts";

/** A way of writing strings. */
export interface Spelling {
  /** Distinguishes rules of this spelling from those of another. */
  readonly name: string;
  /** What stands before and after the characters. */
  readonly open: Expression;
  readonly close: Expression;
  /** One character out of a set, as it is written. */
  readonly characters: (ranges: Ranges) => Expression;
  /** One certain text, as it is written between `open` and `close`. */
  readonly text: (text: string) => string;
}

const letters = new Map<number, string>([
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x5c, "\\"],
]);
const hexDigits = "0123456789abcdef";
const rememberedSets = 2000;

/** A JSON string as `JSON.stringify` writes it: only what must be escaped is, and in the shortest way. */
export const jsonSpelling: Spelling = quotedSpelling({ name: "json", quote: '"', hex: "\\u00" });

/** Strings between quotes, with escapes for the quote, the backslash and control characters; `hex` begins those without a letter. */
export function quotedSpelling({
  name,
  quote,
  hex,
}: {
  readonly name: string;
  readonly quote: string;
  readonly hex: string;
}): Spelling {
  const named = new Map([...letters, [quote.charCodeAt(0), quote]]);
  const isSpecial = (point: number) => point < 0x20 || named.has(point);
  /** What sets are in this spelling, by their ranges: the same few come again and again. */
  const spelled = new Map<string, Expression>();
  return {
    name,
    open: literal(quote),
    close: literal(quote),
    characters(ranges) {
      const key = rangesKey(ranges);
      const known = spelled.get(key);
      if (known !== undefined) return known;
      const expression = spellCharacters(ranges);
      if (spelled.size >= rememberedSets) spelled.delete(spelled.keys().next().value as string);
      spelled.set(key, expression);
      return expression;
    },
    text: (text) => text.replace(/[\0-\x1f"'\\]|\p{Surrogate}/gu, escaped),
  };

  function spellCharacters(ranges: Ranges): Expression {
    const { plain, special } = separate(ranges, isSpecial);
    const short = special.flatMap((point) => named.get(point) ?? []);
    const long = special.filter((point) => !named.has(point));
    return choice(
      characters(...plain),
      sequence(literal("\\"), characters(...short)),
      ...[0, 1].map((high) =>
        sequence(
          literal(`${hex}${high}`),
          characters(
            ...long.filter((point) => point >> 4 === high).map((point) => hexDigits.charAt(point & 15)),
          ),
        ),
      ),
    );
  }

  function escaped(character: string): string {
    const point = character.charCodeAt(0);
    // Half a character, which only an escape can spell.
    if (point >= 0xd800) return `\\u${point.toString(16)}`;
    if (!isSpecial(point)) return character;
    const letter = named.get(point);
    return letter === undefined ? hex + point.toString(16).padStart(2, "0") : `\\${letter}`;
  }
}

/** Strings as they are, between two marks. */
export function bareSpelling({
  name,
  open,
  close,
}: {
  readonly name: string;
  readonly open: Expression;
  readonly close: Expression;
}): Spelling {
  return { name, open, close, characters: (ranges) => characters(...ranges), text: (text) => text };
}

/** Splits a set into what is written as it is and what is not. Only characters up to `\` are ever special. */
function separate(
  ranges: Ranges,
  isSpecial: (point: number) => boolean,
): { plain: [number, number][]; special: number[] } {
  const plain: [number, number][] = [];
  const special: number[] = [];
  for (const [from, to] of ranges) {
    let start = from;
    for (let point = from; point <= Math.min(to, 0x5c); point++) {
      if (!isSpecial(point)) continue;
      special.push(point);
      if (start < point) plain.push([start, point - 1]);
      start = point + 1;
    }
    if (start <= to) plain.push([start, to]);
  }
  return { plain, special };
}
