import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFolder, removeEmptyFolders } from "../../src/models/create-folder.ts";

let base: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "callwright-folder-"));
});

afterEach(() => rm(base, { recursive: true, force: true }));

test("creates what is missing and tells which that was", async () => {
  const wanted = join(base, "a", "b");
  expect(await createFolder(wanted)).toEqual([wanted, join(base, "a")]);
  expect(await createFolder(wanted)).toEqual([]);
});

test("refuses a place below a file", async () => {
  await writeFile(join(base, "file"), "");
  await expect(createFolder(join(base, "file", "a"))).rejects.toMatchObject({
    code: "file-unreadable",
    message: expect.stringContaining("a file stands there"),
  });
});

test("takes back what is still empty and no more", async () => {
  const created = await createFolder(join(base, "a", "b", "c"));
  await writeFile(join(base, "a", "kept"), "");
  await removeEmptyFolders(created);
  expect(await readdir(join(base, "a"))).toEqual(["kept"]);
});
