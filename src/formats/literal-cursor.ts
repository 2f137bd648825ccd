// Reads values written in other notations than JSON (Python literals, Gemma's own quotes) from a text that may still grow.
// Knows how strings, words and keys are written from the notation it is given.
import { deepestNesting, type JsonValue } from "../vocabulary/index.ts";
import { tooDeep } from "./json-reader.ts";
import { readScalar } from "./json-scalar.ts";

/** How a notation writes what differs. */
export interface Notation {
  /** A string at `at`, or undefined where none begins there. */
  readString(cursor: LiteralCursor): string | undefined;
  /** Words that are values, such as `True`. */
  readonly words: ReadonlyMap<string, JsonValue>;
  /** An object's key. */
  readKey(cursor: LiteralCursor): string;
  /** Whether the text was written freely, where a key that comes twice would leave to a guess which value is meant. */
  readonly lenient: boolean;
}

/** Thrown inside a read: the text is wrong at `at`, or ends too early. Never leaves the readers. */
export class LiteralFault extends Error {
  readonly at: number;
  readonly needsMore: boolean;

  constructor(message: string, at: number, needsMore: boolean) {
    super(message);
    this.at = at;
    this.needsMore = needsMore;
  }
}

/** A value, and its text in JSON with numbers in the digits that they were written in. */
export interface Literal {
  readonly value: JsonValue;
  readonly text: string;
}

export interface LiteralCursor {
  readonly text: string;
  at: number;
}

/** The value at the cursor, with `depth` containers around it, which is moved behind it. Throws `LiteralFault`. */
export function readLiteral(cursor: LiteralCursor, notation: Notation, depth = 0): Literal {
  skipBlank(cursor);
  const character = peek(cursor);
  if (depth >= deepestNesting && "[({".includes(character)) {
    throw new LiteralFault(tooDeep, cursor.at, false);
  }
  if (character === "[" || character === "(") {
    const close = character === "[" ? "]" : ")";
    const items = readItems(cursor, close, () => readLiteral(cursor, notation, depth + 1));
    const [first] = items;
    // In Python parentheses only group; it is the comma that makes a tuple.
    if (close === ")" && items.length === 1 && first !== undefined && !endsInComma(cursor)) return first;
    return {
      value: items.map(({ value }) => value),
      text: `[${items.map(({ text }) => text).join(", ")}]`,
    };
  }
  if (character === "{") return objectOf(readMembers(cursor, notation, depth), notation);
  const string = notation.readString(cursor);
  return string === undefined ? readWord(cursor, notation) : { value: string, text: JSON.stringify(string) };
}

/** What stands between an opening character, at the cursor, and `close`, with commas between. A comma may end it. */
export function readItems<T>(cursor: LiteralCursor, close: string, readItem: () => T): T[] {
  cursor.at += 1;
  const items: T[] = [];
  for (;;) {
    skipBlank(cursor);
    if (peek(cursor) === close) {
      cursor.at += 1;
      return items;
    }
    items.push(readItem());
    skipBlank(cursor);
    if (peek(cursor) === ",") cursor.at += 1;
    else if (peek(cursor) !== close) throw new LiteralFault(`"," or "${close}" expected`, cursor.at, false);
  }
}

/** Whether a comma stands before the closing character that the cursor is behind. */
function endsInComma({ text, at }: LiteralCursor): boolean {
  let before = at - 2;
  while (/\s/.test(text[before] ?? "")) before -= 1;
  return text[before] === ",";
}

/** Moves behind `text` or throws. */
export function expectText(cursor: LiteralCursor, text: string): void {
  skipBlank(cursor);
  const rest = cursor.text.slice(cursor.at, cursor.at + text.length);
  if (rest === text) {
    cursor.at += text.length;
    return;
  }
  const mayCome = cursor.at + rest.length === cursor.text.length && text.startsWith(rest);
  throw new LiteralFault(`"${text}" expected`, cursor.at, mayCome);
}

/** The longest match of a sticky pattern at the cursor; one that reaches the text's end may yet go on. */
export function readPattern(cursor: LiteralCursor, pattern: RegExp, what: string): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? "";
  if (cursor.at + found.length === cursor.text.length) {
    throw new LiteralFault("the text ends too early", cursor.text.length, true);
  }
  if (found === "") throw new LiteralFault(`${what} expected`, cursor.at, false);
  cursor.at += found.length;
  return found;
}

/** The character at the cursor; throws where the text ends. */
export function peek(cursor: LiteralCursor): string {
  const character = cursor.text[cursor.at];
  if (character === undefined) throw new LiteralFault("the text ends too early", cursor.at, true);
  return character;
}

function skipBlank(cursor: LiteralCursor): void {
  while (/\s/.test(cursor.text[cursor.at] ?? "")) cursor.at += 1;
}

/** A key with its value, and where the value stands. */
export interface Member {
  readonly key: string;
  readonly literal: Literal;
  readonly place: readonly [start: number, end: number];
}

/** The members between the brace at the cursor and the one that closes it. */
export function readMembers(cursor: LiteralCursor, notation: Notation, depth = 0): readonly Member[] {
  return readItems(cursor, "}", () => {
    const key = notation.readKey(cursor);
    expectText(cursor, ":");
    return readMember(cursor, notation, key, depth);
  });
}

/** The member whose key was read. */
export function readMember(cursor: LiteralCursor, notation: Notation, key: string, depth = 0): Member {
  skipBlank(cursor);
  const from = cursor.at;
  const literal = readLiteral(cursor, notation, depth + 1);
  return { key, literal, place: [from, cursor.at] };
}

/** The object of these members. The last of equal keys counts, as in JSON; a lenient reading throws `LiteralFault` there. */
export function objectOf(members: readonly Member[], { lenient }: Notation): Literal {
  const literals = new Map<string, Literal>();
  for (const { key, literal, place } of members) {
    if (lenient && literals.has(key))
      throw new LiteralFault(`the key "${key}" stands twice`, place[0], false);
    literals.set(key, literal);
  }
  const entries = [...literals];
  return {
    value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    text: `{${entries.map(([key, { text }]) => `${JSON.stringify(key)}: ${text}`).join(", ")}}`,
  };
}

const wordPattern = /[-+.0-9A-Za-z_]+/y;
const numberPattern = /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

function readWord(cursor: LiteralCursor, { words }: Notation): Literal {
  const start = cursor.at;
  const word = readPattern(cursor, wordPattern, "a value");
  const known = words.get(word);
  if (known !== undefined) return { value: known, text: JSON.stringify(known) };
  if (numberPattern.test(word)) {
    const value = Number(word);
    return { value, text: readScalar(word) === undefined ? String(value) : word };
  }
  throw new LiteralFault(`${word} is no value`, start, false);
}
