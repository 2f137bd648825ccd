// What programs without types hand in by mistake: always a `CallwrightError` that names the place.
import { describe, expect, test } from "vitest";
import {
  createEngine,
  createScriptedModel,
  type EngineOptions,
  type EngineRunRequest,
  type EngineTurnRequest,
  foldRun,
} from "../../src/index.ts";
import { fenceProfile } from "../agent/write-calls.ts";

const cyclic: Record<string, unknown> = { type: "object" };
cyclic.properties = { self: cyclic };
const tool = (inputSchema: unknown) => ({ name: "t", description: "d", inputSchema });
const object = { type: "object", properties: {} };
const plain = { prompt: "x" };

function open() {
  return createEngine({ model: createScriptedModel({ replies: ["Yes."] }), profile: fenceProfile });
}

const everyOption: Record<keyof EngineOptions, undefined> = {
  model: undefined,
  profile: undefined,
  tools: undefined,
  limits: undefined,
  permissions: undefined,
  contextSize: undefined,
  gpuLayers: undefined,
  threads: undefined,
  sequences: undefined,
  stateBytes: undefined,
  onLoad: undefined,
  signal: undefined,
  home: undefined,
  fetch: undefined,
  traceContent: undefined,
  kinds: undefined,
  hub: undefined,
  onProgress: undefined,
  onNotice: undefined,
};

describe("options", () => {
  test("that there are are all known, and named where one is mistyped", () => {
    for (const key of Object.keys(everyOption)) {
      expect(() => createEngine({ [`${key}s`]: 1 })).toThrow(`Did you mean ${key}`);
    }
    expect(() => createEngine({ contxtSize: 5 } as EngineOptions)).toThrow(
      'There is no option "contxtSize". Did you mean contextSize?',
    );
  });

  test.each<[string, unknown, string, string]>([
    ["no object", null, "request-invalid", ""],
    ["an option that there is not", { contxtSize: 5 }, "request-invalid", "/contxtSize"],
    ["a model that is a number", { model: 5 }, "request-invalid", "/model"],
    ["a model that is null", { model: null }, "request-invalid", "/model"],
    ["a model that is no model", { model: {} }, "request-invalid", "/model"],
    ["tools that are text", { tools: "abc" }, "request-invalid", "/tools"],
    ["a tool that is null", { tools: [null] }, "request-invalid", "/tools/0"],
    ["negative threads", { threads: -1 }, "request-invalid", "/threads"],
    ["half a thread", { threads: 1.5 }, "request-invalid", "/threads"],
    ["a window that is no number", { contextSize: Number.NaN }, "request-invalid", "/contextSize"],
    ["negative layers", { gpuLayers: -1 }, "request-invalid", "/gpuLayers"],
    ["a limit that is no number", { limits: { steps: "many" } }, "request-invalid", "/limits/steps"],
    ["a limit that there is not", { limits: { step: 3 } }, "request-invalid", "/limits/step"],
    ["permissions without a policy", { permissions: {} }, "request-invalid", "/permissions"],
    ["a signal that is none", { signal: {} }, "request-invalid", "/signal"],
    ["a listener that is none", { onLoad: 3 }, "request-invalid", "/onLoad"],
    [
      "a temperature that is text",
      { profile: { sampling: { text: { temperature: "hot" } } } },
      "profile-invalid",
      "/profile/sampling/text/temperature",
    ],
    [
      "a temperature that is no number",
      { profile: { sampling: { call: { temperature: Number.NaN } } } },
      "profile-invalid",
      "/profile/sampling/call/temperature",
    ],
    ["a profile that is null", { profile: null }, "profile-invalid", "/profile"],
    [
      "a profile with an unknown key",
      { profile: { temperature: 1 } },
      "profile-invalid",
      "/profile/temperature",
    ],
  ])("%s", (_, options, code, pointer) => {
    expect(() => createEngine(options as EngineOptions)).toThrow(
      expect.objectContaining({ name: "CallwrightError", code, pointer }),
    );
  });
});

const requests: readonly [string, unknown, string][] = [
  ["nothing at all", undefined, ""],
  ["text alone", "hello", ""],
  ["a prompt that is a number", { prompt: 5 }, "/prompt"],
  ["a system text that is null", { ...plain, system: null }, "/system"],
  ["messages that are text", { messages: "abc" }, "/messages"],
  ["a message that is null", { messages: [null] }, "/messages/0"],
  ["content that is null", { messages: [{ role: "user", content: null }] }, "/messages/0/content"],
  ["a message without content", { messages: [{ role: "user" }] }, "/messages/0"],
  ["an unknown role", { messages: [{ role: "wizard", content: "x" }] }, "/messages/0/role"],
  [
    "a past call whose input is text",
    {
      messages: [
        { role: "user", content: "x" },
        { role: "assistant", content: "", calls: [{ id: "c", name: "t", input: "{}" }] },
      ],
    },
    "/messages/1/calls/0/input",
  ],
  ["a BigInt in a past call", { messages: [{ role: "assistant", content: 1n }] }, "/messages/0/content"],
  ["tools that are text", { ...plain, tools: "abc" }, "/tools"],
  ["a tool that is null", { ...plain, tools: [null] }, "/tools/0"],
  ["a tool without a name", { ...plain, tools: [{ inputSchema: object }] }, "/tools/0/name"],
  ["a tool whose schema is text", { ...plain, tools: [tool("object")] }, "/tools/0/inputSchema"],
  ["a tool without a schema", { ...plain, tools: [tool(undefined)] }, "/tools/0/inputSchema"],
  ["tokens that are no number", { ...plain, maxTokens: Number.NaN }, "/maxTokens"],
  ["less than no tokens", { ...plain, maxTokens: -1 }, "/maxTokens"],
  ["half a token", { ...plain, maxTokens: 1.5 }, "/maxTokens"],
  ["a seed that is text", { ...plain, seed: "7" }, "/seed"],
  ["a choice that there is not", { ...plain, toolChoice: "always" }, "/toolChoice"],
  ["a choice that is a number", { ...plain, toolChoice: 3 }, "/toolChoice"],
  ["a lever that there is not", { ...plain, levers: { speed: true } }, "/levers/speed"],
  ["a signal that is none", { ...plain, signal: "stop" }, "/signal"],
  ["an option that there is not", { ...plain, toolChoise: "auto" }, "/toolChoise"],
];

describe("a request", () => {
  test.each(requests)("%s", async (_, request, pointer) => {
    const refused = { name: "CallwrightError", code: "request-invalid", pointer };
    await expect(open().call(request as EngineTurnRequest)).rejects.toMatchObject(refused);
    const read = async () => {
      for await (const _event of open().run(request as EngineRunRequest)) throw new Error("an event came");
    };
    await expect(read()).rejects.toMatchObject(refused);
  });

  test("says what to change", async () => {
    await expect(open().call({ ...plain, maxTokens: -1 })).rejects.toThrow(
      "The request is not valid at /maxTokens: expected at least 1, came -1.",
    );
  });

  test("names the option that was meant", async () => {
    const request = { ...plain, toolChoise: "required" } as EngineTurnRequest;
    await expect(open().call(request)).rejects.toThrow(
      'There is no option "toolChoise". Did you mean toolChoice?',
    );
  });

  test("has bounds in a run alone", async () => {
    const request = { ...plain, limits: { steps: 2 } };
    await expect(open().call(request)).rejects.toMatchObject({ pointer: "/limits" });
    expect((await foldRun(open().run(request))).reason).toBe("done");
  });

  test("that asks for tools which are none", async () => {
    const tools = (() => [null]) as unknown as NonNullable<EngineRunRequest["tools"]>;
    const read = async () => {
      for await (const _event of open().run({ ...plain, tools }));
    };
    await expect(read()).rejects.toMatchObject({ code: "request-invalid", pointer: "/tools/0" });
  });

  test("whose parts are undefined is as if they were absent", async () => {
    const request = { ...plain, maxTokens: undefined, tools: undefined, seed: undefined, limits: undefined };
    expect(await open().call(request as unknown as EngineTurnRequest)).toMatchObject({ text: "Yes." });
  });
});

describe("a tool's schema", () => {
  test.each<[string, unknown]>([
    ["that holds itself", cyclic],
    ["with a BigInt", { type: "object", properties: { a: { const: 1n } } }],
    ["with a function", { type: "object", parse: () => 1 }],
    ["with a number that is none", { type: "object", minProperties: Number.NaN }],
  ])("%s is refused with the tool's name", async (_, schema) => {
    const request = { ...plain, tools: [tool(schema)] } as unknown as EngineTurnRequest;
    await expect(open().call(request)).rejects.toMatchObject({
      name: "CallwrightError",
      code: "schema-invalid",
      message: expect.stringContaining('"t"'),
      pointer: expect.any(String),
    });
  });
});
