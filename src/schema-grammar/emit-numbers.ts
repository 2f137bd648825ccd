// Number sets as grammar expressions: plain decimals, and exponents only where numbers have no bound.
import { characters, choice, emptyText, literal, optional, repeat, sequence } from "../gbnf-builder/build.ts";
import type { Expression } from "../gbnf-builder/grammar.ts";
import type { Automaton } from "./languages/automaton.ts";
import { compareDecimals, decimalOf, decimalText, zero } from "./languages/decimal.ts";
import { emitAutomaton } from "./languages/emit-automaton.ts";
import type { EmitContext } from "./languages/emit-context.ts";
import { numberAutomaton, type Stretch } from "./languages/number-automaton.ts";
import { type Cut, mostRawStates, type NumberPiece, pieceKey, pointOf } from "./languages/number-piece.ts";
import { bareSpelling } from "./languages/spelling.ts";
import { isEveryStep } from "./languages/steps.ts";
import { emitWords } from "./languages/word-list.ts";
import { andNumbers, type NumberSet, negateNumbers, numbersFrom } from "./number-set.ts";

export interface EmitNumberOptions {
  /** Most digits of a whole number without bound, and most after the point; without end where left out. */
  readonly digits?: number | undefined;
}

// Stretches that are written by one automaton together; more become a choice of several.
const together = 4;
// Whether a set can be written without rules is tried first, so that the same automata are asked for twice in a row.
const automata = new Map<string, Automaton | undefined>();
const rememberedAutomata = 8;

/**
 * The JSON texts of the numbers: no leading zeros, no `-0`, integers without a fraction. Where numbers are dense, each
 * has a text of at most `digits` digits after the point only where the option allows as many.
 */
export function emitNumber(
  set: NumberSet,
  context: EmitContext,
  options: EmitNumberOptions = {},
): Expression {
  return context.rule(`number:${set.key}:${options.digits ?? ""}`, () => {
    const upper = andNumbers(set, numbersFrom(0)).numbers;
    const lower = andNumbers(negateNumbers(set), numbersFrom(0, true)).numbers;
    if (upper.key === lower.key) return sequence(optional(literal("-")), emitUpper(upper, context, options));
    return choice(
      emitUpper(upper, context, options),
      sequence(literal("-"), emitUpper(lower, context, options)),
    );
  });
}

/** Whether the cap on digits leaves out numbers of the set. */
export function doesCapDigits(set: NumberSet, digits: number): boolean {
  return set.pieces.some((piece) => {
    if (pointOf(piece) !== undefined) return false;
    if (piece.low === undefined || piece.high === undefined) return true;
    return piece.steps.some(({ multiple }) => multiple === undefined || -multiple.exponent > digits);
  });
}

/** Numbers from zero up. */
function emitUpper(set: NumberSet, context: EmitContext, { digits }: EmitNumberOptions): Expression {
  const points: string[] = [];
  const wide: NumberPiece[] = [];
  for (const piece of set.pieces) {
    const point = pointOf(piece);
    if (point === undefined) wide.push(piece);
    else points.push(decimalText(point));
  }
  const options: Expression[] = [];
  if (points.length > 0) options.push(emitWords(points.sort(), context, digitSpelling));
  for (let at = 0; at < wide.length; at += together) {
    options.push(emitPieces(wide.slice(at, at + together), context, digits));
  }
  for (const piece of wide) options.push(...emitExponents(piece, context, digits));
  return choice(...options);
}

function emitPieces(
  pieces: readonly NumberPiece[],
  context: EmitContext,
  digits: number | undefined,
): Expression {
  const automaton = automatonOfPieces(pieces, digits);
  if (automaton !== undefined) return emitAutomaton({ automaton, tails: [] }, context, digitSpelling);
  if (pieces.length > 1) return choice(...pieces.map((piece) => emitPieces([piece], context, digits)));
  throw new RangeError("a number set went past the budget that it was made for");
}

function automatonOfPieces(
  pieces: readonly NumberPiece[],
  digits: number | undefined,
): Automaton | undefined {
  const key = `${pieces.map(pieceKey).join("|")} ${digits ?? ""}`;
  if (automata.has(key)) return automata.get(key);
  const automaton = numberAutomaton(pieces.map(toStretch), { digits, states: 4 * mostRawStates });
  if (automata.size >= rememberedAutomata) automata.delete(automata.keys().next().value as string);
  automata.set(key, automaton);
  return automaton;
}

function toStretch({ low, high, steps }: NumberPiece): Stretch {
  return {
    low: low && { value: low.value, included: !low.after },
    high: high && { value: high.value, included: high.after },
    steps,
  };
}

/** What JavaScript and people write with an exponent: numbers too large or too small to write out. */
function emitExponents(piece: NumberPiece, context: EmitContext, digits: number | undefined): Expression[] {
  if (!isEveryStep(piece.steps)) return [];
  const mantissa = context.rule(`number-mantissa:${digits ?? ""}`, () =>
    sequence(nonZero, optional(sequence(literal("."), repeat(digit, 1, digits)))),
  );
  const forms: Expression[] = [];
  if (piece.high === undefined && isAtMost(piece.low, 1e21)) {
    forms.push(
      context.rule(`number-large:${digits ?? ""}`, () => sequence(mantissa, exponentMark, largeExponent)),
    );
  }
  if (
    isAtMost(piece.low, 0) &&
    (piece.high === undefined || compareDecimals(piece.high.value, decimalOf(1e-6)) > 0)
  ) {
    forms.push(
      context.rule(`number-small:${digits ?? ""}`, () => sequence(mantissa, exponentMark, smallExponent)),
    );
  }
  if (piece.high === undefined && isAtMost(piece.low, 0)) {
    forms.push(
      context.rule(`number-scaled:${digits ?? ""}`, () => sequence(mantissa, exponentMark, shortExponent)),
    );
  }
  return forms;
}

function isAtMost(low: Cut | undefined, most: number): boolean {
  return low === undefined || compareDecimals(low.value, most === 0 ? zero : decimalOf(most)) <= 0;
}

const digit = characters([0x30, 0x39]);
const nonZero = characters([0x31, 0x39]);
const exponentMark = characters("eE");
// Up to e+307 every mantissa is a finite double, and from e-323 on none is taken for zero.
const largeExponent = sequence(
  optional(literal("+")),
  choice(
    sequence(literal("2"), nonZero),
    sequence(characters([0x33, 0x39]), digit),
    sequence(characters("12"), digit, digit),
    sequence(literal("30"), characters([0x30, 0x37])),
  ),
);
const smallExponent = sequence(
  literal("-"),
  choice(
    sequence(optional(literal("0")), characters([0x37, 0x39])),
    sequence(nonZero, digit),
    sequence(characters("12"), digit, digit),
    sequence(literal("3"), characters("01"), digit),
    sequence(literal("32"), characters([0x30, 0x33])),
  ),
);
const shortExponent = sequence(optional(characters("+-")), digit, optional(digit));

const digitSpelling = bareSpelling({ name: "number", open: emptyText, close: emptyText });
