// Tools as others write them: zod schemas, OpenAI's and the AI SDK's shapes, plugins' hooks, files of a project.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  defineTool,
  fromAiSdkTool,
  fromOpenAiTool,
  hookPrompt,
  hookTools,
  loadProjectPlugins,
  loadProjectTools,
  openWorkspace,
  type Plugin,
  type Tool,
  ToolFailure,
  toAiSdkTool,
  toMcpTool,
  toOpenAiTool,
} from "../../src/tools/index.ts";
import { CallwrightError, type JsonObject } from "../../src/vocabulary/index.ts";
import { toolContext } from "./tool-context.ts";

const use = async (tool: Tool | undefined, input: JsonObject = {}) => {
  const result = await tool?.execute?.(input, toolContext());
  return result?.text ?? JSON.stringify(result?.output);
};

const city = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
} as const;

const weather = defineTool<{ readonly city: string }>({
  name: "weather",
  description: "Weather of a city",
  inputSchema: city,
  execute: async (input) => ({ text: `8 degrees in ${input.city}` }),
});

describe("a schema of zod", () => {
  const tool = defineTool<{ readonly even: number }>({
    name: "halve",
    description: "Halves an even number",
    inputSchema: z.object({ even: z.int().refine((value) => value % 2 === 0, "must be even") }),
    execute: async ({ even }) => ({ text: String(even / 2) }),
  });

  test("is told as JSON Schema, and has the last word on values", async () => {
    expect(tool.inputSchema).toMatchObject({ type: "object", properties: { even: { type: "integer" } } });
    expect(await use(tool, { even: 4 })).toBe("2");
    await expect(use(tool, { even: 3 })).rejects.toThrow("The arguments are not valid: even: must be even.");
  });

  test("without a JSON Schema is refused", () => {
    const bare = { "~standard": { vendor: "old", validate: (value: unknown) => ({ value }) } };
    expect(() => defineTool({ name: "t", description: "", inputSchema: bare })).toThrow(CallwrightError);
  });
});

describe("shapes of others", () => {
  test("OpenAI's, there and back", async () => {
    const shape = toOpenAiTool(weather);
    expect(shape).toEqual({
      type: "function",
      function: { name: "weather", description: "Weather of a city", parameters: city },
    });
    const back = fromOpenAiTool(shape, async (input) => `asked for ${String(input.city)}`);
    expect(await use(back, { city: "Oslo" })).toBe("asked for Oslo");
  });

  test("the AI SDK's, there and back", async () => {
    const shape = toAiSdkTool(weather, {
      jsonSchema: (schema) => ({ jsonSchema: schema }),
      run: async () => "ran",
    });
    expect(shape).toMatchObject({ description: "Weather of a city", inputSchema: { jsonSchema: city } });
    const zod = fromAiSdkTool("sum", {
      description: "Adds",
      inputSchema: z.object({ a: z.number() }),
      execute: ({ a }: { readonly a: number }, { toolCallId }) => ({ sum: a + 1, toolCallId }),
    });
    expect(zod.inputSchema).toMatchObject({ properties: { a: { type: "number" } } });
    expect(await use(zod, { a: 1 })).toBe('{"sum":2,"toolCallId":"call"}');
    const plain = fromAiSdkTool("w", { inputSchema: { jsonSchema: city } });
    expect(plain.execute).toBeUndefined();
    expect(plain.inputSchema).toEqual(city);
  });

  test("MCP's", () => {
    expect(toMcpTool({ ...weather, outputSchema: true })).toEqual({
      name: "weather",
      description: "Weather of a city",
      inputSchema: city,
      outputSchema: true,
    });
  });
});

describe("plugins", () => {
  const hooked = (plugin: Omit<Plugin, "name">) => hookTools([weather], [{ name: "p", ...plugin }])[0];

  test("change what the model is told, and take tools away", () => {
    expect(hooked({ definition: () => ({ description: "New" }) })).toMatchObject({
      name: "weather",
      description: "New",
    });
    expect(hooked({ definition: () => undefined })).toBeUndefined();
    expect(
      hookPrompt("Be kind.", [{ name: "p", prompt: (text) => `${text} And brief.` }, { name: "q" }]),
    ).toBe("Be kind. And brief.");
  });

  test("change arguments, which are checked again", async () => {
    expect(await use(hooked({ before: () => ({ city: "Bergen" }) }), { city: "Oslo" })).toBe(
      "8 degrees in Bergen",
    );
    const wrong = use(hooked({ before: () => ({ town: "Bergen" }) }), { city: "Oslo" });
    await expect(wrong).rejects.toThrow(
      'The plugin "p" changed the arguments to what "weather" does not take',
    );
  });

  test("change results and their text, in the order of the plugins", async () => {
    const plugins: readonly Plugin[] = [
      { name: "a", after: (_, result) => ({ ...result, text: `${result.text}!` }) },
      { name: "b", results: ({ tool, input }, text) => `${tool} ${String(input.city)}: ${text}` },
    ];
    expect(await use(hookTools([weather], plugins)[0], { city: "Oslo" })).toBe(
      "weather Oslo: 8 degrees in Oslo!",
    );
  });

  test("stop a call by a failure", async () => {
    const before = () => {
      throw new ToolFailure("Not today.");
    };
    await expect(use(hooked({ before }), { city: "Oslo" })).rejects.toThrow("Not today.");
  });
});

describe("a project's files", () => {
  async function project(files: Readonly<Record<string, string>>) {
    const root = mkdtempSync(path.join(os.tmpdir(), "callwright-project-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(root, ".callwright", name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return openWorkspace(root);
  }
  const tool = (name: string) =>
    `{ name: "${name}", description: "d", inputSchema: { type: "object" }, execute: async () => ({ text: "${name} ran" }) }`;

  test("bring tools and plugins", async () => {
    const workspace = await project({
      "tools/b.mjs": `export const one = ${tool("one")}; export const two = ${tool("two")};`,
      "tools/a.mjs": `export default [${tool("three")}];`,
      "tools/notes.txt": "no program",
      "plugins/p.mjs": `export default { name: "p", prompt: (text) => text + "!" };`,
    });
    const tools = await loadProjectTools(workspace);
    expect(tools.map(({ name }) => name)).toEqual(["three", "one", "two"]);
    expect(await use(tools[0])).toBe("three ran");
    expect(hookPrompt("a", await loadProjectPlugins(workspace))).toBe("a!");
  });

  test.each<[string, string, string]>([
    ["tools/a.mjs", "export default 7;", "no tool: it has no name"],
    ["tools/a.mjs", "throw new Error('boom');", "cannot be loaded: boom"],
    ["tools/a.mjs", `export default { name: "t", descripton: "d" };`, "descripton"],
    ["plugins/a.mjs", "export default {};", "no plugin"],
  ])("%s: %s", async (name, text, reason) => {
    const workspace = await project({ [name]: text });
    const load = name.startsWith("tools") ? loadProjectTools(workspace) : loadProjectPlugins(workspace);
    await expect(load).rejects.toThrow(CallwrightError);
    await expect(load).rejects.toThrow(reason);
  });

  test("that are not there are none", async () => {
    const workspace = await project({});
    expect(await loadProjectTools(workspace)).toEqual([]);
    expect(await loadProjectPlugins(workspace)).toEqual([]);
  });
});
