// Walks a GGUF file's header before anything is loaded: whether it is one, whole, and of sizes that it can have.
// Follows the format's description (ggml, docs/gguf.md); reads the values of the few keys that tell what model it is.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { CallwrightError } from "../../vocabulary/index.ts";

/** What the file says of its model; absent where it does not. */
export interface GgufHeader {
  readonly architecture?: string;
  /** As its maker calls it, mostly with size and kind. */
  readonly name?: string;
  /** The name without size and kind. */
  readonly basename?: string;
  /** The chat template. */
  readonly template?: string;
  /** Tokens that the model was trained for. */
  readonly contextSize?: number;
}

type TextKey = Exclude<keyof GgufHeader, "contextSize">;

/** The keys of texts that are kept. */
const textKeys: Readonly<Record<string, TextKey>> = {
  "general.architecture": "architecture",
  "general.name": "name",
  "general.basename": "basename",
  "tokenizer.chat_template": "template",
};

/** Bytes of each kind of value; strings and arrays have none of their own. */
const valueBytes = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8];
const numberType = 4;
const stringType = 8;
const arrayType = 9;

/** Elements and bytes of one block, by the tensor's type; a type that is not here counts as empty. */
const blocks: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  30: [1, 2],
};

/** Least bytes of a key with its value, and of a tensor's entry. */
const leastKey = 13;
const leastTensor = 32;
const longestString = 64 << 20;
const deepestArray = 4;
const chunkBytes = 1 << 20;

/**
 * Throws `CallwrightError`: `model-missing` where no file can be read, `model-file-invalid` where it is no GGUF, cut
 * off or damaged, `model-unsupported` for a version of the format that is not known.
 */
export function checkGguf(path: string): GgufHeader {
  let handle: number;
  try {
    handle = openSync(path, "r");
  } catch (cause) {
    throw new CallwrightError("model-missing", `There is no readable model file at ${path}.`, { cause });
  }
  try {
    return walkHeader(createReader(path, handle));
  } finally {
    closeSync(handle);
  }
}

function walkHeader(reader: Reader): GgufHeader {
  const { path, size } = reader;
  if (size < 4 || reader.text(4) !== "GGUF") {
    throw invalid(`${path} is no GGUF file (it does not begin with "GGUF")`);
  }
  const version = reader.u32();
  if (version !== 2 && version !== 3) {
    throw new CallwrightError(
      "model-unsupported",
      `${path} is a GGUF file of version ${version}; versions 2 and 3 can be read. Choose another file.`,
    );
  }
  const tensors = reader.u64();
  const keys = reader.u64();
  if (tensors > size / leastTensor) throw tooMany(reader, tensors, "tensors");
  if (keys > size / leastKey) throw tooMany(reader, keys, "keys");
  const texts: Partial<Record<TextKey, string>> = {};
  let contextSize: number | undefined;
  let alignment = 32;
  for (let at = 0; at < keys; at++) {
    const key = reader.string();
    const type = reader.u32();
    const kept = textKeys[key];
    if (kept !== undefined && type === stringType) texts[kept] = reader.string();
    else if (key.endsWith(".context_length") && type === numberType) contextSize = reader.u32();
    else if (key === "general.alignment" && type === numberType) alignment = Math.max(1, reader.u32());
    else skipValue(reader, type, 0);
  }
  const end = walkTensors(reader, tensors);
  const start = Math.ceil(reader.position() / alignment) * alignment;
  if (tensors > 0 && start + end > size) throw cutOff(reader, start + end);
  return contextSize === undefined ? texts : { ...texts, contextSize };
}

/** Where the tensors end, counted from where they begin. */
function walkTensors(reader: Reader, count: number): number {
  let end = 0;
  for (let at = 0; at < count; at++) {
    reader.string();
    const dimensions = reader.u32();
    if (dimensions > 8) throw damaged(reader, `a tensor of ${dimensions} dimensions`);
    let elements = 1;
    for (let axis = 0; axis < dimensions; axis++) elements *= reader.u64();
    const [perBlock, bytes] = blocks[reader.u32()] ?? [1, 0];
    end = Math.max(end, reader.u64() + Math.ceil(elements / perBlock) * bytes);
  }
  return end;
}

function skipValue(reader: Reader, type: number, depth: number): void {
  const bytes = valueBytes[type];
  if (bytes !== undefined) reader.skip(bytes);
  else if (type === stringType) reader.skip(reader.u64());
  else if (type === arrayType) skipList(reader, depth);
  else throw damaged(reader, `a value of type ${type}`);
}

function skipList(reader: Reader, depth: number): void {
  const type = reader.u32();
  const length = reader.u64();
  const bytes = valueBytes[type];
  if (bytes !== undefined) {
    reader.skip(length * bytes);
    return;
  }
  if (length > reader.size / 8) throw tooMany(reader, length, "values in a list");
  if (depth >= deepestArray) throw damaged(reader, "lists within lists");
  for (let at = 0; at < length; at++) skipValue(reader, type, depth + 1);
}

interface Reader {
  readonly path: string;
  /** Bytes of the whole file. */
  readonly size: number;
  position(): number;
  u32(): number;
  /** Exact up to 2^53; beyond, near enough to be refused. */
  u64(): number;
  text(length: number): string;
  string(): string;
  skip(bytes: number): void;
}

function createReader(path: string, handle: number): Reader {
  const { size } = fstatSync(handle);
  let chunk: Buffer = Buffer.alloc(0);
  let start = 0;
  let at = 0;
  const need = (bytes: number): void => {
    if (at + bytes <= chunk.length) return;
    if (start + at + bytes > size) throw cutOff(reader, start + at + bytes);
    const next = Buffer.alloc(Math.min(Math.max(bytes, chunkBytes), size - start - at));
    start += at;
    at = 0;
    // A file that shrinks meanwhile gives less than it said.
    const read = readSync(handle, next, 0, next.length, start);
    chunk = next.subarray(0, read);
    if (read < bytes) throw cutOff(reader, start + bytes);
  };
  const reader: Reader = {
    path,
    size,
    position: () => start + at,
    u32: () => {
      need(4);
      at += 4;
      return chunk.readUInt32LE(at - 4);
    },
    u64: () => {
      const low = reader.u32();
      return low + reader.u32() * 2 ** 32;
    },
    text: (length) => {
      if (length > longestString) throw damaged(reader, `a name of ${length} bytes`);
      need(length);
      at += length;
      return chunk.toString("utf8", at - length, at);
    },
    string: () => reader.text(reader.u64()),
    skip: (bytes) => {
      if (start + at + bytes > size) throw cutOff(reader, start + at + bytes);
      at += bytes;
      if (at <= chunk.length) return;
      start += at;
      at = 0;
      chunk = Buffer.alloc(0);
    },
  };
  return reader;
}

function cutOff({ path, size }: Reader, end: number): CallwrightError {
  const reach = Number.isSafeInteger(end) ? `byte ${end}` : "far beyond any file";
  return invalid(
    `${path} is cut off or damaged: it has ${size} bytes, and what it announces reaches to ${reach}`,
  );
}

function tooMany({ path, size }: Reader, count: number, what: string): CallwrightError {
  return invalid(`${path} is damaged: it announces ${count} ${what} and has ${size} bytes`);
}

function damaged({ path }: Reader, what: string): CallwrightError {
  return invalid(`${path} is damaged: it holds ${what}`);
}

function invalid(text: string): CallwrightError {
  return new CallwrightError(
    "model-file-invalid",
    `${text}. Take a whole .gguf file, or fetch the model again.`,
  );
}
