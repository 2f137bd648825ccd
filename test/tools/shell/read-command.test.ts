import { describe, expect, test } from "vitest";
import { readCommand } from "../../../src/tools/shell/read-command.ts";

describe("the commands of a line", () => {
  test.each<[string, readonly string[]]>([
    ["ls", ["ls"]],
    ["ls  -l   src", ["ls -l src"]],
    ["git commit -m 'a; b'", ["git commit -m 'a; b'"]],
    ["a && b || c; d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["(a; { b; })", ["a", "b"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done", ["a", "b"]],
    ["a\nb", ["a", "b"]],
    ["a \\\n b", ["a b"]],
    ["a # b", ["a"]],
    ['echo "it\'s"', ["echo 'it'\\''s'"]],
    ["ls > out 2>&1", ["ls"]],
  ])("%j", (text, commands) => {
    const reading = readCommand(text);
    expect(reading.commands).toEqual(commands);
    expect(reading.unclear).toBeUndefined();
  });
});

describe("what runs besides is found, and said to be unclear", () => {
  test.each<[string, string, string]>([
    ["echo $(rm x)", "rm x", "command expansion"],
    ["echo `rm x`", "rm x", "command expansion"],
    ["cat <(rm x)", "rm x", "process substitution"],
    ["f() { rm x; }", "rm x", "function"],
    ["sh -c 'rm x'", "rm x", '"sh" runs'],
    ["eval rm x", "rm x", '"eval" changes'],
    ["env A=b rm x", "rm x", '"env" runs'],
    ["find . -exec rm x", "rm x", '"find" with -exec'],
    ["X=1 rm x", "rm x", "assignment"],
    ["sh -c \"sh -c 'rm x'\"", "rm x", '"sh" runs'],
  ])("%s", (text, command, reason) => {
    const reading = readCommand(text);
    expect(reading.commands).toContain(command);
    expect(reading.unclear).toContain(reason);
  });
});

describe("is unclear", () => {
  test.each([
    "$x y",
    'echo "$x"',
    "ls *",
    "ls {a,b}",
    "echo $'a'",
    "echo $((1))",
    "cd x",
    "echo 'a",
    "a\u202eb",
    "echo a\rb",
    "",
    "x=1",
    "((1))",
    "\u0440m x",
  ])("%j", (text) => {
    const { unclear, commands } = readCommand(text);
    // Nothing at all is nothing to allow by a pattern either.
    expect(text === "" ? commands : unclear).toBeTruthy();
  });
});

test("redirections say what they read and write", () => {
  const reading = readCommand("a < in > out 2>> log 2>&1 <<E\nbody\nE");
  expect(reading.redirects).toEqual([
    { path: "in", access: "read" },
    { path: "out", access: "write" },
    { path: "log", access: "write" },
  ]);
  expect(reading.unclear).toBeUndefined();
});

test("a text that no parser's stack holds is unclear, not an error", () => {
  const { unclear } = readCommand(`${"$(".repeat(20_000)}${")".repeat(20_000)}`);
  expect(unclear).toBeDefined();
});
