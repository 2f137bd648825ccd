// Reads calls as Gemma writes them, call:f{k:v}: bare keys, and strings between a quoting mark without any escape.
import type { JsonValue } from "../vocabulary/index.ts";
import type { CallReader } from "./format.ts";
import { bareKeyPattern, behindString } from "./gemma-layout.ts";
import {
  expectText,
  type LiteralCursor,
  LiteralFault,
  type Notation,
  objectOf,
  readMembers,
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

export interface GemmaOptions {
  readonly quote: string;
  readonly closer: string;
  /** Whether the text was written freely. */
  readonly lenient: boolean;
}

/** One call, up to its closer. */
export function createGemmaReader({ quote, closer, lenient }: GemmaOptions): CallReader {
  const notation = notationOf(quote, lenient);
  return createSteppingReader((input) => step(input, notation, closer), closer);
}

function step({ text, at, isOver, calls }: StepInput, notation: Notation, closer: string): Step {
  const cursor: LiteralCursor = { text, at: skipSpace(text, at) };
  if (calls > 0) {
    const closes = standsAt(closer, text, cursor.at);
    if (closes === "yes") return { type: "end", at: cursor.at + closer.length };
    return closes === "maybe" && !isOver ? needsMore : { type: "end", at };
  }
  try {
    return { type: "call", call: readCall(cursor, notation), next: cursor.at };
  } catch (error) {
    if (!(error instanceof LiteralFault)) throw error;
    if (!error.needsMore) return { type: "broken", at: error.at, reason: error.message };
    return isOver ? { type: "broken", at: text.length, reason: "the call is not complete" } : needsMore;
  }
}

/** Names that can be read back. */
export const functionPattern = "[^\\s{}<>:,]+";
const namePattern = new RegExp(functionPattern, "y");
const keyPattern = new RegExp(bareKeyPattern, "y");

function readCall(cursor: LiteralCursor, notation: Notation): SteppedCall {
  expectText(cursor, "call:");
  const name = readPattern(cursor, namePattern, "a tool's name");
  expectText(cursor, "{");
  cursor.at -= 1;
  const members = readMembers(cursor, notation);
  const { value, text } = objectOf(members, notation);
  const places = new Map(members.map(({ key, place }) => [key, place]));
  return { name, input: value, inputText: text, places };
}

/** Where the string ends: at the first quote that something follows which may stand behind a string. */
function endOfString(text: string, start: number, quote: string): number {
  for (let end = text.indexOf(quote, start); end !== -1; end = text.indexOf(quote, end + 1)) {
    const after = skipSpace(text, end + quote.length);
    if (after === text.length) break;
    if (behindString.includes(text.charAt(after))) return end;
  }
  throw new LiteralFault("the text ends too early", text.length, true);
}

function notationOf(quote: string, lenient: boolean): Notation {
  const notation: Notation = {
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
      const end = endOfString(cursor.text, start, quote);
      cursor.at = end + quote.length;
      return cursor.text.slice(start, end);
    },
    readKey(cursor) {
      return notation.readString(cursor) ?? readPattern(cursor, keyPattern, "a key");
    },
    lenient,
  };
  return notation;
}
