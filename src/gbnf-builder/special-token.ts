// Special tokens among bytes: a token's text between two bytes 0xFF, which no UTF-8 contains. Matcher, trie, masks and
// forced text need no other notion of special tokens.

const mark = 0xff;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes that stand for a special token: what a vocabulary's trie holds for it and a matcher reads for it. */
export function specialTokenBytes(text: string): Uint8Array {
  return Uint8Array.from([mark, ...encoder.encode(text), mark]);
}

/** Pieces of what a matcher forces or reads: ordinary bytes, and special tokens by their text. */
export type BytePiece =
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "token"; readonly text: string };

/** Takes bytes apart at special tokens. Throws when a special token is cut off. */
export function splitSpecialTokens(bytes: Uint8Array): BytePiece[] {
  const pieces: BytePiece[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = bytes.indexOf(mark, at);
    const end = start < 0 ? bytes.length : start;
    if (end > at) pieces.push({ type: "bytes", bytes: bytes.subarray(at, end) });
    if (start < 0) break;
    const close = bytes.indexOf(mark, start + 1);
    if (close < 0) throw new RangeError("A special token is cut off");
    pieces.push({ type: "token", text: decoder.decode(bytes.subarray(start + 1, close)) });
    at = close + 1;
  }
  return pieces;
}

/** How many of the bytes make whole characters and whole special tokens, counted from the start. */
export function wholePartLength(bytes: Uint8Array): number {
  let at = 0;
  for (let next = 0; next <= bytes.length; ) {
    at = next;
    if (at === bytes.length) break;
    next = at + characterLength(bytes, at);
  }
  return at;
}

function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead === mark) {
    const close = bytes.indexOf(mark, at + 1);
    return close < 0 ? Number.POSITIVE_INFINITY : close - at + 1;
  }
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
