// Which tokens of a vocabulary may follow a state. Masks are cached by state, and states that cannot be told apart within
// a token share their work: counts far from their ends, and the same rule under different callers. Knows no model.
import { createClamp, detach, firstDetachedMarker } from "./clamp-frames.ts";
import { type Matcher, machineOf } from "./matcher.ts";
import { createRecentCache } from "./recent-cache.ts";
import { clearBit, countBits, createTokenBits, hasBit, listBits, setBits } from "./token-bits.ts";
import { createMaskMaker, type TokenMask } from "./token-mask.ts";
import type { TokenTrie } from "./token-trie.ts";
import { createTrieWalk, type ExitNotes } from "./walk-trie.ts";
import { createVocabularyWalk } from "./walk-vocabulary.ts";

export interface MaskOptions {
  /** Bytes that cached masks may take, about. */
  readonly cacheBytes?: number;
}

export const defaultMaskOptions: Required<MaskOptions> = { cacheBytes: 32 * 1024 * 1024 };

export interface TokenMasks {
  /** The tokens that may follow a state; none after `DEAD`. The same object as long as it is cached. */
  allowedTokens(state: number): TokenMask;
  isAllowed(state: number, token: number): boolean;
  /**
   * Whether an allowed token has more than `length` bytes. Where the next `length` bytes are forced, such a token reaches
   * beyond them: the question of the boundary rule for forced text.
   */
  allowsLongerThan(state: number, length: number): boolean;
}

/** What one detached state allows by itself, and where its tokens leave it. */
interface LocalMask {
  /** Places in the trie's order where few are allowed, else a bit per place. */
  readonly allowed: Int32Array | Uint32Array;
  /** Flat: trie node, markers reached at it. */
  readonly exits: readonly number[];
}

// Tokens longer than this are few, and are looked at one by one where a count was cut.
const usualTokenLength = 24;
const deepestCut = 3;
const mostExits = 6_000;
const entryBytes = 200;

/** Masks of one matcher over one vocabulary. */
export function createMasks(matcher: Matcher, trie: TokenTrie, options: MaskOptions = {}): TokenMasks {
  const { cacheBytes } = { ...defaultMaskOptions, ...options };
  const share = cacheBytes / 4;
  const machine = machineOf(matcher);
  const masks = createRecentCache<TokenMask>(share);
  const locals = createRecentCache<LocalMask | "no-use">(share);
  const makeMask = createMaskMaker(trie, share);
  const walk = createTrieWalk(machine, trie);
  const walkVocabulary = createVocabularyWalk({ machine, trie, walk, maximumBytes: share });
  const clamp = createClamp(machine, trie.maxLength + 1);
  const longTokens = trie.longerThan(usualTokenLength);
  const walkLong = createTrieWalk(machine, longTokens);
  const longBits = createTokenBits(longTokens.order.length);
  const bits = createTokenBits(trie.order.length);

  function allowedTokens(state: number): TokenMask {
    const known = masks.get(state);
    if (known !== undefined) return known;
    const alike = state < 0 ? state : clamp(state);
    const mask = (alike === state ? undefined : masks.get(alike)) ?? findMask(alike);
    masks.set(state, mask, entryBytes);
    if (alike !== state) masks.set(alike, mask, entryBytes);
    return mask;
  }

  function findMask(state: number): TokenMask {
    bits.fill(0);
    if (state >= 0 && !fillFromLocal(state)) {
      bits.fill(0);
      walkVocabulary(state, bits, notes(Number.POSITIVE_INFINITY));
    }
    return makeMask(bits);
  }

  /** Fills the bits from the parts that states share; false where that does not pay. */
  function fillFromLocal(state: number): boolean {
    for (let depth = 1; depth <= deepestCut; depth++) {
      const detached = detach(machine, state, depth, usualTokenLength + 1);
      if (detached === undefined) return false;
      const local = locals.get(detached.state) ?? findLocal(detached.state);
      if (local === "no-use") continue;
      bits.fill(0);
      if (local.allowed instanceof Uint32Array) bits.set(local.allowed);
      else for (const place of local.allowed) setBits(bits, place, place + 1);
      followExits(local.exits, detached.frames);
      if (detached.isCut) checkLongTokens(state);
      return true;
    }
    return false;
  }

  function findLocal(state: number): LocalMask | "no-use" {
    bits.fill(0);
    const found = notes(mostExits);
    const isUseful = walkVocabulary(state, bits, found);
    const local = isUseful ? { allowed: compact(bits), exits: found.exits } : "no-use";
    const bytes = local === "no-use" ? 0 : local.allowed.byteLength + 8 * local.exits.length;
    locals.set(state, local, bytes + entryBytes);
    return local;
  }

  function compact(allowed: Uint32Array): Int32Array | Uint32Array {
    const isShort = countBits(allowed) * 2 <= allowed.length;
    return isShort ? listBits(allowed, trie.order.length) : allowed.slice();
  }

  // Where a token leaves the detached part, its rest is read from where the real frames lead.
  function followExits(exits: readonly number[], frames: readonly number[]): void {
    const after = new Map<number, number>();
    const ignored = notes(Number.POSITIVE_INFINITY);
    for (let i = 0; i < exits.length; i += 2) {
      const node = exits[i]!;
      const marks = exits[i + 1]!;
      let state = after.get(marks);
      if (state === undefined) {
        state = machine.leaveFrames(frames.filter((_, index) => (marks & (1 << index)) !== 0));
        after.set(marks, state);
      }
      walk.collect({ state, from: node + 1, to: trie.ends[node]! }, bits, ignored);
    }
  }

  function checkLongTokens(state: number): void {
    longBits.fill(0);
    const whole = { state, from: 0, to: longTokens.nodeCount };
    walkLong.collect(whole, longBits, notes(Number.POSITIVE_INFINITY));
    for (const [i, token] of longTokens.order.entries()) {
      const place = trie.places[token]!;
      if (hasBit(longBits, i)) setBits(bits, place, place + 1);
      else clearBit(bits, place);
    }
  }

  return {
    allowedTokens,
    isAllowed: (state, token) => allowedTokens(state).has(token),
    allowsLongerThan: (state, length) => walk.reachesBeyond(state, length),
  };
}

function notes(most: number): ExitNotes {
  return { exits: [], lowest: firstDetachedMarker, most };
}
