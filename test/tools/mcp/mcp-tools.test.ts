// Real servers, driven over stdio and HTTP; and one that does what no server should.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createPermissionGate, type PermissionPolicy } from "../../../src/agent/permission-gate.ts";
import { runCall } from "../../../src/agent/run-call.ts";
import { compileSchema } from "../../../src/schema-grammar/index.ts";
import { connectMcp, type McpConnection, type McpServer } from "../../../src/tools/mcp/mcp-connection.ts";
import { mcpToolName, mcpTools } from "../../../src/tools/mcp/mcp-tools.ts";
import type { JsonObject, RunOnlyEvent } from "../../../src/vocabulary/index.ts";
import { toolContext } from "../tool-context.ts";

const require = createRequire(import.meta.url);
const packageFile = (name: string) =>
  path.join(path.dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist", "index.js");
const everything = packageFile("server-everything");
const open: McpConnection[] = [];

afterAll(() => Promise.all(open.map((connection) => connection.close())));

async function connect(server: Partial<McpServer>, onChange?: () => void): Promise<McpConnection> {
  const connection = await connectMcp({ name: "s", command: process.execPath, ...server }, onChange);
  open.push(connection);
  return connection;
}

const odd = (more: Partial<McpServer> = {}, onChange?: () => void) =>
  connect(
    { name: "odd", args: [fileURLToPath(new URL("odd-server.mjs", import.meta.url))], ...more },
    onChange,
  );

const everybody: PermissionPolicy = { allow: () => true };

async function use(
  connection: McpConnection,
  name: string,
  input: JsonObject = {},
  policy = everybody,
  signal?: AbortSignal,
) {
  const tools = mcpTools(connection);
  const events: RunOnlyEvent[] = [];
  const result = await runCall(
    { id: "c", name: mcpToolName(connection.server.name, name), input },
    {
      runId: "r",
      turn: 1,
      messages: [],
      tools,
      offered: tools.map((tool) => tool.name),
      gate: createPermissionGate(policy),
      milliseconds: 20_000,
      signal: signal ?? new AbortController().signal,
      emit: (event) => events.push(event),
      shorten: async (text) => text,
    },
  );
  return { ...result, events };
}

describe("server-everything over stdio", async () => {
  const connection = await connect({ name: "all", args: [everything, "stdio"] });

  test("gives its tools under its own name, with schemas that compile", () => {
    const tools = mcpTools(connection);
    expect(connection.problem).toBeUndefined();
    expect(tools.map(({ name }) => name)).toContain("all_get-sum");
    expect(tools.filter(({ inputSchema }) => !compileSchema(inputSchema).satisfiable)).toEqual([]);
  });

  test("is called, and gives text, data, images and errors", async () => {
    expect(await use(connection, "echo", { message: "hi" })).toMatchObject({
      outcome: "completed",
      content: "Echo: hi",
    });
    expect(await use(connection, "get-sum", { a: 2, b: 3 })).toMatchObject({
      content: expect.stringContaining("5"),
    });
    const structured = await use(connection, "get-structured-content", { location: "Chicago" });
    expect(structured.metadata?.output).toMatchObject({ conditions: expect.any(String) });
    expect((await use(connection, "get-tiny-image")).content).toMatch(
      /\[attached: image, image\/png, \d+ bytes/,
    );
    expect((await use(connection, "get-resource-links")).content).toContain("[resource demo://resource/");
    expect(await use(connection, "echo", {})).toMatchObject({
      outcome: "failed",
      content: expect.stringContaining("message"),
    });
  });

  test("reports its progress, and is cancelled with its call", async () => {
    const { events } = await use(connection, "trigger-long-running-operation", { duration: 0.3, steps: 3 });
    const progress = events.flatMap((event) => (event.type === "tool-progress" ? [event.text] : []));
    // The last step is told together with the answer, and may come after it.
    expect(progress.slice(0, 2)).toEqual(["1 of 3", "2 of 3"]);
    const controller = new AbortController();
    const running = use(
      connection,
      "trigger-long-running-operation",
      { duration: 30, steps: 2 },
      everybody,
      controller.signal,
    );
    setTimeout(() => controller.abort(new Error("left")), 100);
    expect((await running).outcome).toBe("interrupted");
    expect((await use(connection, "echo", { message: "still" })).content).toBe("Echo: still");
  });

  test("has resources and prompts", async () => {
    const options = { signal: new AbortController().signal };
    expect((await use(connection, "list_resources")).content).toContain("demo://");
    const [first] = await connection.listResources(options);
    expect((await use(connection, "read_resource", { uri: first?.uri ?? "" })).outcome).toBe("completed");
    const prompts = await connection.listPrompts(options);
    expect(prompts.length).toBeGreaterThan(0);
    expect(await connection.getPrompt(prompts[0]?.name ?? "", {}, options)).not.toBe("");
  });

  test("does nothing that is not allowed", async () => {
    const nobody = await use(connection, "echo", { message: "hi" }, {});
    expect(nobody.outcome).toBe("denied");
    const rules = [{ permission: "mcp", pattern: "all/echo", action: "allow" }] as const;
    expect((await use(connection, "echo", { message: "hi" }, { rules })).outcome).toBe("completed");
    expect((await use(connection, "get-env", {}, { rules })).outcome).toBe("denied");
  });
});

test("server-everything over HTTP", async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [everything, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
  });
  onTestFinished(() => void child.kill());
  await new Promise<void>((resolve) => {
    const listen = (chunk: Buffer) => /listening|port/i.test(chunk.toString()) && resolve();
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
  });
  const connection = await connectMcp({ name: "web", url: `http://127.0.0.1:${port}/mcp` });
  open.push(connection);
  expect((await use(connection, "echo", { message: "hi" })).content).toBe("Echo: hi");
});

test("server-filesystem reads a folder, and no other", async () => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "callwright-mcp-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "a.txt"), "hello");
  const connection = await connect({ name: "files", args: [packageFile("server-filesystem"), folder] });
  expect((await use(connection, "read_text_file", { path: path.join(folder, "a.txt") })).content).toBe(
    "hello",
  );
  expect((await use(connection, "read_text_file", { path: "/etc/passwd" })).outcome).toBe("failed");
});

describe("a server that misbehaves costs only its own call:", () => {
  test("one that hangs", async () => {
    const connection = await odd({ milliseconds: 100 });
    expect(await use(connection, "hang")).toMatchObject({
      outcome: "failed",
      content: expect.stringContaining("timed out"),
    });
    expect((await use(connection, "read_file")).content).toBe("from the server");
  });

  test("one that floods", async () => {
    const connection = await odd();
    const { events, content } = await use(connection, "flood");
    expect(events.filter(({ type }) => type === "tool-progress")).toHaveLength(100);
    expect(content).toHaveLength(3_000_000);
  });

  test("one that dies, and is started anew", async () => {
    const connection = await odd();
    expect(await use(connection, "die")).toMatchObject({
      outcome: "failed",
      content: expect.stringContaining("closed"),
    });
    expect(connection.problem).toBe("it is not running");
    expect((await use(connection, "read_file")).content).toBe("from the server");
    expect(connection.problem).toBeUndefined();
  });

  test("one that changes its tools", async () => {
    let changes = 0;
    const connection = await odd({}, () => {
      changes += 1;
    });
    const before = mcpTools(connection);
    await use(connection, "change");
    while (changes < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(mcpTools(connection).map(({ name }) => name)).toContain("odd_added");
    const stale = before.find(({ name }) => name === "odd_hang");
    await expect(stale?.execute?.({}, toolContext())).rejects.toThrow("any more");
  });

  test("one whose results are not what it promised, and one that fails", async () => {
    const connection = await odd();
    expect((await use(connection, "lie")).outcome).toBe("failed");
    expect(await use(connection, "fail")).toMatchObject({ outcome: "failed", content: "it failed" });
  });

  test("one that is not there", async () => {
    const connection = await connect({ name: "none", command: "/nowhere/at-all" });
    expect(connection.problem).toContain("cannot be reached");
    expect(mcpTools(connection)).toEqual([]);
    expect((await connect({ name: "url", url: "http://127.0.0.1:1/mcp" })).problem).toContain(
      "cannot be reached",
    );
  });
});

describe("names", () => {
  test("never pass for a built-in, and rules for built-ins do not allow them", async () => {
    const connection = await odd({ name: "read" });
    const names = mcpTools(connection).map(({ name }) => name);
    expect(names).toContain("read_read_file");
    expect(names).not.toContain("read_file");
    const rules = ["read_file", "read", "read_*x", "edit"].map((permission) => ({
      permission,
      action: "allow" as const,
    }));
    expect((await use(connection, "read_file", {}, { rules })).outcome).toBe("denied");
  });

  test.each([
    ["a", "b", "a_b"],
    ["my.server", "do/it", "my_server_do_it"],
    ["ｒead", "filе", "_ead_fil_"],
    ["s", "x".repeat(90), `s_${"x".repeat(62)}`],
  ])("%s %s", (server, tool, name) => {
    expect(mcpToolName(server, tool)).toBe(name);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
