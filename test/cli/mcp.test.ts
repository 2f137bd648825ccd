// `callwright mcp` as a process, asked by our own MCP client in both eras of the protocol; its permissions are the gate's.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { connectMcp, type McpConnection, type McpServer } from "../../src/tools/mcp/mcp-connection.ts";
import { startBinary } from "./run-binary.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "callwright-mcp-"));
writeFileSync(path.join(folder, "notes.txt"), "The milk costs 1.20.\n");
const root = fileURLToPath(new URL("../../", import.meta.url));
const open: McpConnection[] = [];
const signal = new AbortController().signal;

afterEach(() => Promise.all(open.splice(0).map((connection) => connection.close())));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function connect(args: readonly string[], more: Partial<McpServer> = {}): Promise<McpConnection> {
  const loader = new URL("../../scripts/typescript.mjs", import.meta.url).href;
  const connection = await connectMcp({
    name: "own",
    command: process.execPath,
    args: ["--import", loader, "src/cli/main.ts", "mcp", "--workspace", folder, ...args],
    folder: root,
    ...more,
  });
  open.push(connection);
  expect(connection.problem).toBeUndefined();
  return connection;
}

const texts = (result: Awaited<ReturnType<McpConnection["callTool"]>>) =>
  result.content.map((part) => (part.type === "text" ? part.text : part.name)).join("\n");

describe.each(["legacy", "auto"] as const)("over the protocol of %s", (protocol) => {
  test("reading tools are listed and read", async () => {
    const connection = await connect([], { protocol });
    const names = connection.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["read_file", "list_files", "search_files", "calculator"]));
    expect(names.filter((name) => /write|edit|shell/.test(name))).toEqual([]);
    const result = await connection.callTool("read_file", { path: "notes.txt" }, { signal });
    expect([texts(result), result.isError]).toEqual([expect.stringContaining("The milk costs 1.20."), false]);
  });
});

test("a call that cannot be made is answered with why, and the server goes on", async () => {
  const connection = await connect([]);
  const wrong = await connection.callTool("read_file", { file: "notes.txt" }, { signal });
  const missing = await connection.callTool("write_file", { path: "a", content: "b" }, { signal });
  const outside = await connection.callTool("read_file", { path: "../../etc/passwd" }, { signal });
  expect([wrong, missing, outside].map(({ isError }) => isError)).toEqual([true, true, true]);
  expect(texts(wrong)).toContain("path");
  expect(texts(missing)).toContain("read_file");
  expect(texts(outside)).not.toContain("root:");
  expect(existsSync(path.join(folder, "a"))).toBe(false);
});

describe("changing", () => {
  const write = { path: "new.txt", content: "hello\n" };
  const file = path.join(folder, "new.txt");

  test("is denied where nobody allowed it: nobody can be asked", async () => {
    const connection = await connect(["--agent", "build"]);
    const result = await connection.callTool("write_file", write, { signal });
    expect(result.isError).toBe(true);
    expect(texts(result)).toContain("denied");
    expect(existsSync(file)).toBe(false);
  });

  test("happens where it was allowed, and not what was denied after it", async () => {
    const rules = ["--agent", "build", "--allow", "edit", "--deny", "edit:*.key", "--deny", "shell"];
    const connection = await connect(rules);
    expect(connection.tools.map(({ name }) => name)).not.toContain("shell");
    expect((await connection.callTool("write_file", write, { signal })).isError).toBe(false);
    expect(readFileSync(file, "utf8")).toBe("hello\n");
    const key = await connection.callTool("write_file", { ...write, path: "secret.key" }, { signal });
    expect(key.isError).toBe(true);
    expect(existsSync(path.join(folder, "secret.key"))).toBe(false);
  });
});

test("ends when its client closes its end, with nothing on stdout that is not the protocol", async () => {
  const child = startBinary(["mcp", "--workspace", folder]);
  let stdout = "";
  child.stdout.on("data", (text) => {
    stdout += String(text);
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
  await expect.poll(() => stdout, { timeout: 30_000 }).not.toBe("");
  child.stdin.end();
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code).toBe(0);
  for (const line of stdout.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
});
