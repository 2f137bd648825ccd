// Functions that build expressions and grammars, and keep them in one normal shape: nested sequences and choices
// are flat, neighbouring literals are one, ranges are sorted and merged. Knows nothing of text formats or of bytes.
import type { CharacterRange, Expression, Grammar } from "./grammar.ts";
import { GrammarError } from "./grammar-error.ts";

/** Matches the empty text only. */
export const emptyText: Expression = { type: "sequence", items: [] };

/** Matches no text at all. */
export const nothing: Expression = { type: "choice", options: [] };

const lastCodePoint = 0x10ffff;
const deepestNesting = 500;
const surrogates: CharacterRange = [0xd800, 0xdfff];

/** Exactly this text. Throws for text with half a surrogate pair, which no UTF-8 can spell. */
export function literal(text: string): Expression {
  if (text === "") return emptyText;
  if (/\p{Surrogate}/u.test(text))
    throw new GrammarError(`A literal must be whole Unicode: ${JSON.stringify(text)}`);
  return { type: "literal", text };
}

/** One code point out of the ranges, given in any order; a string stands for each of its characters. */
export function characters(...ranges: readonly (CharacterRange | string)[]): Expression {
  return fromRanges(withoutSurrogates(mergeRanges(toRanges(ranges))));
}

/** One code point outside the ranges. */
export function notCharacters(...ranges: readonly (CharacterRange | string)[]): Expression {
  return fromRanges(complementRanges(mergeRanges(toRanges(ranges))));
}

/** Any one code point. */
export function anyCharacter(): Expression {
  return notCharacters();
}

/** One special token of the vocabulary, by its text. Ordinary text never matches it. */
export function token(text: string): Expression {
  if (text === "") throw new GrammarError("A token needs a text");
  return { type: "token", text };
}

/** A reference to a rule of the grammar. */
export function rule(name: string): Expression {
  return { type: "rule", name };
}

/** One after the other. */
export function sequence(...items: readonly Expression[]): Expression {
  const flat: Expression[] = [];
  for (const item of items) {
    if (isNothing(item)) return nothing;
    for (const part of item.type === "sequence" ? item.items : [item]) appendPart(flat, part);
  }
  return flat.length === 1 ? flat[0]! : flat.length === 0 ? emptyText : { type: "sequence", items: flat };
}

/** One of the options; their order has no meaning. */
export function choice(...options: readonly Expression[]): Expression {
  if (options.length === 1) return options[0]!;
  const flat = new Set<Expression>();
  const texts = new Set<string>();
  const ranges: CharacterRange[] = [];
  for (const option of options) {
    for (const part of option.type === "choice" ? option.options : [option]) {
      if (part.type === "characters") ranges.push(...part.ranges);
      else if (part.type === "literal" || part.type === "rule" || isEmptyText(part)) {
        const key = part.type === "literal" ? `t${part.text}` : part.type === "rule" ? `r${part.name}` : "";
        if (!texts.has(key)) flat.add(part);
        texts.add(key);
      } else flat.add(part);
    }
  }
  if (ranges.length > 0) flat.add(fromRanges(mergeRanges(ranges)));
  const list = [...flat];
  return list.length === 1 ? list[0]! : list.length === 0 ? nothing : { type: "choice", options: list };
}

/** `item` at least `min` and at most `max` times; without `max` without end. A repeat of a repeat becomes one where that is exact. */
export function repeat(item: Expression, min: number, max?: number): Expression {
  if (!isCount(min) || (max !== undefined && (!isCount(max) || max < min)))
    throw new GrammarError(`A repeat needs whole numbers 0 <= min <= max, not {${min},${max ?? ""}}`);
  if (max === 0 || isEmptyText(item)) return emptyText;
  if (isNothing(item)) return min === 0 ? emptyText : nothing;
  if (min === 1 && max === 1) return item;
  if (item.type === "repeat") {
    const merged = mergeRepeats(item, min, max);
    if (merged !== undefined) return merged;
  }
  return { type: "repeat", item, min, max };
}

/** `item` or the empty text. */
export function optional(item: Expression): Expression {
  return repeat(item, 0, 1);
}

/** `item` any number of times, also none. */
export function zeroOrMore(item: Expression): Expression {
  return repeat(item, 0);
}

/** `item` once or more. */
export function oneOrMore(item: Expression): Expression {
  return repeat(item, 1);
}

/** `item` exactly `count` times. */
export function times(item: Expression, count: number): Expression {
  return repeat(item, count, count);
}

/**
 * A grammar out of its rules. Throws `GrammarError` when the root or a rule that is referred to is missing, and when one
 * rule nests its parts more than 500 deep (recursion between rules has no limit).
 */
export function createGrammar(
  root: string,
  rules: ReadonlyMap<string, Expression> | Readonly<Record<string, Expression>>,
): Grammar {
  const map = new Map(rules instanceof Map ? rules : Object.entries(rules));
  if (!map.has(root)) throw new GrammarError(`The root rule ${JSON.stringify(root)} is not defined`);
  for (const [name, expression] of map) checkReferences({ name, rules: map }, expression, 0);
  return { root, rules: map };
}

/** Whether an expression is the empty text by its shape. */
export function isEmptyText(expression: Expression): boolean {
  return expression.type === "sequence" && expression.items.length === 0;
}

/** Whether an expression matches nothing by its shape. */
export function isNothing(expression: Expression): boolean {
  return (
    (expression.type === "choice" && expression.options.length === 0) ||
    (expression.type === "characters" && expression.ranges.length === 0)
  );
}

/** Sorted, disjoint ranges without neighbours that touch. */
export function mergeRanges(ranges: readonly CharacterRange[]): CharacterRange[] {
  const isSorted = ranges.every(([from], i) => i === 0 || from >= (ranges[i - 1] as CharacterRange)[0]);
  const sorted = isSorted ? ranges : [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** All code points outside sorted, disjoint ranges; never surrogates. */
export function complementRanges(ranges: readonly CharacterRange[]): CharacterRange[] {
  const rest: CharacterRange[] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) rest.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return withoutSurrogates(rest);
}

function appendPart(flat: Expression[], part: Expression): void {
  const last = flat.at(-1);
  if (part.type === "literal" && last?.type === "literal")
    flat[flat.length - 1] = { type: "literal", text: last.text + part.text };
  else flat.push(part);
}

function toRanges(parts: readonly (CharacterRange | string)[]): CharacterRange[] {
  const ranges: CharacterRange[] = [];
  for (const part of parts) {
    if (typeof part === "string") {
      for (const character of part) ranges.push([character.codePointAt(0)!, character.codePointAt(0)!]);
      continue;
    }
    const [from, to] = part;
    if (!isCount(from) || !isCount(to) || from > to || to > lastCodePoint)
      throw new GrammarError(`Not a range of code points: ${from} to ${to}`);
    ranges.push(part);
  }
  return ranges;
}

function fromRanges(ranges: readonly CharacterRange[]): Expression {
  if (ranges.length === 0) return nothing;
  const [from, to] = ranges[0]!;
  if (ranges.length === 1 && from === to) return { type: "literal", text: String.fromCodePoint(from) };
  return { type: "characters", ranges };
}

function withoutSurrogates(ranges: readonly CharacterRange[]): CharacterRange[] {
  const [low, high] = surrogates;
  if (!ranges.some(([from, to]) => from <= high && to >= low)) return [...ranges];
  return ranges.flatMap(([from, to]): CharacterRange[] => {
    if (to < low || from > high) return [[from, to]];
    const kept: CharacterRange[] = [];
    if (from < low) kept.push([from, low - 1]);
    if (to > high) kept.push([high + 1, to]);
    return kept;
  });
}

// {a,b} repeated {min,max} times gives every count from a*min to b*max unless there are gaps between k*b and (k+1)*a;
// the first gap, if any, is at k = min.
function mergeRepeats(
  inner: Extract<Expression, { type: "repeat" }>,
  min: number,
  max: number | undefined,
): Expression | undefined {
  const { item, min: a, max: b } = inner;
  const isFixed = min === max;
  const hasGap = b === undefined ? min === 0 && a > 1 : min * (b - a) + 1 < a;
  if (!isFixed && hasGap) return undefined;
  const low = a * min;
  const high = b === undefined || max === undefined ? undefined : b * max;
  if (!Number.isSafeInteger(low) || (high !== undefined && !Number.isSafeInteger(high))) return undefined;
  return repeat(item, low, high);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function checkReferences(
  within: { readonly name: string; readonly rules: ReadonlyMap<string, Expression> },
  expression: Expression,
  depth: number,
): void {
  if (depth > deepestNesting)
    throw new GrammarError(
      `Rule ${JSON.stringify(within.name)} is nested too deeply; give inner parts rules of their own`,
    );
  if (expression.type === "sequence") {
    for (const item of expression.items) checkReferences(within, item, depth + 1);
  } else if (expression.type === "choice") {
    for (const option of expression.options) checkReferences(within, option, depth + 1);
  } else if (expression.type === "repeat") {
    checkReferences(within, expression.item, depth + 1);
  } else if (expression.type === "rule" && !within.rules.has(expression.name)) {
    throw new GrammarError(
      `Rule ${JSON.stringify(within.name)} refers to ${JSON.stringify(expression.name)}, which is not defined`,
    );
  }
}
