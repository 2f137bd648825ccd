import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32, deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findZipMember, readZipMember } from "../../../src/models/sources/zip-member.ts";

// Written by CPython 3.11's zipfile: a comment, an empty member, one deflated under a zip64 local header, one stored.
const fromPython = Buffer.from(
  "UEsDBBQAAAAAAAAAIVAAAAAAAAAAAAAAAAAPAAAAcGtnL19faW5pdF9fLnB5UEsDBC0AAAAIAAAAIVALRbkr//////////8TABQAcGtnL2RhdGEv" +
    "cGFydDAxLmJpbgEAEAC4CwAAAAAAABcAAAAAAAAA7cJBEQAADAKgrGr/DquxBxzpoqqq/n5QSwMEFAAAAAAAAAAhUHh3pg8MAAAADAAAABMAAABw" +
    "a2cvZGF0YS9zdG9yZWQuYmluc3RvcmVkIGJ5dGVzUEsBAhQDFAAAAAAAAAAhUAAAAAAAAAAAAAAAAA8AAAAAAAAAAAAAAIABAAAAAHBrZy9fX2lu" +
    "aXRfXy5weVBLAQItAy0AAAAIAAAAIVALRbkrFwAAALgLAAATAAAAAAAAAAAAAACAAS0AAABwa2cvZGF0YS9wYXJ0MDEuYmluUEsBAhQDFAAAAAAA" +
    "AAAhUHh3pg8MAAAADAAAABMAAAAAAAAAAAAAAIABiQAAAHBrZy9kYXRhL3N0b3JlZC5iaW5QSwUGAAAAAAMAAwC/AAAAxgAAAAkAYSBjb21tZW50",
  "base64",
);

// The same writer on a pipe: sizes stand after the data.
const streamed = Buffer.from(
  "UEsDBBQACAAIAAAAIVAAAAAAAAAAAAAAAAAJAAAAcGtnL3MuYmluq6isqhhFo2gUjaJRNLwQAFBLBwjimvTtEAAAANwFAABQSwECFAMUAAgACAAA" +
    "ACFQ4pr07RAAAADcBQAACQAAAAAAAAAAAAAAgAEAAAAAcGtnL3MuYmluUEsFBgAAAAABAAEANwAAAEcAAAAAAA==",
  "base64",
);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callwright-zip-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("findZipMember and readZipMember", () => {
  it.each<[title: string, archive: Buffer, name: string, content: string]>([
    ["a deflated member", fromPython, "pkg/data/part01.bin", "abc".repeat(1000)],
    ["a stored member", fromPython, "pkg/data/stored.bin", "stored bytes"],
    ["an empty member", fromPython, "pkg/__init__.py", ""],
    ["a member whose sizes follow it", streamed, "pkg/s.bin", "xyz".repeat(500)],
    [
      "a member of a zip64 archive",
      zip64Archive("a/b.bin", "wide ".repeat(99)),
      "a/b.bin",
      "wide ".repeat(99),
    ],
  ])("read %s", async (_title, archive, name, content) => {
    const path = await write(archive);
    const member = await findZipMember(path, name);
    expect(member.size).toBe(content.length);
    expect((await readAll(path, name)).toString()).toBe(content);
  });

  it.each<[title: string, archive: Buffer, message: RegExp]>([
    ["a member that is not there", streamed, /no member pkg\/data\/part01\.bin/],
    ["what is no zip", Buffer.from("<html>please log in, this is no archive</html>"), /not a zip file/],
    ["an empty file", Buffer.alloc(0), /not a zip file/],
    ["an archive without its end", fromPython.subarray(0, 300), /not a zip file/],
    ["an archive without its beginning", fromPython.subarray(120), /cut off|damaged/],
  ])("refuse %s", async (_title, archive, message) => {
    await expect(findZipMember(await write(archive), "pkg/data/part01.bin")).rejects.toThrow(message);
  });

  it("refuse packed bytes that are damaged", async () => {
    const damaged = Buffer.from(fromPython);
    damaged.fill(0xff, 0x73, 0x73 + 23);
    const path = await write(damaged);
    await expect(readAll(path, "pkg/data/part01.bin")).rejects.toThrow();
  });
});

async function write(archive: Buffer): Promise<string> {
  const path = join(folder, "a.whl");
  await writeFile(path, archive);
  return path;
}

async function readAll(path: string, name: string): Promise<Buffer> {
  const { signal } = new AbortController();
  return buffer(readZipMember(path, await findZipMember(path, name), { signal }));
}

/** One deflated member, with every size and offset in zip64 fields as APPNOTE 4.3.14–4.5.3 lays them out. */
function zip64Archive(name: string, content: string): Buffer {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(name.length, 26);
  // Something before the archive's first member, so that the offset is not 0.
  const before = Buffer.alloc(5);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(0xffffffff, 20);
  entry.writeUInt32LE(0xffffffff, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(28, 30);
  entry.writeUInt32LE(0xffffffff, 42);
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(content.length), 4);
  extra.writeBigUInt64LE(BigInt(packed.length), 12);
  extra.writeBigUInt64LE(BigInt(before.length), 20);
  const body = Buffer.concat([before, local, Buffer.from(name), packed]);
  const directory = Buffer.concat([entry, Buffer.from(name), extra]);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(BigInt(directory.length), 40);
  end64.writeBigUInt64LE(BigInt(body.length), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(body.length + directory.length), 8);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.fill(0xff, 8, 20);
  return Buffer.concat([body, directory, end64, locator, end]);
}
