// Which tokens would write a refused value once more. A value is the bytes from an offset up to a delimiter; a number ends
// only where no digit, point or exponent follows, every other JSON value ends with its own last byte.
import type { Matcher, TokenTrie } from "../../gbnf-builder/index.ts";

export interface ForbiddenText {
  /** Bytes after the grammar's start at which the value begins. */
  readonly offset: number;
  readonly texts: readonly Uint8Array[];
}

/** Tokens that, chosen now, complete a forbidden value or leave no other way than completing it. */
export function refusedByForbidden(place: {
  readonly forbidden: ForbiddenText;
  readonly matcher: Matcher;
  readonly trie: TokenTrie;
  readonly state: number;
  /** What the grammar has read. */
  readonly written: Uint8Array;
  readonly bytesOf: (token: number) => Uint8Array | undefined;
}): ReadonlySet<number> {
  const refused = new Set<number>();
  const value = place.written.subarray(place.forbidden.offset);
  for (const text of place.forbidden.texts) {
    if (value.length > text.length || !startsWith(text, value)) continue;
    const rest = text.subarray(value.length);
    if (rest.length === 0) {
      // A number stands there in full: whatever does not go on with it would end it.
      for (const id of place.trie.tokensAlong(rest)) {
        const first = place.bytesOf(id)?.[0];
        if (first !== undefined && !continuesNumber(first)) refused.add(id);
      }
      continue;
    }
    for (const id of place.trie.tokensAlong(rest)) {
      const bytes = place.bytesOf(id);
      if (bytes && wouldComplete(place, bytes, rest)) refused.add(id);
    }
  }
  return refused;
}

function wouldComplete(
  place: { readonly matcher: Matcher; readonly state: number },
  bytes: Uint8Array,
  rest: Uint8Array,
): boolean {
  const isNumber = continuesNumber(rest.at(-1) ?? 0);
  if (bytes.length > rest.length) return !isNumber || !continuesNumber(bytes[rest.length] ?? 0);
  const after = place.matcher.advance(place.state, bytes);
  if (bytes.length === rest.length) return !isNumber || !canGoOn(place.matcher, after);
  return !canDeviate(place.matcher, after, rest.subarray(bytes.length));
}

/** Whether some text other than the rest may follow. */
function canDeviate(matcher: Matcher, start: number, rest: Uint8Array): boolean {
  let state = start;
  for (const byte of rest) {
    if (matcher.isAccepting(state)) return true;
    const following = matcher.nextBytes(state);
    if (following.some((isPossible, other) => isPossible === 1 && other !== byte)) return true;
    state = matcher.advance(state, Uint8Array.of(byte));
  }
  return false;
}

function canGoOn(matcher: Matcher, state: number): boolean {
  return matcher.nextBytes(state).some((isPossible, byte) => isPossible === 1 && continuesNumber(byte));
}

function continuesNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x65 || byte === 0x45;
}

function startsWith(text: Uint8Array, head: Uint8Array): boolean {
  return head.every((byte, index) => byte === text[index]);
}
