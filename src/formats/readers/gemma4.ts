// gemma4, read only: <|tool_call>call:f{k:<|"|>text<|"|>,n:1,o:{…}}<tool_call|>, bare keys and quotes of its own.

import type { JsonValue } from "../../vocabulary/index.ts";
import type { Opener, ReadableFormat } from "../format.ts";
import {
  expectText,
  type LiteralCursor,
  LiteralFault,
  type Notation,
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

const closer = "<tool_call|>";
const quote = '<|"|>';
const opener: Opener = { text: "<|tool_call>", special: true, position: "anywhere", strength: "certain" };

/** Reads calls of Gemma 4. */
export const gemma4: ReadableFormat = {
  name: "gemma4",
  openers: [opener],
  // The model writes closers too many and empty channels now and then.
  silent: [closer, "<|tool_response>"],
  reasoning: { start: "<|channel>thought", end: "<channel|>" },
  parser: () => createSteppingReader(step, closer),
};

// Parser

function step({ text, at, isOver, calls }: StepInput): Step {
  const cursor: LiteralCursor = { text, at: skipSpace(text, at) };
  if (calls > 0) {
    const closes = standsAt(closer, text, cursor.at);
    if (closes === "yes") return { type: "end", at: cursor.at + closer.length };
    return closes === "maybe" && !isOver ? needsMore : { type: "end", at };
  }
  try {
    return { type: "call", call: readCall(cursor), next: cursor.at };
  } catch (error) {
    if (!(error instanceof LiteralFault)) throw error;
    if (!error.needsMore) return { type: "broken", at: error.at, reason: error.message };
    return isOver ? { type: "broken", at: text.length, reason: "the call is not complete" } : needsMore;
  }
}

const namePattern = /[^\s{}<>:,]+/y;
const keyPattern = /[^\s{}<>:,"]+/y;

function readCall(cursor: LiteralCursor): SteppedCall {
  expectText(cursor, "call:");
  const name = readPattern(cursor, namePattern, "a tool's name");
  const start = cursor.at;
  const places = new Map<string, readonly [number, number]>();
  expectText(cursor, "{");
  cursor.at -= 1;
  const members = readItems(cursor, "}", (): readonly [string, JsonValue] => {
    const key = gemma.readKey(cursor);
    expectText(cursor, ":");
    const from = cursor.at;
    const value = readLiteral(cursor, gemma);
    if (places.has(key)) throw new LiteralFault(`the key "${key}" stands twice`, from, false);
    places.set(key, [from, cursor.at]);
    return [key, value];
  });
  return { name, input: Object.fromEntries(members), inputText: cursor.text.slice(start, cursor.at), places };
}

const gemma: Notation = {
  words: new Map<string, JsonValue>([
    ["true", true],
    ["false", false],
    ["null", null],
  ]),
  readString(cursor) {
    const opens = standsAt(quote, cursor.text, cursor.at);
    if (opens === "maybe") throw new LiteralFault("the text ends too early", cursor.at, true);
    if (opens === "no") return undefined;
    const start = cursor.at + quote.length;
    const end = cursor.text.indexOf(quote, start);
    if (end === -1) throw new LiteralFault("the text ends too early", cursor.text.length, true);
    cursor.at = end + quote.length;
    return cursor.text.slice(start, end);
  },
  readKey(cursor) {
    return gemma.readString(cursor) ?? readPattern(cursor, keyPattern, "a key");
  },
};
