// Which tokens of a vocabulary may follow a state. Masks are cached by state, and states that cannot be told apart within
// a token share their work: counts far from their ends, and the same rule under different callers. Knows no model.
import { createClamp, detach, firstDetachedMarker } from "./clamp-frames.ts";
import { type Matcher, machineOf } from "./matcher.ts";
import { createRecentCache } from "./recent-cache.ts";
import { listFew, maskFromBits, type TokenMask } from "./token-mask.ts";
import type { TokenTrie } from "./token-trie.ts";
import { createTrieWalk } from "./walk-trie.ts";

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
  /** Ids where few are allowed, else a bit per token. */
  readonly allowed: Int32Array | Uint32Array;
  /** Flat: trie node, markers reached at it. */
  readonly exits: readonly number[];
}

// Tokens longer than this are few, and are looked at one by one where a count was cut.
const usualTokenLength = 24;
const deepestCut = 3;
const mostExits = 6_000;

/** Masks of one matcher over one vocabulary. */
export function createMasks(matcher: Matcher, trie: TokenTrie, options: MaskOptions = {}): TokenMasks {
  const { cacheBytes } = { ...defaultMaskOptions, ...options };
  const machine = machineOf(matcher);
  const masks = createRecentCache<TokenMask>(cacheBytes / 2);
  const locals = createRecentCache<LocalMask | "no-use">(cacheBytes / 2);
  const walk = createTrieWalk(machine, trie);
  const clamp = createClamp(machine, trie.maxLength + 1);
  const longTokens = trie.longerThan(usualTokenLength);
  const walkLong = createTrieWalk(machine, longTokens);
  const wholeTrie = { from: 0, to: trie.nodeCount };
  const bits = new Uint32Array(Math.ceil(trie.vocabularySize / 32));

  function allowedTokens(state: number): TokenMask {
    const known = masks.get(state);
    if (known !== undefined) return known;
    const alike = state < 0 ? state : clamp(state);
    const mask = (alike === state ? undefined : masks.get(alike)) ?? findMask(alike);
    if (alike !== state) masks.set(state, mask, 64);
    return mask;
  }

  function findMask(state: number): TokenMask {
    bits.fill(0);
    if (state >= 0 && !fillFromLocal(state)) walk.collect({ state, ...wholeTrie }, bits);
    const mask = maskFromBits(bits, trie.vocabularySize);
    masks.set(state, mask, mask.ids.byteLength + 200);
    return mask;
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
      else for (const token of local.allowed) setBit(token);
      followExits(local.exits, detached.frames);
      if (detached.isCut) checkLongTokens(state);
      return true;
    }
    bits.fill(0);
    return false;
  }

  function findLocal(state: number): LocalMask | "no-use" {
    bits.fill(0);
    const exits: number[] = [];
    const isUseful = walk.collect({ state, ...wholeTrie }, bits, {
      exits,
      lowest: firstDetachedMarker,
      most: mostExits,
    });
    const local = isUseful ? { allowed: listFew(bits) ?? bits.slice(), exits } : "no-use";
    locals.set(state, local, local === "no-use" ? 64 : local.allowed.byteLength + 8 * exits.length + 200);
    return local;
  }

  // Where a token leaves the detached part, its rest is read from where the real frames lead.
  function followExits(exits: readonly number[], frames: readonly number[]): void {
    const after = new Map<number, number>();
    for (let i = 0; i < exits.length; i += 2) {
      const node = exits[i]!;
      const marks = exits[i + 1]!;
      let state = after.get(marks);
      if (state === undefined) {
        state = machine.leaveFrames(frames.filter((_, index) => (marks & (1 << index)) !== 0));
        after.set(marks, state);
      }
      walk.collect({ state, from: node + 1, to: trie.ends[node]! }, bits);
    }
  }

  function checkLongTokens(state: number): void {
    for (let node = 0; node < longTokens.nodeCount; node++) {
      const token = longTokens.tokens[node]!;
      if (token < 0) continue;
      clearBit(token);
      for (const same of longTokens.duplicates.get(node) ?? []) clearBit(same);
    }
    walkLong.collect({ state, from: 0, to: longTokens.nodeCount }, bits);
  }

  function setBit(token: number): void {
    bits[token >>> 5]! |= 1 << (token & 31);
  }

  function clearBit(token: number): void {
    bits[token >>> 5]! &= ~(1 << (token & 31));
  }

  return {
    allowedTokens,
    isAllowed: (state, token) => allowedTokens(state).has(token),
    allowsLongerThan: (state, length) => walk.reachesBeyond(state, length),
  };
}
