import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readToolsFile } from "../../src/cli/read-tools-file.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "callwright-tools-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(value: unknown) {
  const file = path.join(folder, "tools.json");
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return readToolsFile(file);
}

const schema = { type: "object", properties: { city: { type: "string" } } };
const tool = { name: "weather", description: "Weather", inputSchema: schema };

test.each([
  ["OpenAI chat", "OpenAI", { type: "function", function: { ...without(tool), parameters: schema } }],
  ["OpenAI responses", "OpenAI", { type: "function", ...without(tool), parameters: schema }],
  ["Anthropic", "Anthropic", { ...without(tool), input_schema: schema }],
  ["MCP, which is ours", "MCP", tool],
])("a tool in the shape of %s", async (_, shape, written) => {
  const expected = { tools: [tool], summary: `1 tool read (${shape} shape): weather` };
  expect(await read([written])).toEqual(expected);
  expect(await read(written)).toEqual(expected);
  expect(await read({ model: "any", tools: [written] })).toEqual(expected);
  expect(await read({ jsonrpc: "2.0", id: 1, result: { tools: [written] } })).toEqual(expected);
});

test("shapes may be mixed, and that is said", async () => {
  const { summary } = await read([tool, { name: "now", input_schema: schema }]);
  expect(summary).toBe("2 tools read (MCP and Anthropic shape): weather, now");
});

test("a tool without description or schema takes no arguments", async () => {
  expect((await read([{ name: "now" }])).tools).toEqual([
    { name: "now", description: "", inputSchema: { type: "object", properties: {} } },
  ]);
});

test("a byte order mark is no part of the JSON", async () => {
  expect((await read(`\uFEFF${JSON.stringify([tool])}`)).tools).toEqual([tool]);
});

test.each<[unknown, string, string | undefined]>([
  ["{ nonsense", "file-unreadable", undefined],
  ["", "file-unreadable", undefined],
  [[], "tool-invalid", undefined],
  [{ models: [] }, "tool-invalid", undefined],
  [[tool, 7], "tool-invalid", "/1"],
  [[{ type: "function", function: { description: "x" } }], "tool-invalid", "/0/function"],
  [{ tools: [{ name: "" }] }, "tool-invalid", "/tools/0"],
  [[{ name: "a", parameters: "none" }], "tool-invalid", "/0/parameters"],
])("%j is refused", async (written, code, pointer) => {
  await expect(read(written)).rejects.toMatchObject(pointer === undefined ? { code } : { code, pointer });
});

function without({ name, description }: typeof tool) {
  return { name, description };
}
