// The binary as a person meets it: help, exit codes, and one clear line for each wrong use. Needs no weights.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runBinary, startBinary } from "./run-binary.ts";

let folder: string;

const file = (name: string) => path.join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-cli-"));
  writeFileSync(file("schema.json"), '{ "type": "object", "properties": { "a": { "type": "integer" } } }');
  writeFileSync(file("never.json"), '{ "allOf": [{ "type": "string" }, { "type": "number" }] }');
  writeFileSync(file("wrong-schema.json"), '{ "type": "objekt" }');
  writeFileSync(file("value.json"), '{"a": 3}\n');
  writeFileSync(file("tight.json"), '{"a":3}\n');
  writeFileSync(file("choice.json"), '{ "enum": ["red", "blue"] }');
  writeFileSync(file("green.json"), '"green"\n');
  writeFileSync(file("other.json"), '{"a": "x"}\n');
  writeFileSync(file("broken.json"), '{ "a": ');
  writeFileSync(file("tools.json"), '[{ "type": "function", "function": { "name": "now" } }]');
  writeFileSync(file("empty.json"), "[]");
  writeFileSync(file("empty-list.json"), '{ "tools": [] }');
  writeFileSync(file("text-tool.json"), '[{ "name": "a", "parameters": { "type": "string" } }]');
  writeFileSync(file("escape-tool.json"), '[{ "name": "a\\u001b[31m" }]');
  writeFileSync(file("nameless.json"), '[{ "name": "a" }, { "description": "no name" }]');
  writeFileSync(file("not-a-model.gguf"), "this is text");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("help", () => {
  test("names every command, examples and exit codes", async () => {
    const { code, stdout } = await runBinary(["--help"]);
    expect(code).toBe(0);
    for (const part of ["run", "call", "grammar", "models", "Examples:", "Exit codes:", "130"]) {
      expect(stdout).toContain(part);
    }
  });

  test.each(["run", "call", "serve", "grammar", "models"])("of %s has examples", async (command) => {
    const { code, stdout } = await runBinary([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Examples:");
  });

  test("the version is the package's", async () => {
    const { code, stdout } = await runBinary(["--version"]);
    expect([code, stdout]).toEqual([0, "0.1.0\n"]);
  });
});

describe("wrong use gives one line and its exit code", () => {
  const f = (name: string) => ({ file: name });
  test.each<[string, readonly (string | { file: string })[], number, string]>([
    ["an unknown option", ["run", "hello", "--colour"], 2, "unknown option '--colour'"],
    ["an unknown command", ["sing"], 2, "unknown command 'sing'"],
    ["an unknown command that is asked for help", ["sing", "--help"], 2, "unknown command 'sing'"],
    ["an unknown command of models", ["models", "sing", "--help"], 2, "unknown command 'sing'"],
    ["help for an unknown command", ["help", "sing"], 2, "unknown command 'sing'"],
    ["a missing prompt", ["run"], 2, "missing required argument 'prompt'"],
    ["a number that is none", ["run", "hello", "--ctx", "many"], 2, "It must be a whole number."],
    ["a workspace that is not there", ["run", "hello", "--workspace", f("none")], 2, "No workspace at"],
    ["an unknown model", ["run", "hello", "--model", "qwen9000"], 3, 'There is no model "qwen9000"'],
    ["a model that is not fetched", ["run", "hello"], 3, "callwright models pull"],
    ["a model file that is not there", ["run", "hello", "--model", f("none.gguf")], 3, "There is no file"],
    ["a file that is no model", ["run", "hello", "--model", f("not-a-model.gguf")], 3, "is not a GGUF file"],
    ["a tools file that is not there", ["call", "--prompt", "x", "--tools", f("none")], 2, "no such file"],
    [
      "a tools file that is no JSON",
      ["call", "--prompt", "x", "--tools", f("broken.json")],
      2,
      "is not JSON",
    ],
    [
      "a tools file without tools",
      ["call", "--prompt", "x", "--tools", f("empty.json")],
      2,
      "holds no tools",
    ],
    [
      "a tools file whose list is empty",
      ["call", "--prompt", "x", "--tools", f("empty-list.json")],
      2,
      "holds no tools",
    ],
    [
      "a tool that takes no object, before a model is looked for",
      ["call", "--prompt", "x", "--tools", f("text-tool.json")],
      2,
      "arguments are always an object",
    ],
    [
      "a tool whose name would steer the terminal",
      ["call", "--prompt", "x", "--tools", f("escape-tool.json")],
      2,
      "holds a control character",
    ],
    ["a tool without a name", ["call", "--prompt", "x", "--tools", f("nameless.json")], 2, "(at /1)"],
    [
      "a choice of a tool that is not there",
      ["call", "--prompt", "x", "--tools", f("tools.json"), "--tool-choice", "later"],
      2,
      'There is no tool "later"',
    ],
    ["a folder of tools", ["call", "--prompt", "x", "--tools", "."], 2, "it is a folder; name a file"],
    [
      "a call that is asked for where its only tool is left out, before a model is looked for",
      [
        ...["call", "--prompt", "x", "--tools", f("text-tool.json")],
        ...["--leave-out-bad-tools", "--tool-choice", "required"],
      ],
      2,
      'no tool for it can be offered. The input schema of tool "a" allows no object',
    ],
    ["a kind of reasoning", ["run", "hello", "--reasoning", "much"], 2, "Allowed choices are on, off, auto"],
    [
      "a report beside a verdict",
      ["grammar", f("schema.json"), "--report", "--accepts", f("value.json")],
      2,
      "cannot be used with option",
    ],
    ["a schema that is not there", ["grammar", f("none")], 2, "no such file"],
    ["a schema that is no JSON", ["grammar", f("broken.json")], 2, "is not JSON"],
    ["a schema that is malformed", ["grammar", f("wrong-schema.json")], 2, "malformed at /type: "],
    ["a schema that nothing can meet", ["grammar", f("never.json")], 2, "no value can meet this schema"],
    ["an unknown kind of objects", ["grammar", f("schema.json"), "--objects", "ajar"], 2, "Allowed choices"],
  ])("%s", async (_, args, code, reason) => {
    const ended = await runBinary(args.map((arg) => (typeof arg === "string" ? arg : file(arg.file))));
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(ended.stdout).toBe("");
    expect(ended.code).toBe(code);
    const errors = ended.stderr.split("\n").filter((line) => line.startsWith("callwright: "));
    expect(errors).toHaveLength(1);
    expect(ended.stderr).not.toContain("read (");
    expect(ended.stderr).not.toMatch(/[\0-\x08\x0b-\x1f]/);
  });
});

test("with --json an error is a line of stdout too", async () => {
  const { code, stdout, stderr } = await runBinary(["run", "hello", "--json", "--model", "qwen9000"]);
  expect(code).toBe(3);
  expect(stderr).toContain('There is no model "qwen9000"');
  expect(JSON.parse(stdout)).toMatchObject({
    type: "error",
    code: "model-unknown",
    message: expect.stringContaining("qwen9000"),
  });
});

test.each(["file", "/proc"])("a home in which no folder can be made is told (%s)", async (place) => {
  const inside = place === "file" ? file("value.json") : place;
  const { code, stderr } = await runBinary(["models", "pull"], { home: path.join(inside, "nope") });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/^callwright: The folder .* cannot be created/m);
  expect(stderr).toContain("Set CALLWRIGHT_HOME to a folder that can be written.");
});

test.each([
  ["/models", '{ "models": 3 }'],
  ["its root", "[]"],
])("a catalogue's fault names its place %s once", async (place, catalogue) => {
  const home = mkdtempSync(path.join(folder, "home-"));
  writeFileSync(path.join(home, "models.json"), catalogue);
  const { code, stderr } = await runBinary(["models", "list"], { home });
  expect(code).toBe(2);
  expect(stderr.split(` at ${place}`)).toHaveLength(2);
  expect(stderr).not.toContain("(at");
});

describe("callwright grammar", () => {
  test("prints GBNF whose root rule comes by name", async () => {
    const { code, stdout, stderr } = await runBinary(["grammar", file("schema.json")]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^root ::= /m);
  });

  test("reads a schema from stdin", async () => {
    const { code, stdout } = await runBinary(["grammar", "-"], { input: '{ "const": true }' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^root ::= "true"$/m);
  });

  test("reports what is enforced", async () => {
    const text = await runBinary(["grammar", file("schema.json"), "--report"]);
    expect(text.stdout).toMatch(/satisfiable +yes/);
    expect(text.stdout).toMatch(/exact +yes/);
    const json = await runBinary(["grammar", file("schema.json"), "--report", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ satisfiable: true, exact: true, residual: [] });
  });

  test("judges a text, with the place where it goes wrong", async () => {
    const good = await runBinary(["grammar", file("schema.json"), "--accepts", file("value.json")]);
    expect([good.code, good.stdout]).toEqual([0, "accepted\n"]);
    const bad = await runBinary(["grammar", file("schema.json"), "--accepts", file("other.json")]);
    expect(bad.code).toBe(6);
    expect(bad.stdout).toContain("refused: at character 7");
  });

  test("says what could stand where a text is refused", async () => {
    const { stdout } = await runBinary(["grammar", file("choice.json"), "--accepts", file("green.json")]);
    expect(stdout.split("\n")).toEqual([
      'refused: at character 2, after "\\"", came "green\\""',
      'expected: "blue\\"" or "red\\""',
      "the value is not valid for the schema either",
      "",
    ]);
  });

  test("tells another spelling of a value from a wrong value", async () => {
    const args = ["grammar", file("schema.json"), "--accepts", file("tight.json")];
    expect((await runBinary(args)).stdout).toContain(
      'valid for the schema, but the grammar writes it as: {"a": 3}\n',
    );
    expect(JSON.parse((await runBinary([...args, "--json"])).stdout)).toMatchObject({
      accepted: false,
      valid: true,
      written: '{"a": 3}',
    });
  });

  test("says that a grammar is not exact", async () => {
    const schema = JSON.stringify({ type: "array", uniqueItems: true });
    const { code, stdout, stderr } = await runBinary(["grammar", "-"], { input: schema });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^root ::= /m);
    expect(stderr).toBe("callwright: the grammar is not exact in 1 place; --report lists them\n");
  });

  test("has no complaint when whoever reads it stops reading", async () => {
    const child = startBinary(["grammar", "-"]);
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdout.destroy();
    const names = Array.from({ length: 3_000 }, (_, at) => `name-${at}`);
    child.stdin.end(JSON.stringify({ enum: names }));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, stderr]).toEqual([0, ""]);
  });
});

test("output that cannot be written is told in one line", async () => {
  const readOnly = openSync(file("schema.json"), "r");
  try {
    const args = ["--import", "./scripts/typescript.mjs", "src/cli/main.ts", "grammar", file("schema.json")];
    const ended = spawnSync(process.execPath, args, {
      stdio: ["ignore", readOnly, "pipe"],
      encoding: "utf8",
    });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(/^callwright: the output cannot be written: [^\n]+\n$/);
  } finally {
    closeSync(readOnly);
  }
});
