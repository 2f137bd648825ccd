// ECMAScript's regular expressions read into patterns. The only file that knows the parser of their syntax.
import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { complementRanges } from "../../gbnf-builder/build.ts";
import type { CharacterRange } from "../../gbnf-builder/grammar.ts";
import { allCodePoints, type Ranges, tidyRanges } from "./code-points.ts";
import { beyondIn } from "./halved-characters.ts";
import { choiceOf, nothing, type Pattern } from "./pattern.ts";
import { wordCharacters } from "./pattern-features.ts";
import { propertyRanges } from "./property-ranges.ts";

export interface ReadPattern {
  readonly pattern: Pattern;
  /** Why the pattern stands for more texts than the expression does; absent where it stands for the same. */
  readonly wider?: string;
  /** Whether the expression takes characters beyond U+FFFF in two halves, as it does without the `u` flag. */
  readonly halves?: boolean;
}

const parser = new RegExpParser({ ecmaVersion: 2024 });

// Groups inside groups beyond this are taken for any text.
const deepest = 250;
const tooDeep = "its groups nest too deeply";

/** Reads an expression by the rules of the `u` flag, else by those without it; undefined where it is neither. */
export function readPattern(source: string): ReadPattern | undefined {
  for (const unicode of [true, false]) {
    try {
      const tree = parser.parsePattern(source, 0, source.length, { unicode });
      return unicode ? convert(tree) : withHalves(convert(tree));
    } catch (error) {
      // The parser calls itself for every group, so it is the first to run out of stack.
      if (error instanceof RangeError) return { pattern: nothing, wider: tooDeep };
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

const anyText: Pattern = {
  type: "repeat",
  item: { type: "characters", ranges: allCodePoints },
  min: 0,
  max: Infinity,
};

function withHalves(read: ReadPattern & { readonly splits: boolean }): ReadPattern {
  const { all, some } = beyondIn(read.pattern);
  if (!read.splits && !(all && some)) return { ...read, halves: all };
  return { pattern: nothing, wider: "without the u flag it takes characters beyond U+FFFF apart" };
}

function convert(tree: AST.Pattern): ReadPattern & { readonly splits: boolean } {
  const wider: string[] = [];
  const characters = new Map<number, Pattern>();
  let splits = false;
  let depth = 0;
  const pattern = readAlternatives(tree.alternatives);
  return { pattern, splits, ...(wider.length > 0 && { wider: [...new Set(wider)].join("; ") }) };

  function readAlternatives(alternatives: readonly AST.Alternative[]): Pattern {
    if (depth >= deepest) {
      wider.push(tooDeep);
      return anyText;
    }
    depth++;
    const choice = choiceOf(alternatives.map(readAlternative));
    depth--;
    return choice;
  }

  function readAlternative(alternative: AST.Alternative): Pattern {
    const items = joinSurrogates(alternative.elements).map((element) =>
      typeof element === "number" ? oneCharacter(element) : readElement(element),
    );
    return items.length === 1 ? (items[0] as Pattern) : { type: "sequence", items };
  }

  function readElement(element: AST.Element): Pattern {
    switch (element.type) {
      case "Assertion":
        return readAssertion(element);
      case "Quantifier":
        return { type: "repeat", item: readElement(element.element), min: element.min, max: element.max };
      case "Group":
      case "CapturingGroup":
        return readAlternatives(element.alternatives);
      case "Backreference":
        return readBackreference(element);
      case "Character":
        return oneCharacter(element.value);
      case "CharacterSet":
        return { type: "characters", ranges: setRanges(element) };
      case "CharacterClass":
        splits ||= element.elements.some(namesHalf);
        return { type: "characters", ranges: classRanges(element) };
      case "ExpressionCharacterClass":
        // Only the `v` flag makes these, which is not asked for.
        wider.push("a class with set operations is taken for any character");
        return { type: "characters", ranges: allCodePoints };
      default:
        return element satisfies never;
    }
  }

  /** Equal characters are one object, so that a choice can see what its options begin with. */
  function oneCharacter(value: number): Pattern {
    if (isHigh(value) || isLow(value)) splits = true;
    let pattern = characters.get(value);
    if (pattern === undefined) {
      pattern = { type: "characters", ranges: tidyRanges([[value, value]]) };
      characters.set(value, pattern);
    }
    return pattern;
  }

  /** A back-reference repeats what its group took, so its texts are among those of the group. */
  function readBackreference(reference: AST.Backreference): Pattern {
    wider.push("a back-reference is taken for any text of its group");
    const groups = Array.isArray(reference.resolved) ? reference.resolved : [reference.resolved];
    const isInside = groups.some((group) => group.start <= reference.start && reference.end <= group.end);
    if (isInside) return nothing;
    return choiceOf([nothing, ...groups.map((group) => readAlternatives(group.alternatives))]);
  }

  function readAssertion(assertion: AST.Assertion): Pattern {
    switch (assertion.kind) {
      case "start":
        return { type: "start" };
      case "end":
        return { type: "end" };
      case "word":
        return { type: "word-boundary", negated: assertion.negate };
      case "lookahead":
      case "lookbehind": {
        const known = wider.length;
        const item = readAlternatives(assertion.alternatives);
        // What stands for more inside a negation stands for less outside, so such an assertion is left out.
        if (assertion.negate && wider.length > known) return nothing;
        if (assertion.kind === "lookahead") return { type: "ahead", item, negated: assertion.negate };
        if (looksAhead(item)) {
          wider.push("a look-behind that looks ahead is left out");
          return nothing;
        }
        return { type: "behind", item, negated: assertion.negate };
      }
      default:
        return assertion satisfies never;
    }
  }
}

function looksAhead(pattern: Pattern): boolean {
  switch (pattern.type) {
    case "sequence":
      return pattern.items.some(looksAhead);
    case "choice":
      return pattern.options.some(looksAhead);
    case "repeat":
    case "behind":
      return looksAhead(pattern.item);
    default:
      return pattern.type === "ahead" || pattern.type === "end" || pattern.type === "word-boundary";
  }
}

/** Without the `u` flag a character beyond U+FFFF is read as two halves; here it is one again. */
function joinSurrogates(elements: readonly AST.Element[]): (AST.Element | number)[] {
  const joined: (AST.Element | number)[] = [];
  for (const element of elements) {
    const last = joined.at(-1);
    if (
      element.type === "Character" &&
      isLow(element.value) &&
      typeof last === "object" &&
      last.type === "Character" &&
      isHigh(last.value)
    ) {
      joined[joined.length - 1] = String.fromCharCode(last.value, element.value).codePointAt(0) as number;
    } else joined.push(element);
  }
  return joined;
}

function namesHalf(element: AST.CharacterClassElement): boolean {
  if (element.type === "Character") return isHigh(element.value) || isLow(element.value);
  return element.type === "CharacterClassRange" && element.max.value >= 0xd800 && element.min.value <= 0xdfff;
}

function isHigh(value: number): boolean {
  return value >= 0xd800 && value <= 0xdbff;
}

function isLow(value: number): boolean {
  return value >= 0xdc00 && value <= 0xdfff;
}

const digits: Ranges = [[0x30, 0x39]];
const lineEnds: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
// White space and line ends of ECMA-262: the ASCII ones, U+FEFF and every space separator.
const spaces: Ranges = tidyRanges([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

function setRanges(set: AST.CharacterSet): Ranges {
  switch (set.kind) {
    case "any":
      return complementRanges(lineEnds);
    case "digit":
      return set.negate ? complementRanges(digits) : digits;
    case "space":
      return set.negate ? complementRanges(spaces) : spaces;
    case "word":
      return set.negate ? complementRanges(wordCharacters) : wordCharacters;
    case "property":
      return propertyRanges(set.raw);
    default:
      return set satisfies never;
  }
}

function classRanges(node: AST.CharacterClass): Ranges {
  const parts: CharacterRange[] = [];
  for (const element of node.elements) {
    switch (element.type) {
      case "Character":
        parts.push([element.value, element.value]);
        break;
      case "CharacterClassRange":
        parts.push([element.min.value, element.max.value]);
        break;
      case "CharacterSet":
        parts.push(...setRanges(element));
        break;
      default:
        // Classes inside classes and strings in them belong to the `v` flag, which is not asked for.
        throw new SyntaxError(`unexpected ${element.type} in a character class`);
    }
  }
  const ranges = tidyRanges(parts);
  return node.negate ? complementRanges(ranges) : ranges;
}
