import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorkspace, ToolFailure, type Workspace } from "../../src/tools/index.ts";
import { CallwrightError } from "../../src/vocabulary/index.ts";

let folder: string;
let workspace: Workspace;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-workspace-"));
  const root = path.join(folder, "root");
  mkdirSync(path.join(root, "docs"), { recursive: true });
  mkdirSync(path.join(folder, "root-twin"));
  writeFileSync(path.join(root, "notes.md"), "notes");
  writeFileSync(path.join(root, "docs", "a.md"), "a");
  writeFileSync(path.join(root, "..hidden"), "a name that begins with two dots");
  writeFileSync(path.join(folder, "secret.txt"), "secret");
  writeFileSync(path.join(folder, "root-twin", "b.md"), "b");
  symlinkSync(path.join(folder, "secret.txt"), path.join(root, "link-out"));
  symlinkSync(folder, path.join(root, "folder-out"));
  symlinkSync("docs/a.md", path.join(root, "link-in"));
  symlinkSync(path.join(folder, "not-yet"), path.join(root, "link-to-nothing"));
  symlinkSync("circle", path.join(root, "circle"));
  workspace = await openWorkspace(root);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a path inside the workspace", () => {
  test.each([
    ["notes.md", "notes.md"],
    ["./docs/../notes.md", "notes.md"],
    ["docs//a.md", "docs/a.md"],
    [".", "."],
    ["link-in", "docs/a.md"],
    ["..hidden", "..hidden"],
  ])("%s is found", async (written, shown) => {
    expect(workspace.display(await workspace.existing(written))).toBe(shown);
  });

  test("may be written as an absolute path", async () => {
    const written = path.join(workspace.root, "notes.md");
    expect(await workspace.existing(written)).toBe(written);
  });

  test("that does not exist yet is judged by its nearest parent", async () => {
    const real = await workspace.creatable("docs/new/deep.md");
    expect(real).toBe(path.join(workspace.root, "docs", "new", "deep.md"));
  });
});

describe("a path outside the workspace is refused", () => {
  test.each([
    "..",
    "../secret.txt",
    "docs/../../secret.txt",
    "../root-twin/b.md",
    "link-out",
    "folder-out/secret.txt",
    "/etc/passwd",
    "C:\\Windows\\win.ini",
    "c:/Windows/win.ini",
    "\\\\server\\share\\file",
    "//server/share/file",
  ])("%s", async (written) => {
    await expect(workspace.existing(written)).rejects.toThrow(ToolFailure);
    await expect(workspace.existing(written)).rejects.toThrow("outside the workspace");
  });

  test.each(["../new.txt", "folder-out/new.txt", "/etc/new.txt"])(
    "%s, which does not exist",
    async (written) => {
      await expect(workspace.creatable(written)).rejects.toThrow("outside the workspace");
    },
  );

  test("and the path that was probably meant is named", async () => {
    await expect(workspace.existing("/docs/a.md")).rejects.toThrow('Did you mean "docs/a.md"?');
  });
});

describe("a link that leads outside", () => {
  test("is not offered as what was meant", async () => {
    await expect(workspace.existing("link-out")).rejects.toThrow("Write a path relative to the workspace");
  });
});

describe("what is no usable path is refused", () => {
  test.each([
    ["", "empty"],
    ["a\0b", "NUL"],
    ["circle", "circle"],
    ["missing.md", 'List "." to see its names'],
    ["docs/missing.md", 'List "docs" to see its names'],
    ["no/such/place.md", 'List "."'],
  ])("%j: %s", async (written, reason) => {
    await expect(workspace.existing(written)).rejects.toThrow(ToolFailure);
    await expect(workspace.existing(written)).rejects.toThrow(reason);
  });

  test("a link to nothing, which would be created outside", async () => {
    await expect(workspace.creatable("link-to-nothing")).rejects.toThrow("does not exist");
  });
});

test("a workspace that is no folder is the caller's mistake", async () => {
  for (const wrong of [path.join(folder, "none"), path.join(folder, "secret.txt")]) {
    await expect(openWorkspace(wrong)).rejects.toThrow(CallwrightError);
    await expect(openWorkspace(wrong)).rejects.toMatchObject({ code: "file-unreadable" });
  }
});
