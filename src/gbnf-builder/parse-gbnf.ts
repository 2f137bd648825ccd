// Reads GBNF text into a grammar, as llama.cpp reads it but for three departures that are errors here with a place: a rule
// defined twice, a class that matches nothing, a refused token (`!<...>`). The reader of one text knows only where it is.
import {
  anyCharacter,
  characters,
  choice,
  createGrammar,
  literal,
  notCharacters,
  repeat,
  rule,
  sequence,
  token,
} from "./build.ts";
import type { CharacterRange, Expression, Grammar } from "./grammar.ts";
import { GrammarError } from "./grammar-error.ts";

export interface ParseOptions {
  /** The rule to start from; `root` unless told. */
  readonly root?: string;
  /** Rules besides those of the text, which the text may refer to. */
  readonly rules?: ReadonlyMap<string, Expression>;
}

/** The grammar of a GBNF text. Throws `GrammarError` with line and column; `place` holds them for programs. */
export function parseGbnf(text: string, options: ParseOptions = {}): Grammar {
  const reader = createReader(text);
  const rules = new Map(options.rules);
  reader.skipSpace(true);
  while (!reader.isAtEnd()) {
    const start = reader.position();
    const name = readName(reader);
    if (rules.has(name)) reader.fail(`The rule "${name}" is defined twice`, start);
    reader.skipSpace(false);
    if (!reader.take("::=")) reader.fail(`Expected ::= after the rule name "${name}"`);
    reader.skipSpace(true);
    rules.set(name, readChoice(reader, false));
    if (!reader.isAtEnd() && !reader.takeLineEnd())
      reader.fail("Expected the end of the line or of the text");
    reader.skipSpace(true);
  }
  return createGrammar(options.root ?? "root", rules);
}

interface Reader {
  position(): number;
  isAtEnd(): boolean;
  /** The next characters, without taking them. */
  peek(length?: number): string;
  /** Takes the text if it comes next. */
  take(text: string): boolean;
  /** Takes what a sticky expression matches here; the empty text when it does not. */
  match(pattern: RegExp): string;
  takeLineEnd(): boolean;
  /** Skips blanks and comments, and line ends where a rule goes on. */
  skipSpace(acrossLines: boolean): void;
  fail(message: string, at?: number): never;
  /** Notes that a bracket opens, or closes; gives how many are open. */
  enter(): number;
  leave(): number;
}

const deepestNesting = 200;

function createReader(text: string): Reader {
  let at = 0;
  let open = 0;

  function match(pattern: RegExp): string {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  }

  return {
    position: () => at,
    enter: () => ++open,
    leave: () => --open,
    isAtEnd: () => at >= text.length,
    peek: (length = 1) => text.slice(at, at + length),
    take(wanted) {
      const isNext = text.startsWith(wanted, at);
      if (isNext) at += wanted.length;
      return isNext;
    },
    match,
    takeLineEnd: () => match(/\r\n?|\n/y) !== "",
    skipSpace: (acrossLines) => {
      match(acrossLines ? /(?:[ \t\r\n]|#[^\r\n]*)*/y : /[ \t]*(?:#[^\r\n]*)?/y);
    },
    fail(message, place = at) {
      const before = text.slice(0, place).split("\n");
      throw new GrammarError(message, { line: before.length, column: [...before.at(-1)!].length + 1 });
    },
  };
}

function readName(reader: Reader): string {
  const name = reader.match(/[a-zA-Z0-9_-]+/y);
  return name === "" ? reader.fail("Expected the name of a rule") : name;
}

function readChoice(reader: Reader, isNested: boolean): Expression {
  const options = [readSequence(reader, isNested)];
  while (reader.take("|")) {
    reader.skipSpace(true);
    options.push(readSequence(reader, isNested));
  }
  return choice(...options);
}

function readSequence(reader: Reader, isNested: boolean): Expression {
  const items: Expression[] = [];
  for (let item = readItem(reader); item !== undefined; item = readItem(reader)) {
    reader.skipSpace(isNested);
    let repeated = item;
    for (let count = readCount(reader, isNested); count !== undefined; count = readCount(reader, isNested)) {
      repeated = repeat(repeated, count.min, count.max);
      reader.skipSpace(isNested);
    }
    items.push(repeated);
  }
  if (/[*+?{]/.test(reader.peek())) reader.fail(`Expected something before ${reader.peek()}`);
  return sequence(...items);
}

function readItem(reader: Reader): Expression | undefined {
  const next = reader.peek();
  if (next === '"') return readLiteral(reader);
  if (next === "[") return readClass(reader);
  if (next === "<" || next === "!") return readToken(reader);
  if (reader.take(".")) return anyCharacter();
  if (reader.take("(")) return readGroup(reader);
  return /[a-zA-Z0-9_-]/.test(next) ? rule(readName(reader)) : undefined;
}

function readGroup(reader: Reader): Expression {
  if (reader.enter() > deepestNesting) reader.fail("Brackets are nested too deeply");
  reader.skipSpace(true);
  const inner = readChoice(reader, true);
  if (!reader.take(")")) reader.fail("Expected )");
  reader.leave();
  return inner;
}

function readLiteral(reader: Reader): Expression {
  const start = reader.position();
  reader.take('"');
  let text = "";
  while (!reader.take('"')) {
    if (reader.isAtEnd()) reader.fail("This literal has no closing quote", start);
    text += String.fromCodePoint(readCharacter(reader));
  }
  return literal(text);
}

function readClass(reader: Reader): Expression {
  const start = reader.position();
  reader.take("[");
  const isNegated = reader.take("^");
  const ranges: CharacterRange[] = [];
  while (!reader.take("]")) {
    if (reader.isAtEnd()) reader.fail("This class has no closing bracket", start);
    const from = readCharacter(reader);
    const isRange = reader.peek() === "-" && reader.peek(2) !== "-]";
    if (isRange) reader.take("-");
    const to = isRange ? readCharacter(reader) : from;
    if (to < from) reader.fail("This range ends before it begins", start);
    ranges.push([from, to]);
  }
  const expression = isNegated ? notCharacters(...ranges) : characters(...ranges);
  const isEmpty = expression.type === "choice";
  return isEmpty ? reader.fail("This class matches no character", start) : expression;
}

const escapes: Readonly<Record<string, string>> = { t: "\t", r: "\r", n: "\n" };
const hexadecimal: Readonly<Record<string, RegExp>> = {
  x: /[0-9a-fA-F]{2}/y,
  u: /[0-9a-fA-F]{4}/y,
  U: /[0-9a-fA-F]{8}/y,
};

/** One code point, plain or escaped. */
function readCharacter(reader: Reader): number {
  const start = reader.position();
  if (!reader.take("\\")) {
    const character = reader.match(/[\s\S]/uy);
    return character === "" ? reader.fail("The text ends too early") : character.codePointAt(0)!;
  }
  const kind = reader.match(/[\s\S]/y);
  const digits = hexadecimal[kind];
  if (digits !== undefined) {
    const codePoint = Number.parseInt(reader.match(digits), 16);
    const isCharacter = codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
    return isCharacter ? codePoint : reader.fail(`Not the number of a character: \\${kind}`, start);
  }
  const escaped = escapes[kind] ?? (kind !== "" && '\\"[]-'.includes(kind) ? kind : undefined);
  return escaped?.codePointAt(0) ?? reader.fail(`Unknown escape \\${kind}`, start);
}

function readToken(reader: Reader): Expression {
  if (reader.peek() === "!") reader.fail("A refused token (!<...>) cannot be read");
  const text = reader.match(/<[^<>\n]+>/y);
  return text === "" ? reader.fail("Expected a token between < and >") : token(text);
}

function readCount(reader: Reader, isNested: boolean): { min: number; max?: number } | undefined {
  if (reader.take("*")) return { min: 0 };
  if (reader.take("+")) return { min: 1 };
  if (reader.take("?")) return { min: 0, max: 1 };
  const start = reader.position();
  if (!reader.take("{")) return undefined;
  reader.skipSpace(isNested);
  const min = reader.match(/\d+/y);
  reader.skipSpace(isNested);
  const isRange = reader.take(",");
  reader.skipSpace(isNested);
  const max = isRange ? reader.match(/\d+/y) : min;
  reader.skipSpace(isNested);
  if (!reader.take("}") || (min === "" && max === ""))
    reader.fail("Expected a count such as {2}, {2,} or {2,5}", start);
  const least = Number(min);
  const most = max === "" ? undefined : Number(max);
  if (!Number.isSafeInteger(least) || (most !== undefined && (!Number.isSafeInteger(most) || most < least)))
    reader.fail("This count ends before it begins or is too large", start);
  return most === undefined ? { min: least } : { min: least, max: most };
}
