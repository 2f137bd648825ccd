// Reads one member of a zip file as a stream: stored or deflated, zip64 included. Knows nothing of wheels.
// Only what wheels use; encryption and archives over several disks are refused.
// Format: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.5.3.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInflateRaw } from "node:zlib";

export interface ZipMember {
  readonly name: string;
  /** Bytes after unpacking. */
  readonly size: number;
  readonly packedSize: number;
  readonly method: "stored" | "deflated";
  /** Where the packed bytes begin in the archive. */
  readonly start: number;
}

const endSignature = 0x06054b50;
const end64LocatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const longestComment = 0xffff;

/** Finds a member by its full name. Throws an Error that says what is wrong with the archive. */
export async function findZipMember(path: string, name: string): Promise<ZipMember> {
  const file = await open(path, "r");
  try {
    const entry = findEntry(await readDirectory(file), name);
    if (entry === undefined) throw new Error(`it has no member ${name}`);
    const local = await readExactly(file, entry.localOffset, 30);
    if (local.readUInt32LE(0) !== localSignature) throw new Error("a local header is damaged");
    const start = entry.localOffset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    return { name, size: entry.size, packedSize: entry.packedSize, method: entry.method, start };
  } finally {
    await file.close();
  }
}

/** The member's bytes, unpacked. */
export async function* readZipMember(
  path: string,
  member: ZipMember,
  { signal }: { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  if (member.packedSize === 0) return;
  const range = { start: member.start, end: member.start + member.packedSize - 1 };
  const packed = createReadStream(path, { ...range, highWaterMark: 1 << 20, signal });
  if (member.method === "stored") {
    yield* packed;
    return;
  }
  const inflate = createInflateRaw({ chunkSize: 1 << 18 });
  packed.on("error", (error) => inflate.destroy(error));
  try {
    yield* packed.pipe(inflate);
  } finally {
    packed.destroy();
  }
}

interface DirectoryEntry {
  readonly size: number;
  readonly packedSize: number;
  readonly method: "stored" | "deflated";
  readonly localOffset: number;
}

async function readDirectory(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, endLength + longestComment);
  const tail = await readExactly(file, size - tailLength, tailLength);
  const at = findEnd(tail);
  if (at === -1) throw new Error("it is not a zip file, or is cut off");
  const directory = { length: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  if (directory.offset !== 0xffffffff && directory.length !== 0xffffffff) {
    return readExactly(file, directory.offset, directory.length);
  }
  const locator = await readExactly(file, size - tailLength + at - 20, 20);
  if (locator.readUInt32LE(0) !== end64LocatorSignature) throw new Error("its zip64 locator is damaged");
  const end64 = await readExactly(file, Number(locator.readBigUInt64LE(8)), 56);
  if (end64.readUInt32LE(0) !== end64Signature) throw new Error("its zip64 end record is damaged");
  return readExactly(file, Number(end64.readBigUInt64LE(48)), Number(end64.readBigUInt64LE(40)));
}

/** Position of the end record in the file's tail: its comment must reach just to the end. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - endLength; at >= 0; at--) {
    const fits = at + endLength + tail.readUInt16LE(at + 20) === tail.length;
    if (fits && tail.readUInt32LE(at) === endSignature) return at;
  }
  return -1;
}

function findEntry(directory: Buffer, name: string): DirectoryEntry | undefined {
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === entrySignature) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    if (directory.toString("utf8", at + 46, nameEnd) === name) {
      return readEntry(directory.subarray(at, nameEnd), directory.subarray(nameEnd, extraEnd));
    }
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return undefined;
}

function readEntry(header: Buffer, extra: Buffer): DirectoryEntry {
  if ((header.readUInt16LE(8) & 1) !== 0) throw new Error("the member is encrypted");
  const method = header.readUInt16LE(10);
  if (method !== 0 && method !== 8) throw new Error(`the member is packed by method ${method}`);
  const wide = readWideFields(extra);
  // Each field that holds all ones stands in the zip64 extra field instead, in this order.
  const field = (at: number) => {
    const value = header.readUInt32LE(at);
    return value === 0xffffffff ? (wide.shift() ?? value) : value;
  };
  const size = field(24);
  const packedSize = field(20);
  return { size, packedSize, method: method === 0 ? "stored" : "deflated", localOffset: field(42) };
}

function readWideFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 0x0001) continue;
    const count = Math.floor(extra.readUInt16LE(at + 2) / 8);
    return Array.from({ length: count }, (_, index) => Number(extra.readBigUInt64LE(at + 4 + index * 8)));
  }
  return [];
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error("it is cut off");
  return buffer;
}
