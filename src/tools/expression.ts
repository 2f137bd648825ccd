// Evaluates arithmetic: numbers, + - * / % ^, parentheses and a few functions. Its own parser, no eval.
// Grammar: sum = product {(+|-) product}; product = sign {(*|/|%) sign}; sign = (+|-) sign | power;
// power = atom [^ sign]; so -2^2 is -4 and 2^3^2 is 2^9.

/** What is wrong with an expression, for the one who wrote it. */
export class ExpressionError extends Error {}

const longestExpression = 1_000;
const deepestNesting = 100;

type NumberFunction = { readonly least: number; readonly most: number; apply(...values: number[]): number };

const functions: ReadonlyMap<string, NumberFunction> = new Map<string, NumberFunction>([
  ["sqrt", { least: 1, most: 1, apply: (value) => Math.sqrt(value ?? 0) }],
  ["abs", { least: 1, most: 1, apply: (value) => Math.abs(value ?? 0) }],
  ["floor", { least: 1, most: 1, apply: (value) => Math.floor(value ?? 0) }],
  ["ceil", { least: 1, most: 1, apply: (value) => Math.ceil(value ?? 0) }],
  ["round", { least: 1, most: 2, apply: (value, digits) => roundTo(value ?? 0, digits ?? 0) }],
  ["exp", { least: 1, most: 1, apply: (value) => Math.exp(value ?? 0) }],
  ["ln", { least: 1, most: 1, apply: (value) => Math.log(value ?? 0) }],
  ["log10", { least: 1, most: 1, apply: (value) => Math.log10(value ?? 0) }],
  ["min", { least: 1, most: Infinity, apply: (...values) => Math.min(...values) }],
  ["max", { least: 1, most: Infinity, apply: (...values) => Math.max(...values) }],
  ["sum", { least: 1, most: Infinity, apply: (...values) => values.reduce((a, b) => a + b, 0) }],
  [
    "avg",
    { least: 1, most: Infinity, apply: (...values) => values.reduce((a, b) => a + b, 0) / values.length },
  ],
]);

const constants: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);

type Token =
  | { readonly type: "number"; readonly value: number; readonly at: number }
  | { readonly type: "name"; readonly text: string; readonly at: number }
  | { readonly type: "mark"; readonly text: string; readonly at: number }
  | { readonly type: "end"; readonly text: "the end"; readonly at: number };

/** The value of an expression, as a finite number. Throws `ExpressionError` with a message that says what and where. */
export function evaluateExpression(text: string): number {
  if (text.length > longestExpression) {
    throw new ExpressionError(`The expression is longer than ${longestExpression} characters.`);
  }
  const reader = createReader(tokenize(text));
  const value = readSum(reader, 0);
  const rest = reader.peek();
  if (rest.type !== "end") throw unexpected(rest, "an operator or the end");
  return value;
}

/** A number as people write it: 15 significant digits at most, so that 0.1 + 0.2 is 0.3. */
export function writeNumber(value: number): string {
  const rounded = Number(value.toPrecision(15));
  return Object.is(rounded, -0) ? "0" : String(rounded);
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const token = readToken(text, at);
    at = token.end;
    if (token.token !== undefined) tokens.push(token.token);
  }
  tokens.push({ type: "end", text: "the end", at: text.length });
  return tokens;
}

function readToken(text: string, at: number): { readonly token?: Token; readonly end: number } {
  const rest = text.slice(at);
  const space = /^\s+/.exec(rest);
  if (space !== null) return { end: at + space[0].length };
  const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest);
  if (number !== null) {
    return { token: { type: "number", value: Number(number[0]), at }, end: at + number[0].length };
  }
  const name = /^[A-Za-z_][A-Za-z_0-9]*/.exec(rest);
  if (name !== null)
    return { token: { type: "name", text: name[0].toLowerCase(), at }, end: at + name[0].length };
  const mark = /^(?:\*\*|[-+*/%^(),×÷−])/.exec(rest);
  if (mark === null) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    throw new ExpressionError(`"${character}" at character ${at + 1} is not arithmetic.`);
  }
  const spelling = { "**": "^", "×": "*", "÷": "/", "−": "-" }[mark[0]] ?? mark[0];
  return { token: { type: "mark", text: spelling, at }, end: at + mark[0].length };
}

interface Reader {
  peek(): Token;
  next(): Token;
  /** Takes the next token if it is one of these marks. */
  take(...marks: readonly string[]): string | undefined;
}

function createReader(tokens: readonly Token[]): Reader {
  let at = 0;
  const peek = () => tokens[at] ?? (tokens.at(-1) as Token);
  return {
    peek,
    next: () => {
      const token = peek();
      at += 1;
      return token;
    },
    take: (...marks) => {
      const token = peek();
      if (token.type !== "mark" || !marks.includes(token.text)) return undefined;
      at += 1;
      return token.text;
    },
  };
}

function readSum(reader: Reader, depth: number): number {
  if (depth > deepestNesting) throw new ExpressionError(`Nested more than ${deepestNesting} levels deep.`);
  let value = readProduct(reader, depth);
  for (;;) {
    const mark = reader.take("+", "-");
    if (mark === undefined) return value;
    const right = readProduct(reader, depth);
    value = finite(mark === "+" ? value + right : value - right);
  }
}

function readProduct(reader: Reader, depth: number): number {
  let value = readSign(reader, depth);
  for (;;) {
    const at = reader.peek().at;
    const mark = reader.take("*", "/", "%");
    if (mark === undefined) return value;
    const right = readSign(reader, depth);
    if (mark !== "*" && right === 0) throw new ExpressionError(`Division by zero at character ${at + 1}.`);
    value = finite(mark === "*" ? value * right : mark === "/" ? value / right : value % right);
  }
}

function readSign(reader: Reader, depth: number): number {
  if (depth > deepestNesting) throw new ExpressionError(`Nested more than ${deepestNesting} levels deep.`);
  const mark = reader.take("+", "-");
  if (mark === undefined) return readPower(reader, depth);
  const value = readSign(reader, depth + 1);
  return mark === "-" ? -value : value;
}

function readPower(reader: Reader, depth: number): number {
  const base = readAtom(reader, depth);
  if (reader.take("^") === undefined) return base;
  return finite(base ** readSign(reader, depth + 1));
}

function readAtom(reader: Reader, depth: number): number {
  const token = reader.next();
  if (token.type === "number") return finite(token.value);
  if (token.type === "name") return readName(reader, token, depth);
  if (token.type !== "mark" || token.text !== "(") throw unexpected(token, "a number");
  const value = readSum(reader, depth + 1);
  if (reader.take(")") === undefined) throw unexpected(reader.peek(), '")"');
  return value;
}

function readName(reader: Reader, token: Token & { type: "name" }, depth: number): number {
  const constant = constants.get(token.text);
  if (constant !== undefined) return constant;
  const known = functions.get(token.text);
  if (known === undefined) {
    const names = [...functions.keys(), ...constants.keys()].join(", ");
    throw new ExpressionError(`"${token.text}" is unknown: write numbers, or one of ${names}.`);
  }
  if (reader.take("(") === undefined) throw unexpected(reader.peek(), `"(" after ${token.text}`);
  const values = [readSum(reader, depth + 1)];
  while (reader.take(",") !== undefined) values.push(readSum(reader, depth + 1));
  if (reader.take(")") === undefined) throw unexpected(reader.peek(), '"," or ")"');
  if (values.length < known.least || values.length > known.most) {
    throw new ExpressionError(`${token.text} takes ${describeCount(known)}, not ${values.length}.`);
  }
  return finite(known.apply(...values));
}

function describeCount(known: NumberFunction): string {
  if (known.least === known.most) return `${known.least} number`;
  return known.most === Infinity ? "one or more numbers" : `${known.least} or ${known.most} numbers`;
}

function unexpected(token: Token, wanted: string): ExpressionError {
  const came = token.type === "number" ? writeNumber(token.value) : token.text;
  const place = token.type === "end" ? "" : ` at character ${token.at + 1}`;
  const hint = token.type === "mark" && token.text === "," ? " Write 1200, not 1,200." : "";
  return new ExpressionError(`Expected ${wanted}${place}, found ${came}.${hint}`);
}

function finite(value: number): number {
  if (Number.isNaN(value)) throw new ExpressionError("The result is not a real number.");
  if (!Number.isFinite(value)) throw new ExpressionError("The result is too large.");
  return value;
}

/** Halves go away from zero, and are judged on the number as it is written: 1.005 to two digits is 1.01. */
function roundTo(value: number, digits: number): number {
  const places = Math.min(Math.max(Math.trunc(digits), 0), 15);
  const scaled = Number(
    `${Math.abs(value).toExponential()}`.replace(/e([+-]\d+)$/, (_, power) => `e${Number(power) + places}`),
  );
  return Math.sign(value) * Number(`${Math.round(scaled)}e-${places}`);
}
