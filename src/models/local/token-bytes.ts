// The exact bytes of every token of a vocabulary, from the raw strings and types in the model file.
// Asking the detokenizer token by token would lose the tokens that hold part of a character.

/** Token types of a GGUF vocabulary. */
const tokenType = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

export interface RawVocabulary {
  /** `gpt2` (byte-level alphabet), `llama` (U+2581 for blanks) or another name. */
  readonly model: string;
  readonly tokens: readonly string[];
  readonly types: readonly number[];
}

export interface TokenBytes {
  /** Bytes of ordinary tokens; undefined for control, unknown and unused ones. */
  readonly plain: readonly (Uint8Array | undefined)[];
  /** Spelling of control tokens by id. */
  readonly control: ReadonlyMap<number, string>;
  /** Spelling of user-defined tokens by id; they are ordinary text as well. */
  readonly userDefined: ReadonlyMap<number, string>;
}

/** Source of the byte alphabet: GPT-2's byte-to-unicode table. */
export function tokenBytes(raw: RawVocabulary): TokenBytes {
  const encoder = new TextEncoder();
  const byteOf = raw.model === "gpt2" ? byteLevelAlphabet() : undefined;
  const plain: (Uint8Array | undefined)[] = [];
  const control = new Map<number, string>();
  const userDefined = new Map<number, string>();
  for (const [id, text] of raw.tokens.entries()) {
    const type = raw.types[id] ?? tokenType.normal;
    plain.push(undefined);
    if (type === tokenType.unknown || type === tokenType.unused) continue;
    if (type === tokenType.control) {
      control.set(id, text);
    } else if (type === tokenType.userDefined) {
      userDefined.set(id, text);
      plain[id] = encoder.encode(text);
    } else if (type === tokenType.byte) {
      plain[id] = Uint8Array.of(Number.parseInt(text.slice(3, 5), 16));
    } else if (byteOf) {
      plain[id] = fromByteLevel(text, byteOf) ?? encoder.encode(text);
    } else {
      plain[id] = encoder.encode(text.replaceAll("\u2581", " "));
    }
  }
  return { plain, control, userDefined };
}

function byteLevelAlphabet(): ReadonlyMap<string, number> {
  const byteOf = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const printable =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
    byteOf.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  return byteOf;
}

function fromByteLevel(text: string, byteOf: ReadonlyMap<string, number>): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = byteOf.get(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
