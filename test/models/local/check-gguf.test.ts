// Headers written by hand after the format's description, whole and broken in each way.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkGguf } from "../../../src/models/local/check-gguf.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-gguf-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const most = 2n ** 63n - 1n;

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const head = (tensors: number | bigint, keys: number | bigint, version = 3) =>
  Buffer.concat([Buffer.from("GGUF"), u32(version), u64(tensors), u64(keys)]);
const architecture = Buffer.concat([text("general.architecture"), u32(8), text("llama")]);
const list = (type: number, length: number | bigint, ...items: readonly Buffer[]) =>
  Buffer.concat([text("a.list"), u32(9), u32(type), u64(length), ...items]);
/** One tensor of 64 × 2 numbers of four bits in blocks of 32: four blocks of 18 bytes, 72 in all. */
const tensor = Buffer.concat([text("weights"), u32(2), u64(64), u64(2), u32(2), u64(0)]);

function check(...parts: readonly Buffer[]) {
  const file = path.join(folder, "model.gguf");
  writeFileSync(file, Buffer.concat(parts));
  return checkGguf(file);
}

/** The header, filled up to where tensors begin. */
function aligned(...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
}

describe("a whole file", () => {
  test("says its architecture", () => {
    expect(check(head(0, 1), architecture)).toEqual({ architecture: "llama" });
    expect(check(head(0, 0))).toEqual({});
  });

  test("says what model it is, as far as it says so in the right kinds", () => {
    const keys = [
      architecture,
      Buffer.concat([text("general.name"), u32(8), text("My Model 1B")]),
      Buffer.concat([text("general.basename"), u32(4), u32(7)]),
      Buffer.concat([text("llama.context_length"), u32(4), u32(32_768)]),
      Buffer.concat([text("tokenizer.chat_template"), u32(8), text("{{ messages }}")]),
    ];
    expect(check(head(0, keys.length), ...keys)).toEqual({
      architecture: "llama",
      name: "My Model 1B",
      template: "{{ messages }}",
      contextSize: 32_768,
    });
  });

  test("may hold lists of every kind before it", () => {
    const numbers = list(4, 3, u32(1), u32(2), u32(3));
    const words = list(8, 2, text("one"), text("two"));
    const lists = list(9, 1, u32(0), u64(2), Buffer.from([1, 2]));
    expect(check(head(0, 4), numbers, words, lists, architecture)).toEqual({ architecture: "llama" });
  });

  test("may be larger than what is read at once", () => {
    const words = Array.from({ length: 300_000 }, (_, at) => text(`word ${at}`));
    expect(check(head(0, 2), list(8, words.length, Buffer.concat(words)), architecture)).toEqual({
      architecture: "llama",
    });
  });

  test("ends where its tensors do, to the byte", () => {
    const header = aligned(head(1, 1), architecture, tensor);
    expect(check(header, Buffer.alloc(72))).toEqual({ architecture: "llama" });
    expect(() => check(header, Buffer.alloc(71))).toThrow(/is cut off.*it has \d+ bytes/);
  });
});

describe("refused as damaged, at once", () => {
  test.each<[string, readonly Buffer[]]>([
    ["more tensors than there can be", [head(most, 1), architecture]],
    ["more keys than there can be", [head(0, most), architecture]],
    ["a list longer than the file", [head(0, 1), list(4, most)]],
    ["a list of more texts than the file can hold", [head(0, 1), list(8, most)]],
    ["a key longer than the file", [head(0, 1), u64(most), Buffer.alloc(64)]],
    ["a value of no known type", [head(0, 1), text("a"), u32(77), Buffer.alloc(64)]],
    [
      "lists within lists without end",
      [head(0, 1), text("a"), u32(9), ...Array(50).fill(Buffer.concat([u32(9), u64(1)]))],
    ],
    ["nothing behind its mark", [Buffer.from("GGUF")]],
    ["half a header", [head(0, 1).subarray(0, 15)]],
    ["a tensor beyond the file", [aligned(head(1, 0), text("w"), u32(1), u64(4), u32(0), u64(most))]],
    ["no mark", [Buffer.from("this is text")]],
    ["nothing", [Buffer.alloc(0)]],
  ])("%s", (_, parts) => {
    expect(() => check(...parts)).toThrow(expect.objectContaining({ code: "model-file-invalid" }));
  });

  test("a version that is not known is named", () => {
    expect(() => check(head(0, 1, 9), architecture)).toThrow(
      expect.objectContaining({ code: "model-unsupported", message: expect.stringContaining("version 9") }),
    );
  });

  test("a file that is not there is missing", () => {
    expect(() => checkGguf(path.join(folder, "none.gguf"))).toThrow(
      expect.objectContaining({ code: "model-missing" }),
    );
  });
});
