// Follows a text token by token: through the guide that decodes calls, as a model would that wants to write just this text
// and splits it as its tokenizer does, and through the masks alone.
import type { Format, WriteOptions } from "../../src/formats/index.ts";
import {
  createMasks,
  createMatcher,
  DEAD,
  type Grammar,
  type Matcher,
  specialTokenBytes,
  type TokenMasks,
} from "../../src/gbnf-builder/index.ts";
import type { Guide } from "../../src/models/local/guide.ts";
import {
  createMatcherVocabulary,
  type MatcherVocabulary,
} from "../../src/models/local/matcher-vocabulary.ts";
import { matcherBytes } from "../../src/models/local/prompt-tokens.ts";
import type { TokenFilter } from "../../src/models/local/runtime-sequence.ts";
import { createSpanGuides } from "../../src/models/local/span-guides.ts";
import type { Tokenizer } from "../../src/models/local/tokenizer.ts";
import { placePrefix } from "../../src/models/local/turn-prefix.ts";
import { offeredTools } from "./generated-calls.ts";

export type Walk =
  /** `isOwnSplit`: what was forced was split as the tokenizer splits the whole text. */
  | { readonly type: "accepted"; readonly isOwnSplit: boolean }
  /** How many UTF-16 units stand between the opener and the token that was refused. */
  | { readonly type: "refused"; readonly at: number };

/** Walks over one vocabulary. Texts begin with their format's first opener. */
export interface TokenWalk {
  /** Through the guide: what is forced is fed, what is a choice must allow the tokenizer's token. */
  decode(format: Format, layout: WriteOptions, text: string): Walk;
  /** Whether the masks allow every token of the tokenizer's own split, forced or not. */
  allowsOwnSplit(format: Format, layout: WriteOptions, text: string): boolean;
}

interface Constrained {
  readonly grammar: Grammar;
  readonly matcher: Matcher;
  readonly masks: TokenMasks;
}

/** A format's masks are kept, as they are in a model. */
export function createTokenWalk(tokenizer: Tokenizer): TokenWalk {
  const vocabulary = createMatcherVocabulary(tokenizer);
  const createGuide = createSpanGuides(tokenizer, vocabulary);
  const specialTokens = [...tokenizer.vocabulary.control.values()];
  const known = new Map<string, Constrained>();

  function decode(format: Format, layout: WriteOptions, text: string): Walk {
    const { prefix, opened, rest, grammar } = begin(format, layout, text);
    const place = placePrefix(tokenizer, { prompt: [], turn: [] }, { prompt: [], prefix });
    const guide = createGuide({ prefix, span: { type: "constrained", grammar } }, place);
    const walked = follow(guide, vocabulary, Buffer.concat([opened, rest]));
    const [opener] = prefix;
    return walked.type === "accepted" ? walked : { ...walked, at: walked.at - opener.text.length };
  }

  function allowsOwnSplit(format: Format, layout: WriteOptions, text: string): boolean {
    const { opened, rest, matcher, masks } = begin(format, layout, text);
    let before = opened.length;
    let state = matcher.start;
    for (const token of vocabulary.tokenize(Buffer.concat([opened, rest]))) {
      const spelling = vocabulary.bytesOf(token) ?? new Uint8Array(0);
      // What begins in the opener is no choice.
      if (before <= 0 && !masks.isAllowed(state, token)) return false;
      state = matcher.advance(state, spelling.subarray(Math.max(0, before)));
      before -= spelling.length;
    }
    return matcher.isAccepting(state);
  }

  function begin(format: Format, layout: WriteOptions, text: string) {
    const opener = format.openers[0] ?? { text: "", special: false };
    const prefix = [{ text: opener.text, special: opener.special }] as const;
    const constrained = constrain(format, layout);
    const opened = matcherBytes(tokenizer, prefix);
    const rest = asGrammarReads(constrained.matcher, text.slice(opener.text.length), specialTokens);
    return { ...constrained, prefix, opened, rest };
  }

  function constrain(format: Format, layout: WriteOptions): Constrained {
    const key = JSON.stringify([format.name, layout]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const options = { ...layout, specialTokens };
    const { grammar } = format.constraint({ ...options, tools: offeredTools(format, options) });
    const matcher = createMatcher(grammar);
    const made = { grammar, matcher, masks: createMasks(matcher, vocabulary.trie) };
    known.set(key, made);
    return made;
  }

  return { decode, allowsOwnSplit };
}

/** The text in the matcher's alphabet: a control token where the grammar asks for it, else the characters of its spelling. */
function asGrammarReads(matcher: Matcher, text: string, specialTokens: readonly string[]): Uint8Array {
  const present = specialTokens.filter((token) => text.includes(token));
  if (present.length === 0) return Buffer.from(text);
  const pieces: Uint8Array[] = [];
  let state = matcher.start;
  for (let at = 0; at < text.length; ) {
    const token = present.find(
      (one) => text.startsWith(one, at) && matcher.advance(state, specialTokenBytes(one)) !== DEAD,
    );
    const character = token ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    const bytes = token === undefined ? Buffer.from(character) : specialTokenBytes(token);
    state = matcher.advance(state, bytes);
    pieces.push(bytes);
    at += character.length;
  }
  return Buffer.concat(pieces);
}

function follow(guide: Guide, vocabulary: MatcherVocabulary, bytes: Uint8Array): Walk {
  let own = splitFrom(vocabulary, bytes, 0);
  let isOwnSplit = true;
  let at = 0;
  const take = (token: number): boolean => {
    const spelling = vocabulary.bytesOf(token);
    if (spelling === undefined || !spelling.every((byte, index) => bytes[at + index] === byte)) return false;
    guide.take(token);
    at += spelling.length;
    if (own.has(at)) return true;
    isOwnSplit = false;
    own = splitFrom(vocabulary, bytes, at);
    return true;
  };
  for (;;) {
    const step = guide.next();
    const refused: Walk = { type: "refused", at: unitsBefore(bytes, at) };
    const accepted: Walk = { type: "accepted", isOwnSplit };
    switch (step.type) {
      case "end":
        return step.reason === "accepted" && at === bytes.length ? accepted : refused;
      case "feed":
        for (const token of step.tokens)
          if (!take(token)) return { type: "refused", at: unitsBefore(bytes, at) };
        break;
      case "choose": {
        if (at === bytes.length) return step.filter.mayEnd ? accepted : refused;
        const token = own.get(at);
        if (token === undefined || !allows(step.filter, token)) return refused;
        take(token);
        break;
      }
      default:
        return step satisfies never;
    }
  }
}

/** The tokenizer's own tokens by where they begin; the text's end is a beginning as well. */
function splitFrom(
  vocabulary: MatcherVocabulary,
  bytes: Uint8Array,
  start: number,
): ReadonlyMap<number, number | undefined> {
  const tokens = new Map<number, number | undefined>();
  let at = start;
  for (const token of vocabulary.tokenize(bytes.subarray(start))) {
    tokens.set(at, token);
    at += vocabulary.bytesOf(token)?.length ?? 0;
  }
  return tokens.set(at, undefined);
}

const idSets = new WeakMap<object, ReadonlySet<number>>();

function allows({ side, ids }: TokenFilter, token: number): boolean {
  const known = idSets.get(ids) ?? new Set(ids);
  idSets.set(ids, known);
  return known.has(token) === (side === "allowed");
}

function unitsBefore(bytes: Uint8Array, end: number): number {
  let units = 0;
  for (const byte of bytes.subarray(0, end)) {
    const continues = (byte & 0xc0) === 0x80;
    // 0xFF stands around a special token.
    units += byte === 0xff || continues ? 0 : byte < 0xf0 ? 1 : 2;
  }
  return units;
}
