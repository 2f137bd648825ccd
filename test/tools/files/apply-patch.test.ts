import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { globExpression } from "../../../src/tools/files/glob-files.ts";
import { changingTools, openWorkspace, type Tool } from "../../../src/tools/index.ts";
import { toolContext } from "../tool-context.ts";

let root: string;
let tools: readonly Tool[];

beforeEach(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), "callwright-patch-"));
  const made = root;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  tools = changingTools(await openWorkspace(root), { environment: {}, edits: "patch" });
});

const use = async (name: string, input: object) =>
  (await tools.find((tool) => tool.name === name)?.execute?.({ ...input }, toolContext()))?.text;

async function patch(files: Readonly<Record<string, string>>, text: string): Promise<string | undefined> {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(root, name), content);
    await use("read_file", { path: name });
  }
  return use("apply_patch", { patch: text });
}

const get = (name: string) => readFileSync(path.join(root, name), "utf8");

describe("a patch", () => {
  test("offers no other way to change files", () => {
    const names = tools.map(({ name }) => name);
    expect(names).toContain("apply_patch");
    expect(names).not.toContain("edit_file");
  });

  test("adds, changes, moves and deletes", async () => {
    const said = await patch(
      { "a.txt": "one\ntwo\nthree\n", "b.txt": "x\ny\n", "c.txt": "gone\n" },
      `*** Begin Patch
*** Update File: a.txt
@@ somewhere
 one
-two
+2
 three
*** Update File: b.txt
*** Move to: d.txt
-x
+X
*** Add File: new/e.txt
+hello
+
*** Delete File: c.txt
*** End Patch`,
    );
    expect(said).toBe(
      'Changed "a.txt".\nChanged "b.txt" and moved it to "d.txt".\nCreated "new/e.txt".\nDeleted "c.txt".',
    );
    expect([get("a.txt"), get("d.txt"), get("new/e.txt")]).toEqual([
      "one\n2\nthree\n",
      "X\ny\n",
      "hello\n\n",
    ]);
    expect(["b.txt", "c.txt"].map((name) => existsSync(path.join(root, name)))).toEqual([false, false]);
  });

  test("may be a unified diff, whose line numbers are not believed", async () => {
    await patch(
      { "a.txt": "0\none\ntwo\n" },
      "--- a/a.txt\n+++ b/a.txt\n@@ -90,2 +90,2 @@\n one\n-two\n+2\n\\ No newline at end of file\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+new\n",
    );
    expect([get("a.txt"), get("n.txt")]).toEqual(["0\none\n2\n", "new\n"]);
  });

  test("matches whole lines only, and keeps a missing last line end", async () => {
    await patch({ "a.txt": "ab\nb" }, "*** Begin Patch\n*** Update File: a.txt\n-b\n+c\n*** End Patch");
    expect(get("a.txt")).toBe("ab\nc");
  });

  test.each<[string, string]>([
    ["*** Update File: a.txt\n-nine\n+9", 'does not hold the lines from "nine" on'],
    ["*** Update File: a.txt\n-one\n+1", "stand 2 times"],
    ["*** Update File: a.txt\none\n", 'begins with a space, "-" or "+"'],
    ["*** Add File: a.txt\n+x", "There is a file"],
    ["*** Add File: b.txt\nx", 'begins with "+"'],
    ["*** Update File: none.txt\n-a\n+b", "There is no"],
    ["*** Add File: ../b.txt\n+x", "outside the workspace"],
    ["*** Add File: b.txt\n+x\n*** Update File: a.txt\n-nine\n+9", "does not hold"],
    ["*** Delete File: a.txt\n*** Update File: a.txt\n-two\n+2", "twice"],
    ["nothing", "names no file"],
    ["--- a/a.txt\nno\n", 'one that begins with "+++ "'],
  ])("%j is refused as a whole", async (text, reason) => {
    await expect(patch({ "a.txt": "one\ntwo\none\n" }, text)).rejects.toThrow(reason);
    expect(get("a.txt")).toBe("one\ntwo\none\n");
    expect(existsSync(path.join(root, "b.txt"))).toBe(false);
  });

  test("changes nothing that was not read", async () => {
    writeFileSync(path.join(root, "a.txt"), "one\n");
    await expect(use("apply_patch", { patch: "*** Update File: a.txt\n-one\n+1" })).rejects.toThrow("Read");
  });
});

describe("a glob", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["*.ts", ["a.ts", "x/y/a.ts"], ["a.tsx", "a.ts/b"]],
    ["**/*.ts", ["a.ts", "x/a.ts"], ["a.js"]],
    ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a.ts", "lib/src/a.ts"]],
    ["src/**", ["src/a", "src/x/a"], ["lib/a"]],
    ["src/{a,b*}.md", ["src/a.md", "src/bcd.md"], ["src/c.md"]],
    ["a?.t[xy]t", ["ab.txt", "ab.tyt"], ["a.txt", "ab.tzt"]],
    ["[!a]*.md", ["b.md"], ["a.md"]],
    ["a+(b).md", ["a+(b).md"], ["ab.md"]],
    ["/src/a.md", ["src/a.md"], []],
    ["a{b", ["a{b"], ["ab"]],
  ])("%s", (pattern, yes, no) => {
    const matches = globExpression(pattern);
    expect(yes.filter((name) => !matches.test(name))).toEqual([]);
    expect(no.filter((name) => matches.test(name))).toEqual([]);
  });

  test("finds files in order and says how many were left out", async () => {
    for (let at = 0; at < 205; at += 1)
      writeFileSync(path.join(root, `f${String(at).padStart(3, "0")}.md`), "");
    const lines = (await use("glob_files", { pattern: "*.md" }))?.split("\n") ?? [];
    expect(lines[0]).toBe("f000.md");
    expect(lines.at(-1)).toBe("[5 more left out: give a narrower pattern]");
    expect(await use("glob_files", { pattern: "*.rs" })).toBe('No file matches "*.rs".');
    await expect(use("glob_files", { pattern: "*", path: ".." })).rejects.toThrow("outside");
  });
});
