import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askUser } from "../../src/tools/ask-user.ts";
import { loadSkills, openWorkspace, skillTool, type Tool } from "../../src/tools/index.ts";
import { writeTodos } from "../../src/tools/write-todos.ts";
import type { JsonObject } from "../../src/vocabulary/index.ts";
import { toolContext } from "./tool-context.ts";

const use = async (tool: Tool | undefined, input: JsonObject) =>
  (await tool?.execute?.(input, toolContext()))?.text ?? "no text";

describe("write_todos", () => {
  test("gives the list back with what is left", async () => {
    const items = [
      { text: "read", status: "done" },
      { text: "change", status: "doing" },
      { text: "test", status: "open" },
    ];
    expect(await use(writeTodos, { items })).toBe("[x] read\n[>] change\n[ ] test\n2 of 3 left.");
    expect(await use(writeTodos, { items: [] })).toBe("The list is empty.");
  });

  test("has one step at a time", async () => {
    const items = ["a", "b"].map((text) => ({ text, status: "doing" }));
    await expect(use(writeTodos, { items })).rejects.toThrow("Only one step");
  });
});

describe("ask_user", () => {
  test("gives the answer", async () => {
    const tool = askUser(async ({ question, options }) => `${question} ${options.join("/")}`);
    expect(await use(tool, { question: "Which?", options: ["a", "b"] })).toBe("Which? a/b");
  });

  test("tells the model to decide where nobody answers", async () => {
    for (const tool of [askUser(), askUser(async () => undefined), askUser(async () => " ")]) {
      await expect(use(tool, { question: "Which?" })).rejects.toThrow("decide yourself");
    }
  });
});

describe("skills", () => {
  test("are found with their names as an enum, and read when asked for", async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), "callwright-skills-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const folder = path.join(root, ".callwright", "skills");
    const workspace = await openWorkspace(root);
    expect(skillTool(await loadSkills(workspace))).toBeUndefined();
    mkdirSync(path.join(folder, "release"), { recursive: true });
    writeFileSync(
      path.join(folder, "release", "SKILL.md"),
      "---\nname: publish\ndescription: How to publish\n---\nBuild, then tag.\n",
    );
    writeFileSync(path.join(folder, "tests.md"), "# Writing tests\nOne idea each.\n");
    writeFileSync(path.join(folder, "broken.md"), new Uint8Array([0, 1]));
    writeFileSync(path.join(folder, "other.txt"), "no skill");
    const tool = skillTool(await loadSkills(workspace));
    expect(tool?.inputSchema).toMatchObject({ properties: { name: { enum: ["publish", "tests"] } } });
    expect(tool?.description).toContain("publish: How to publish; tests: Writing tests");
    expect(await use(tool, { name: "publish" })).toBe("Build, then tag.");
  });
});
