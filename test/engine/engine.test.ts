import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  CallwrightError,
  createEngine,
  createScriptedModel,
  defineTool,
  type EngineOptions,
  foldRun,
} from "../../src/index.ts";
import { fenceProfile, writeCalls } from "../agent/write-calls.ts";

const add = defineTool<{ readonly a: number; readonly b: number }>({
  name: "add",
  description: "Add two numbers",
  shortDescription: "Add",
  inputSchema: {
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  execute: async ({ a, b }) => ({ text: String(a + b) }),
});

const call = writeCalls({ name: "add", arguments: { a: 2, b: 3 } });

function open(replies: readonly string[], more: Partial<EngineOptions> = {}) {
  const model = createScriptedModel({ replies });
  return createEngine({ model, profile: fenceProfile, tools: [add], ...more });
}

describe("the engine", () => {
  test("runs a prompt to its answer", async () => {
    const engine = await open([call, "It is 5."]);
    const result = await foldRun(engine.run({ prompt: "2 + 3?" }));
    expect(result).toMatchObject({ text: "It is 5.", reason: "done", turns: 2 });
    await engine.close();
  });

  test("asks for one turn without executing anything", async () => {
    const engine = await open([call]);
    const { execute: _, ...described } = add;
    const result = await engine.call({ prompt: "2 + 3?", tools: [described] });
    expect(result.finish).toBe("calls");
    expect(result.calls).toMatchObject([{ name: "add", input: { a: 2, b: 3 } }]);
  });

  test("that did not find its model looks again at the next request", async () => {
    const folder = await mkdtemp(join(tmpdir(), "callwright-engine-"));
    const path = join(folder, "late.gguf");
    const engine = createEngine({ model: path });
    await expect(engine.call({ prompt: "Hi." })).rejects.toMatchObject({ code: "model-missing" });
    await writeFile(path, "no weights");
    await expect(engine.call({ prompt: "Hi." })).rejects.toMatchObject({ code: "model-file-invalid" });
    await engine.close();
    await rm(folder, { recursive: true });
  });

  test("streams a turn as events of one run", async () => {
    const engine = await open([call]);
    const types: string[] = [];
    const places = new Set<string>();
    for await (const event of engine.turn({ prompt: "2 + 3?" })) {
      types.push(event.type);
      places.add(`${event.runId} ${event.turn}`);
    }
    expect(types[0]).toBe("turn-start");
    expect(types.filter((type) => type === "turn-end")).toHaveLength(1);
    expect(types.at(-1)).toBe("turn-end");
    expect(places.size).toBe(1);
  });

  test("puts system text first and the prompt last", async () => {
    const model = createScriptedModel({ replies: ["Hello again."] });
    const engine = await createEngine({ model, profile: fenceProfile });
    await engine.call({
      system: "Be brief.",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello." },
      ],
      prompt: "Once more",
    });
    const text = model.requests[0]?.prompt.map((part) => part.text).join("") ?? "";
    const places = ["Be brief.", "Hi", "Hello.", "Once more"].map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test("tells the model the short description where the profile says so", async () => {
    const texts: string[] = [];
    for (const descriptions of ["full", "first-sentence"] as const) {
      const model = createScriptedModel({ replies: ["Hello."] });
      const profile = { ...fenceProfile, diet: { descriptions } };
      const engine = await createEngine({ model, profile, tools: [add] });
      await engine.call({ prompt: "Hi" });
      texts.push(model.requests[0]?.prompt.map((part) => part.text).join("") ?? "");
    }
    expect(texts.map((text) => text.includes("Add two numbers"))).toEqual([true, false]);
  });

  test("refuses a request that says nothing", async () => {
    const engine = await open([]);
    await expect(engine.call({})).rejects.toMatchObject({ code: "request-invalid" });
    await expect(foldRun(engine.run({}))).rejects.toThrow(CallwrightError);
  });

  test("refuses two tools of one name and a choice of none of them", async () => {
    const engine = await open([]);
    await expect(engine.call({ prompt: "x", tools: [add, add] })).rejects.toMatchObject({
      code: "tool-duplicate",
    });
    await expect(engine.call({ prompt: "x", toolChoice: { name: "sub" } })).rejects.toMatchObject({
      code: "tool-choice-unknown",
    });
  });

  test("refuses a prompt that is longer than the window, naming its parts", async () => {
    const model = createScriptedModel({ replies: [], info: { contextSize: 256 } });
    const engine = await createEngine({ model, profile: fenceProfile, tools: [add] });
    await expect(engine.call({ prompt: "word ".repeat(2_000) })).rejects.toMatchObject({
      code: "context-overflow",
      message: expect.stringMatching(/\d+ tokens/),
    });
  });

  test.each([
    [undefined, /Give a larger window \(--ctx\)/],
    [4096, /Give a larger window \(--ctx\)/],
    [256, /trained for/],
  ])("advises a larger window where the model allows one: trained for %s", async (trained, advice) => {
    const info = { contextSize: 256, ...(trained === undefined ? {} : { trainedContextSize: trained }) };
    const model = createScriptedModel({ replies: [], info });
    const engine = createEngine({ model, profile: fenceProfile });
    const request = { prompt: "word ".repeat(2_000) };
    await expect(engine.call(request)).rejects.toThrow(advice);
    if (trained === 256) await expect(engine.call(request)).rejects.not.toThrow(/--ctx/);
  });

  test("refuses tools that cannot be offered before it looks for a model", async () => {
    const never = { ...add, inputSchema: { type: "string" } };
    const engine = createEngine({ model: "there-is-none-9000" });
    await expect(engine.call({ prompt: "x", tools: [never] })).rejects.toMatchObject({
      code: "schema-unsatisfiable",
    });
    await expect(foldRun(engine.run({ prompt: "x", tools: [never] }))).rejects.toMatchObject({
      code: "schema-unsatisfiable",
    });
    await expect(engine.call({ prompt: "x", tools: [add] })).rejects.toMatchObject({ code: "model-unknown" });
  });
});
