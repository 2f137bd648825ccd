// Text under a grammar. Forced text is tokenized and fed as one run under the boundary rule: the run's last token is held
// back where an allowed token reaches beyond the run, so that the split stays the tokenizer's own. Everything else is a
// choice among the tokens that the matcher allows.
import {
  DEAD,
  type Matcher,
  type TokenMasks,
  type TokenTrie,
  wholePartLength,
} from "../../gbnf-builder/index.ts";
import type { Forbidden } from "../model.ts";
import { type ForbiddenText, refusedByForbidden } from "./forbidden-text.ts";
import type { Guide, GuideStep } from "./guide.ts";
import type { TokenFilter } from "./runtime-sequence.ts";

export interface GrammarGuideOptions {
  readonly matcher: Matcher;
  readonly masks: TokenMasks;
  readonly trie: TokenTrie;
  /** Bytes of a token as the trie knows them; undefined where it has none. */
  readonly bytesOf: (token: number) => Uint8Array | undefined;
  /** Tokens of bytes that are whole characters or special tokens' pseudo-bytes. */
  readonly tokenize: (bytes: Uint8Array) => readonly number[];
  /** Decided bytes that are not tokens yet; the first `before` of them stand before the grammar's start. */
  readonly decided: Uint8Array;
  readonly before: number;
  /** Bytes that the grammar has read already, all of them tokens. */
  readonly read: Uint8Array;
  readonly forbidden?: Forbidden;
}

export function createGrammarGuide(options: GrammarGuideOptions): Guide {
  const { matcher, masks, trie } = options;
  let state = matcher.advance(matcher.start, options.read);
  let decided = options.decided;
  let before = options.before;
  let queue: readonly number[] = [];
  let written = Buffer.from(options.read);
  const forbidden = options.forbidden && {
    offset: options.read.length + options.decided.length - options.before,
    texts: options.forbidden.texts.map((text) => Buffer.from(text, "utf8")),
  };

  function next(): GuideStep {
    if (queue.length === 0) queue = forcedRun();
    if (queue.length > 0) return { type: "feed", tokens: queue };
    if (state === DEAD) return { type: "end", reason: "impossible" };
    const isAccepting = matcher.isAccepting(state) && decided.length === 0;
    if (isAccepting && !matcher.canContinue(state)) return { type: "end", reason: "accepted" };
    const filter = narrowed(masks.allowedTokens(state), isAccepting);
    const isEmpty = filter.side === "allowed" && filter.ids.length === 0 && !filter.mayEnd;
    return isEmpty ? { type: "end", reason: "impossible" } : { type: "choose", filter };
  }

  /** The decided bytes and what the grammar forces after them, as tokens. */
  function forcedRun(): readonly number[] {
    const start = before > 0 ? matcher.start : state;
    const afterDecided = matcher.advance(start, decided.subarray(before));
    if (afterDecided === DEAD) {
      state = DEAD;
      return [];
    }
    const forced = matcher.forced(afterDecided);
    if (forbidden && completes(forbidden, Buffer.concat([written, decided.subarray(before), forced.bytes]))) {
      state = DEAD;
      return [];
    }
    const whole: Uint8Array = Buffer.concat([decided, forced.bytes]);
    const run = whole.subarray(0, wholePartLength(whole));
    if (run.length === 0) return [];
    const tokens = options.tokenize(run);
    return holdBack(tokens, run, start);
  }

  function holdBack(tokens: readonly number[], run: Uint8Array, start: number): readonly number[] {
    const last = tokens.at(-1);
    if (last === undefined) return tokens;
    const lastLength = options.bytesOf(last)?.length ?? 0;
    const lastStart = run.length - lastLength;
    if (lastStart < before) return tokens;
    const atLast = matcher.advance(start, run.subarray(before, lastStart));
    return masks.allowsLongerThan(atLast, lastLength) ? tokens.slice(0, -1) : tokens;
  }

  function along(tokens: readonly number[]): readonly TokenFilter[] {
    if (decided.length > 0 || before > 0 || forbidden || queue.length > 0) return [];
    const filters: TokenFilter[] = [];
    let at = state;
    for (const token of tokens) {
      const bytes = options.bytesOf(token);
      if (bytes === undefined || !masks.isAllowed(at, token)) break;
      at = matcher.advance(at, bytes);
      if (matcher.forced(at).bytes.length > 0 || !matcher.canContinue(at)) break;
      filters.push(filterOf(masks.allowedTokens(at), matcher.isAccepting(at)));
    }
    return filters;
  }

  function take(token: number): void {
    if (queue[0] === token) queue = queue.slice(1);
    const bytes = options.bytesOf(token) ?? new Uint8Array(0);
    const skipped = Math.min(before, bytes.length);
    before -= skipped;
    const read = bytes.subarray(skipped);
    state = matcher.advance(state, read);
    written = Buffer.concat([written, read]);
    decided = decided.subarray(Math.min(decided.length, bytes.length));
  }

  /** The mask of the state, less what contradicts decided bytes or would write a forbidden text again. */
  function narrowed(mask: TokenFilterSource, mayEnd: boolean): TokenFilter {
    let ids: ArrayLike<number> & Iterable<number> = mask.ids;
    let side = mask.side;
    if (decided.length > 0) {
      const along = trie.tokensAlong(decided);
      ids = along.filter((id) => masks.isAllowed(state, id));
      side = "allowed";
    }
    const refused = forbidden
      ? refusedByForbidden({ forbidden, matcher, trie, state, written, bytesOf: options.bytesOf })
      : undefined;
    if (refused && refused.size > 0) {
      ids =
        side === "allowed"
          ? Array.from(ids).filter((id) => !refused.has(id))
          : [...Array.from(ids), ...refused];
    } else if (decided.length === 0) {
      return filterOf(mask, mayEnd);
    }
    return { side, ids, mayEnd };
  }

  return { next, along, take };
}

/** A mask as the matcher's side gives it: the smaller of the allowed and the refused ids. */
interface TokenFilterSource {
  readonly side: "allowed" | "refused";
  readonly ids: ArrayLike<number> & Iterable<number>;
}

const ending = new WeakMap<TokenFilterSource, TokenFilter>();
const going = new WeakMap<TokenFilterSource, TokenFilter>();

/** One filter object per mask, so that the runtime's bias for it is built once. */
function filterOf(mask: TokenFilterSource, mayEnd: boolean): TokenFilter {
  const cache = mayEnd ? ending : going;
  const known = cache.get(mask);
  if (known) return known;
  const filter: TokenFilter = { side: mask.side, ids: mask.ids, mayEnd };
  cache.set(mask, filter);
  return filter;
}

function completes(forbidden: ForbiddenText, written: Uint8Array): boolean {
  const value = written.subarray(forbidden.offset);
  return forbidden.texts.some((text) => {
    if (value.length < text.length || !text.every((byte, index) => byte === value[index])) return false;
    const after = value[text.length];
    return after === undefined
      ? !isNumberByte(text.at(-1))
      : !isNumberByte(after) || !isNumberByte(text.at(-1));
  });
}

function isNumberByte(byte: number | undefined): boolean {
  return (
    byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x65 || byte === 0x45)
  );
}
