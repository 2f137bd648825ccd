// Reads calls with Python's keyword arguments, call by call: in a list, [f(a='x', b=1), g()], or line by line.
import type { JsonValue } from "../vocabulary/index.ts";
import type { CallReader } from "./format.ts";
import { pythonLiterals } from "./json-scalar.ts";
import {
  expectText,
  type LiteralCursor,
  LiteralFault,
  type Member,
  type Notation,
  objectOf,
  peek,
  readItems,
  readMember,
  readMembers,
  readPattern,
} from "./literal-cursor.ts";
import { keywordPattern } from "./python-layout.ts";
import {
  createSteppingReader,
  needsMore,
  type Step,
  type StepInput,
  type SteppedCall,
  skipSpace,
  standsAt,
} from "./stepping-reader.ts";

export interface PythonListOptions {
  /** Whether the list's bracket stands in the opener. */
  readonly begun: boolean;
  /** What stands behind the list; absent: nothing. */
  readonly closer?: string;
  /** Whether the text was written freely. */
  readonly lenient: boolean;
}

/** Each step reads one call of the list; the first one reads the bracket before it, each the comma or bracket after it. */
export function createPythonReader(options: PythonListOptions): CallReader {
  const notation = notationOf(options.lenient);
  return createSteppingReader((input) => step(input, notation, options), options.closer);
}

function step(
  { text, at, isOver, calls }: StepInput,
  notation: Notation,
  { begun, closer }: PythonListOptions,
): Step {
  const cursor: LiteralCursor = { text, at: skipSpace(text, at) };
  return readOrWait({ text, isOver }, () => {
    if (calls === 0 && !begun) expectText(cursor, "[");
    else if (calls > 0 && peek(cursor) === "]") return endOfList(text, cursor.at + 1, isOver, closer);
    else if (calls > 0) expectText(cursor, ",");
    return { type: "call", call: readCall(cursor, notation), next: cursor.at };
  });
}

/** Calls on lines of their own, up to the closer. */
export function createCodeReader(options: {
  readonly closer: string;
  readonly lenient: boolean;
}): CallReader {
  const { closer } = options;
  const notation = notationOf(options.lenient);
  return createSteppingReader(({ text, at, isOver, calls }) => {
    const start = skipSpace(text, at);
    const closes = calls === 0 ? "no" : standsAt(closer, text, start);
    if (closes === "yes") return { type: "end", at: start + closer.length };
    if (closes === "maybe" && !isOver) return needsMore;
    if (calls > 0 && !text.slice(at, start).includes("\n"))
      return { type: "broken", at, reason: "a new line expected" };
    const cursor: LiteralCursor = { text, at: start };
    return readOrWait({ text, isOver }, () => ({
      type: "call",
      call: readCall(cursor, notation),
      next: cursor.at,
    }));
  }, closer);
}

/** The step, or why there is none: the text is wrong, or has to go on. */
function readOrWait({ text, isOver }: Pick<StepInput, "text" | "isOver">, read: () => Step): Step {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LiteralFault)) throw error;
    if (!error.needsMore) return { type: "broken", at: error.at, reason: error.message };
    return isOver ? { type: "broken", at: text.length, reason: "the call is not complete" } : needsMore;
  }
}

function endOfList(text: string, at: number, isOver: boolean, closer: string | undefined): Step {
  if (closer === undefined) return { type: "end", at };
  const after = skipSpace(text, at);
  const closes = standsAt(closer, text, after);
  if (closes === "yes") return { type: "end", at: after + closer.length };
  return closes === "maybe" && !isOver ? needsMore : { type: "end", at };
}

/** Names that can be read back. */
export const functionPattern = "[^\\s()[\\]{}'\",=:]+";
const namePattern = new RegExp(functionPattern, "y");
const keyPattern = new RegExp(keywordPattern, "y");

function readCall(cursor: LiteralCursor, notation: Notation): SteppedCall {
  cursor.at = skipSpace(cursor.text, cursor.at);
  const name = readPattern(cursor, namePattern, "a function's name");
  cursor.at = skipSpace(cursor.text, cursor.at);
  if (peek(cursor) !== "(") throw new LiteralFault('"(" expected', cursor.at, false);
  const members = readItems(cursor, ")", () => readArgument(cursor, notation)).flat();
  const { value, text } = objectOf(members, notation);
  const places = new Map(members.map(({ key, place }) => [key, place]));
  return { name, input: value, inputText: text, places };
}

/** `key=value`, or `**{'any key': value}` for keys that no keyword can be. */
function readArgument(cursor: LiteralCursor, notation: Notation): readonly Member[] {
  if (peek(cursor) === "*") {
    expectText(cursor, "**");
    if (peek(cursor) !== "{") throw new LiteralFault('"{" expected', cursor.at, false);
    return readMembers(cursor, notation);
  }
  const key = readPattern(cursor, keyPattern, "an argument's name");
  expectText(cursor, "=");
  return [readMember(cursor, notation, key)];
}

function notationOf(lenient: boolean): Notation {
  return {
    words: new Map<string, JsonValue>([...pythonLiterals, ["true", true], ["false", false], ["null", null]]),
    readString: readQuoted,
    readKey(cursor) {
      const key = readQuoted(cursor);
      if (key === undefined) throw new LiteralFault("a quoted key expected", cursor.at, false);
      return key;
    },
    lenient,
  };
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readQuoted(cursor: LiteralCursor): string | undefined {
  const quote = peek(cursor);
  if (quote !== "'" && quote !== '"') return undefined;
  cursor.at += 1;
  let value = "";
  for (let character = peek(cursor); character !== quote; character = peek(cursor)) {
    cursor.at += 1;
    value += character === "\\" ? readEscape(cursor) : character;
  }
  cursor.at += 1;
  return value;
}

function readEscape(cursor: LiteralCursor): string {
  const kind = peek(cursor);
  cursor.at += 1;
  const length = codeLengths[kind];
  // Python keeps the backslash of an escape that it does not know.
  if (length === undefined) return escapes[kind] ?? `\\${kind}`;
  const digits = cursor.text.slice(cursor.at, cursor.at + length);
  if (digits.length < length) throw new LiteralFault("the text ends too early", cursor.at, true);
  const code = Number.parseInt(digits, 16);
  if (!/^[0-9a-fA-F]+$/.test(digits) || code > 0x10ffff) {
    throw new LiteralFault("an escape of hexadecimal digits expected", cursor.at, false);
  }
  cursor.at += length;
  return String.fromCodePoint(code);
}
