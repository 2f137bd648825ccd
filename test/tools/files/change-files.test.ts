import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  changingTools,
  type FileChange,
  openWorkspace,
  type Tool,
  type ToolContext,
} from "../../../src/tools/index.ts";
import type { JsonObject } from "../../../src/vocabulary/index.ts";
import { toolContext } from "../tool-context.ts";

let folder: string;
let root: string;
let tools: readonly Tool[];
let changes: FileChange[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-change-"));
  root = path.join(folder, "root");
  mkdirSync(path.join(root, "sub"), { recursive: true });
  mkdirSync(path.join(folder, "outside"));
  changes = [];
  tools = changingTools(await openWorkspace(root), {
    environment: {},
    changes: { record: (change) => changes.push(change) },
  });
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

const file = (name: string) => path.join(root, name);
const put = (name: string, text: string | Uint8Array) => writeFileSync(file(name), text);
const get = (name: string) => readFileSync(file(name), "utf8");

async function use(name: string, input: JsonObject, more: Partial<ToolContext> = {}): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === name);
  const result = await tool?.execute?.(input, { ...toolContext(), ...more });
  return result?.text ?? "no such tool";
}

describe("write_file", () => {
  test("creates files and the folders they need", async () => {
    expect(await use("write_file", { path: "new/deep/a.txt", content: "hé\n" })).toBe(
      'Created "new/deep/a.txt" (4 bytes).',
    );
    expect(get("new/deep/a.txt")).toBe("hé\n");
    expect(changes).toMatchObject([{ path: "new/deep/a.txt", before: null }]);
  });

  test("replaces only what was read, as it was read", async () => {
    put("a.txt", "old");
    const write = () => use("write_file", { path: "a.txt", content: "new" });
    await expect(write()).rejects.toThrow('Read "a.txt" before you change it.');
    await use("read_file", { path: "a.txt" });
    put("a.txt", "changed by somebody");
    await expect(write()).rejects.toThrow("has changed since it was read");
    await use("read_file", { path: "a.txt" });
    expect(await write()).toBe('Replaced "a.txt" (3 bytes).');
    // What it wrote itself it knows.
    expect(await use("write_file", { path: "a.txt", content: "newer" })).toContain("Replaced");
    expect(get("a.txt")).toBe("newer");
  });

  test("keeps a file's mode", async () => {
    put("run.sh", "a");
    chmodSync(file("run.sh"), 0o755);
    await use("read_file", { path: "run.sh" });
    await use("write_file", { path: "run.sh", content: "b" });
    expect(statSync(file("run.sh")).mode & 0o777).toBe(0o755);
  });

  test("asks with the diff, and leaves the file where the answer is no", async () => {
    put("a.txt", "one\ntwo\n");
    await use("read_file", { path: "a.txt" });
    let diff: unknown;
    const ask: ToolContext["ask"] = async ({ permission, patterns, metadata }) => {
      expect([permission, patterns]).toEqual(["edit", ["a.txt"]]);
      diff = metadata?.diff;
      throw new Error("no");
    };
    await expect(use("write_file", { path: "a.txt", content: "one\n2\n" }, { ask })).rejects.toThrow("no");
    expect(diff).toContain("-two\n+2\n");
    expect(get("a.txt")).toBe("one\ntwo\n");
    expect(changes).toEqual([]);
  });

  test("leaves the file where what it does away with cannot be kept", async () => {
    put("a.txt", "old");
    tools = changingTools(await openWorkspace(root), {
      environment: {},
      changes: {
        record: () => {
          throw new Error("the disk is full");
        },
      },
    });
    await use("read_file", { path: "a.txt" });
    await expect(use("write_file", { path: "a.txt", content: "new" })).rejects.toThrow("disk is full");
    expect(get("a.txt")).toBe("old");
  });
});

describe("between the answer and the write", () => {
  test("a folder that becomes a link outside is not followed", async () => {
    const ask = async () => {
      renameSync(file("sub"), file("gone"));
      symlinkSync(path.join(folder, "outside"), file("sub"));
    };
    await expect(use("write_file", { path: "sub/a.txt", content: "x" }, { ask })).rejects.toThrow("outside");
    expect(() => statSync(path.join(folder, "outside", "a.txt"))).toThrow();
  });

  test("a file that becomes a link outside is not written through", async () => {
    const target = path.join(folder, "outside", "kept.txt");
    writeFileSync(target, "kept");
    const ask = async () => symlinkSync(target, file("b.txt"));
    await expect(use("write_file", { path: "b.txt", content: "x" }, { ask })).rejects.toThrow(
      "not a regular file",
    );
    expect(readFileSync(target, "utf8")).toBe("kept");
  });

  test("what somebody else wrote is not lost", async () => {
    put("a.txt", "old");
    await use("read_file", { path: "a.txt" });
    const ask = async () => put("a.txt", "theirs");
    await expect(use("write_file", { path: "a.txt", content: "x" }, { ask })).rejects.toThrow("has changed");
    expect(get("a.txt")).toBe("theirs");
  });
});

describe("edit_file", () => {
  const edit = async (text: string, old_text: string, new_text: string, all?: boolean) => {
    put("a.txt", text);
    await use("read_file", { path: "a.txt" });
    const said = await use("edit_file", {
      path: "a.txt",
      old_text,
      new_text,
      ...(all === undefined ? {} : { all }),
    });
    return [said, get("a.txt")];
  };

  test.each<[string, string, string, string, string]>([
    ["exact", "a\nb\nc\n", "b", "B", "a\nB\nc\n"],
    ["line ends trimmed", "a  \nb\t\nc\n", "a\nb\n", "A\nB\n", "A\nB\nc\n"],
    [
      "indentation ignored",
      "if x:\n    a()\n    b()\n",
      "a()\nb()",
      "c()\nif y:\n  d()",
      "if x:\n    c()\n    if y:\n      d()\n",
    ],
    ["spaces and quotes made alike", "x = “a”  +  b\ny\n", 'x = "a" + b', "x = 1", "x = 1\ny\n"],
    ["escapes read", "a\n\tb\n", "a\\n\\tb", "c\\nd", "c\nd\n"],
    ["first and last line", "f {\n one\n two\n three\n}\n", "f {\n one\n two!\n three\n}", "g", "g\n"],
  ])("%s", async (matcher, text, old, replacement, expected) => {
    const [said, now] = await edit(text, old, replacement);
    expect(now).toBe(expected);
    expect(said).toBe(
      matcher === "exact" ? 'Changed 1 place in "a.txt".' : `Changed 1 place in "a.txt" (${matcher}).`,
    );
  });

  test.each<[string, string, string, string]>([
    ["a\nb\na\n", "a", "c", 'stands 2 times in "a.txt" (lines 1, 3)'],
    ["  a\n    a\n", "a \n", "c", "stands 2 times"],
    ["a\n", "b", "c", 'does not hold the text "b"'],
    ["a\n", "a", "a", "nothing would change"],
    ["f {\n one\n two\n}\n", "f {\n 1\n 2\n}", "g", "does not hold"],
  ])("refuses %j where %j is to be %j", async (text, old, replacement, reason) => {
    await expect(edit(text, old, replacement)).rejects.toThrow(reason);
    expect(get("a.txt")).toBe(text);
  });

  test("replaces all places where that is said", async () => {
    expect(await edit("a\nb\na\n", "a", "c", true)).toEqual(['Changed 2 places in "a.txt".', "c\nb\nc\n"]);
  });

  test("keeps line ends and a byte order mark", async () => {
    expect((await edit("\uFEFFa\r\nb\r\n", "a\nb", "c\nd\ne"))[1]).toBe("\uFEFFc\r\nd\r\ne\r\n");
    expect((await edit("a\r\nb\n", "b", "c"))[1]).toBe("a\r\nc\n");
  });

  test("changes nothing that was not read, and nothing that is no text", async () => {
    put("a.txt", "a");
    const input = { path: "a.txt", old_text: "a", new_text: "b" };
    await expect(use("edit_file", input)).rejects.toThrow('Read "a.txt" before');
    put("b.bin", new Uint8Array([0, 1]));
    await expect(use("edit_file", { ...input, path: "b.bin" })).rejects.toThrow("Read");
    await expect(use("edit_file", { ...input, path: "none" })).rejects.toThrow("There is no");
  });
});
