// lfm-py, read only: <|tool_call_start|>[f(a='x', b=1), g()]<|tool_call_end|>, calls with Python literals.
// LFM2 and LFM2.5, which also write the bare list, or JSON between the marks.

import type { JsonValue } from "../../vocabulary/index.ts";
import { createSectionReader } from "../call-section.ts";
import { combineReaders } from "../combine-readers.ts";
import type { Opener, ReadableFormat } from "../format.ts";
import {
  expectText,
  type LiteralCursor,
  LiteralFault,
  type Notation,
  peek,
  readItems,
  readLiteral,
  readPattern,
} from "./literal-cursor.ts";
import {
  createSteppingReader,
  needsMore,
  type Step,
  type StepInput,
  type SteppedCall,
  skipSpace,
  standsAt,
} from "./stepping-reader.ts";

// Marks

const closer = "<|tool_call_end|>";
const opener: Opener = {
  text: "<|tool_call_start|>",
  special: true,
  position: "anywhere",
  strength: "certain",
};
const bareOpener: Opener = { text: "[", special: false, position: "turn-start", strength: "likely" };

/** Reads calls of the LFM2 family. */
export const lfmPy: ReadableFormat = {
  name: "lfm-py",
  openers: [opener, bareOpener],
  silent: [closer],
  parser: ({ opener: stands = opener, lenient = false } = {}) => {
    if (stands.text === bareOpener.text) return createSteppingReader((input) => step(input, true));
    return combineReaders([
      createSteppingReader((input) => step(input, false), closer),
      createSectionReader({ lenient, closer }),
    ]);
  },
};

// Parser

/** Each step reads one call of the list; the first one reads the bracket before it, each the comma or bracket after it. */
function step({ text, at, isOver, calls }: StepInput, isBare: boolean): Step {
  const cursor: LiteralCursor = { text, at: skipSpace(text, at) };
  try {
    if (calls === 0 && !isBare) expectText(cursor, "[");
    else if (calls > 0 && peek(cursor) === "]") return endOfList(text, cursor.at + 1, isOver, isBare);
    else if (calls > 0) expectText(cursor, ",");
    return { type: "call", call: readCall(cursor), next: cursor.at };
  } catch (error) {
    if (!(error instanceof LiteralFault)) throw error;
    if (!error.needsMore) return { type: "broken", at: error.at, reason: error.message };
    return isOver ? { type: "broken", at: text.length, reason: "the call is not complete" } : needsMore;
  }
}

function endOfList(text: string, at: number, isOver: boolean, isBare: boolean): Step {
  if (isBare) return { type: "end", at };
  const after = skipSpace(text, at);
  const closes = standsAt(closer, text, after);
  if (closes === "yes") return { type: "end", at: after + closer.length };
  return closes === "maybe" && !isOver ? needsMore : { type: "end", at };
}

const namePattern = /[A-Za-z_][A-Za-z0-9_.-]*/y;
const keyPattern = /[A-Za-z_][A-Za-z0-9_-]*/y;

function readCall(cursor: LiteralCursor): SteppedCall {
  cursor.at = skipSpace(cursor.text, cursor.at);
  const name = readPattern(cursor, namePattern, "a function's name");
  cursor.at = skipSpace(cursor.text, cursor.at);
  const start = cursor.at;
  if (peek(cursor) !== "(") throw new LiteralFault('"(" expected', cursor.at, false);
  const places = new Map<string, readonly [number, number]>();
  const values = readItems(cursor, ")", (): readonly [string, JsonValue] => {
    const key = readPattern(cursor, keyPattern, "an argument's name");
    expectText(cursor, "=");
    cursor.at = skipSpace(cursor.text, cursor.at);
    const from = cursor.at;
    const value = readLiteral(cursor, python);
    if (places.has(key)) throw new LiteralFault(`the argument "${key}" stands twice`, from, false);
    places.set(key, [from, cursor.at]);
    return [key, value];
  });
  return { name, input: Object.fromEntries(values), inputText: cursor.text.slice(start, cursor.at), places };
}

const python: Notation = {
  words: new Map<string, JsonValue>([
    ["True", true],
    ["False", false],
    ["None", null],
    ["true", true],
    ["false", false],
    ["null", null],
  ]),
  readString: readQuoted,
  readKey(cursor) {
    const key = readQuoted(cursor);
    if (key === undefined) throw new LiteralFault("a quoted key expected", cursor.at, false);
    return key;
  },
};

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
