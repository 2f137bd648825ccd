import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkModelFile } from "../../src/models/file-record.ts";
import { readJsonIfPresent, statIfPresent } from "../../src/models/read-if-present.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "callwright-read-"));
  await writeFile(join(folder, "good.json"), '{"a": 1}');
  await writeFile(join(folder, "cut.json"), '{"a":');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** No file system has names of this length, so that looking is an error of its own kind. */
const impossible = () => join(folder, "n".repeat(300));
const unreadable = expect.objectContaining({
  code: "file-unreadable",
  message: expect.stringContaining("(ENAMETOOLONG)"),
});

describe("a file that need not be there", () => {
  test.each(["none.json", "none/none.json", "good.json/none"])("is absent at %s", async (name) => {
    expect(await statIfPresent(join(folder, name))).toBeUndefined();
    expect(await readJsonIfPresent(join(folder, name))).toBeUndefined();
  });

  test("is read where it is", async () => {
    expect((await statIfPresent(join(folder, "good.json")))?.size).toBe(8);
    expect(await readJsonIfPresent(join(folder, "good.json"))).toEqual({ a: 1 });
  });

  test("counts as absent where it holds no JSON", async () => {
    expect(await readJsonIfPresent(join(folder, "cut.json"))).toBeUndefined();
  });

  test("is an error where it cannot be looked at", async () => {
    await expect(statIfPresent(impossible())).rejects.toEqual(unreadable);
    await expect(readJsonIfPresent(impossible())).rejects.toEqual(unreadable);
  });

  test("is not called missing for that, where it is a model's", async () => {
    const model = { id: "m", sources: [] };
    await expect(checkModelFile(impossible(), model)).rejects.toEqual(unreadable);
  });
});
