// Text and character classes in GBNF spelling, with only those escapes that every version of llama.cpp reads.
import { complementRanges } from "./build.ts";
import type { CharacterRange } from "./grammar.ts";

const named = new Map([
  [0x0a, "\\n"],
  [0x0d, "\\r"],
  [0x09, "\\t"],
  [0x5c, "\\\\"],
]);

/** A literal with its quotes. */
export function printText(text: string): string {
  let printed = '"';
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    printed += character === '"' ? '\\"' : printCodePoint(codePoint);
  }
  return `${printed}"`;
}

/** A class with its brackets; written as what it excludes where that is shorter. */
export function printCharacters(ranges: readonly CharacterRange[]): string {
  const excluded = complementRanges(ranges);
  if (excluded.length === 0) return anyCharacter;
  return excluded.length < ranges.length ? `[^${printRanges(excluded)}]` : `[${printRanges(ranges)}]`;
}

const anyCharacter = "[\\x00-\\U0010FFFF]";

function printRanges(ranges: readonly CharacterRange[]): string {
  return ranges
    .map(([from, to]) => (from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`))
    .join("");
}

function inClass(codePoint: number): string {
  const isOperator = codePoint === 0x5b || codePoint === 0x5d || codePoint === 0x5e || codePoint === 0x2d;
  return isOperator ? hexadecimal(codePoint) : printCodePoint(codePoint);
}

function printCodePoint(codePoint: number): string {
  const short = named.get(codePoint);
  if (short !== undefined) return short;
  const character = String.fromCodePoint(codePoint);
  return codePoint === 0x20 || /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? character
    : hexadecimal(codePoint);
}

function hexadecimal(codePoint: number): string {
  const digits = codePoint.toString(16).toUpperCase();
  if (codePoint < 0x80) return `\\x${digits.padStart(2, "0")}`;
  return codePoint < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}
