import { describe, expect, test } from "vitest";
import {
  defaultRules,
  hidingRule,
  judgeRequest,
  type PermissionAction,
  type PermissionRule,
  parseRule,
  writeRule,
} from "../../../src/tools/index.ts";
import { CallwrightError } from "../../../src/vocabulary/index.ts";

const rules = (...texts: readonly string[]): readonly PermissionRule[] =>
  texts.map((text) => {
    const [action = "", rule = ""] = text.split(/ (.*)/s);
    return parseRule(rule, action as PermissionAction);
  });

describe("the last rule that matches wins", () => {
  test.each<[readonly string[], string, string, PermissionAction]>([
    [[], "edit", "a.md", "ask"],
    [["allow edit"], "edit", "a.md", "allow"],
    [["allow edit", "deny edit"], "edit", "a.md", "deny"],
    [["deny edit", "allow edit"], "edit", "a.md", "allow"],
    [["allow edit", "deny edit:src/*"], "edit", "src/deep/a.ts", "deny"],
    [["allow edit", "deny edit:src/*"], "edit", "docs/a.md", "allow"],
    [["allow *"], "anything", "x", "allow"],
    [["allow edit:a?.md"], "edit", "ab.md", "allow"],
    [["allow edit:a?.md"], "edit", "a.md", "ask"],
    [["allow edit:a.md"], "edit", "axmd", "ask"],
    [["allow shell:git status *"], "shell", "git status", "allow"],
    [["allow shell:git status *"], "shell", "git status -s", "allow"],
    [["allow shell:git status *"], "shell", "git statusx", "ask"],
    [["allow shell:git status"], "shell", "/usr/bin/git status", "ask"],
    [["allow read:docs/*"], "read", "Docs/a.md", "allow"],
    [["allow edit:docs/*"], "edit", "Docs/a.md", "ask"],
    [["allow edit", "deny edit:docs/*"], "edit", "Docs/a.md", "deny"],
    [["allow edit", "deny edit:docs/*"], "edit", "dосs/a.md", "deny"],
    [["allow Edit"], "edit", "a.md", "ask"],
    [["allow edit", "deny EDIT"], "edit", "a.md", "deny"],
  ])("%j: %s %s is %s", (given, permission, pattern, action) => {
    const judged = judgeRequest([...defaultRules, ...rules(...given)], {
      tool: "t",
      permission,
      patterns: [pattern],
    });
    expect(judged.action).toBe(action);
  });
});

describe("the defaults", () => {
  test.each<[string, string, PermissionAction]>([
    ["read", "notes.md", "allow"],
    ["read", ".env", "ask"],
    ["read", "app/.env.local", "ask"],
    ["read", "keys/server.pem", "ask"],
    ["edit", "notes.md", "ask"],
    ["shell", "ls", "ask"],
    ["outside", "/tmp/x", "deny"],
    ["todo", "", "allow"],
    ["unheard-of", "x", "ask"],
  ])("%s %s is %s", (permission, pattern, action) => {
    expect(judgeRequest(defaultRules, { tool: "t", permission, patterns: [pattern] }).action).toBe(action);
  });
});

describe("a request", () => {
  const given = rules("allow edit", "deny edit:b");
  test("is as strict as its strictest pattern", () => {
    expect(judgeRequest(given, { tool: "t", permission: "edit", patterns: ["a", "b"] }).action).toBe("deny");
    expect(judgeRequest(given, { tool: "t", permission: "edit", patterns: ["a", "c"] }).action).toBe("allow");
  });

  test("that is unclear is never allowed by a rule, but may be denied by one", () => {
    const unclear = { tool: "t", permission: "edit", unclear: "a variable" };
    expect(judgeRequest(given, { ...unclear, patterns: ["a"] }).action).toBe("ask");
    expect(judgeRequest(given, { ...unclear, patterns: ["b"] }).action).toBe("deny");
  });

  test("for which only a deny counts is otherwise allowed", () => {
    const beside = { tool: "t", permission: "shell", denyOnly: true };
    expect(judgeRequest(given, { ...beside, patterns: ["a"] }).action).toBe("allow");
    expect(judgeRequest(rules("deny shell:a"), { ...beside, patterns: ["a"] }).action).toBe("deny");
  });

  test("of a tool is met by a rule for the tool, and by one for what it asks", () => {
    const request = { tool: "write_file", permission: "edit", patterns: ["a"] };
    expect(judgeRequest(rules("deny write_file"), request).action).toBe("deny");
    expect(judgeRequest(rules("deny edit"), request).action).toBe("deny");
    expect(judgeRequest(rules("deny edit_file"), request).action).toBe("ask");
  });

  test("of the shell tool to read is no matter of rules for commands", () => {
    const request = { tool: "shell", permission: "read", patterns: ["rm -rf x"] };
    expect(judgeRequest(rules("allow read", "deny shell:rm *"), request).action).toBe("allow");
  });
});

test("a deny for everything hides a tool, unless a later rule speaks of it", () => {
  const tool = { name: "write_file", permissions: ["edit"] };
  expect(hidingRule(rules("deny edit"), tool)).toEqual({ permission: "edit", pattern: "*", action: "deny" });
  expect(hidingRule(rules("deny *"), tool)).toBeDefined();
  expect(hidingRule(rules("deny write_file"), tool)).toBeDefined();
  expect(hidingRule(rules("deny edit", "allow edit:docs/*"), tool)).toBeUndefined();
  expect(hidingRule(rules("deny edit:src/*"), tool)).toBeUndefined();
  expect(hidingRule(rules("deny shell"), tool)).toBeUndefined();
  expect(hidingRule(rules("deny own"), { name: "own" })).toBeDefined();
});

test("rules are written as they are read", () => {
  for (const text of ["deny edit", "allow shell:git log *", "ask read:*.env"]) {
    expect(rules(text).map(writeRule)).toEqual([text]);
  }
  for (const text of ["", ":x", "edit:"]) expect(() => parseRule(text, "allow")).toThrow(CallwrightError);
});
