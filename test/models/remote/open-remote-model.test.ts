// An endpoint as it is opened: which program answers, what it is found to enforce, what is kept of that, and the profile.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createEngine } from "../../../src/engine.ts";
import { loadCatalogue } from "../../../src/models/catalogue.ts";
import type { EndpointEntry } from "../../../src/models/endpoint-entry.ts";
import { openRemoteModel } from "../../../src/models/remote/open-remote-model.ts";
import { readTemplate } from "../../llama-cpp-files.ts";
import {
  type Answer,
  chatEvents,
  completionEvents,
  llamaEvents,
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "./model-server.ts";

let home: string;
const open: ModelServer[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "callwright-remote-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

// One that is known, so that it need not be tried.
const template = readTemplate("Qwen-Qwen3-0.6B");
const models = (id: string, more = {}) => ({ json: { object: "list", data: [{ id, ...more }] } });
/** What a server that enforces grammars writes under the one it is asked about. */
const kept = ["zq", "7", "vx"];

const engines: Readonly<Record<string, (seen: SeenRequest) => Answer | undefined>> = {
  "llama-server": ({ path, body }) => {
    if (path === "/props") {
      const settings = { default_generation_settings: { n_ctx: 4096 }, build_info: "b11549" };
      return { json: { ...settings, chat_template: template, bos_token: "<s>", eos_token: "<|im_end|>" } };
    }
    if (path === "/v1/models") return models("qwen3-4b.gguf", { meta: { n_ctx_train: 32768 } });
    if (path === "/completion") return { events: llamaEvents(kept) };
    if (path !== "/tokenize") return undefined;
    const isMark = /^<\|im_(start|end)\|>$/.test(String(body.content));
    const special = isMark && body.parse_special !== false;
    const tokens = special ? [99] : [...String(body.content)].map((_, at) => at);
    return { json: { tokens: body.add_special === true ? [1, ...tokens] : tokens } };
  },
  vllm: ({ path, body }) => {
    if (path === "/version") return { json: { version: "0.14.0" } };
    if (path === "/v1/models") return models("Qwen/Qwen3-8B", { max_model_len: 16384 });
    if (path !== "/v1/completions") return undefined;
    return { events: completionEvents("guided_grammar" in body ? kept : ["Hello", " you"]) };
  },
  sglang: ({ path, body }) => {
    if (path === "/get_model_info") return { json: { model_path: "Qwen/Qwen3-8B" } };
    if (path === "/v1/models") return models("Qwen/Qwen3-8B");
    return path === "/v1/completions" && "ebnf" in body ? { events: completionEvents(kept) } : undefined;
  },
  ollama: ({ path, body }) => {
    if (path === "/api/version") return { json: { version: "0.13.0" } };
    if (path === "/api/tags") return { json: { models: [{ name: "qwen3:4b" }] } };
    if (path === "/api/show") return { json: { model_info: { "qwen3.context_length": 40960 } } };
    if (path !== "/api/chat") return undefined;
    const content = "format" in body ? '{"word":"zqvx"}' : "Hello";
    return { lines: true, events: [{ message: { content }, done: true, done_reason: "stop" }] };
  },
  openai: ({ path, body }) => {
    if (path === "/v1/models") return { json: { data: [{ id: "gpt-a" }, { id: "gpt-b" }] } };
    if (path !== "/v1/chat/completions") return undefined;
    const call = { index: 0, id: "c", function: { name: "note_word", arguments: '{"word":"zqvx"}' } };
    return {
      events: "tools" in body ? chatEvents([{ tool_calls: [call] }], "tool_calls") : chatEvents([], "stop"),
    };
  },
};

async function start(engine: string): Promise<ModelServer> {
  const server = await startModelServer((seen) => engines[engine]?.(seen));
  open.push(server);
  return server;
}

async function openEntry(entry: Partial<EndpointEntry>, more = {}) {
  const catalogue = await loadCatalogue({ home });
  return openRemoteModel({
    entry: { id: "mine", urls: [], ...entry },
    catalogue,
    home,
    environment: {},
    ...more,
  });
}

describe("a server is known by what it tells", () => {
  test("llama-server: rendered here, under its grammar", async () => {
    const { url } = await start("llama-server");
    const { model, profile, facts } = await openEntry({ urls: [url] });
    expect(facts.identity).toMatchObject({
      engine: "llama-server",
      version: "b11549",
      model: "qwen3-4b.gguf",
    });
    expect(facts.behaviour).toMatchObject({ api: "completions", grammarField: "grammar", addsBegin: true });
    expect(model.info).toMatchObject({
      contextSize: 4096,
      trainedContextSize: 32768,
      continuesPrefix: true,
      enforcesGrammar: true,
      givesProbabilities: false,
      specialTokens: ["<|im_start|>", "<|im_end|>"],
      template,
    });
    // The family is known by the served model's name.
    expect(profile).toMatchObject({
      format: "hermes-json",
      reasoning: { switch: { variable: "enable_thinking" } },
    });
    const rendered = model.renderTemplate({
      messages: [{ role: "user", content: "Hi" }],
      addGenerationPrompt: true,
    });
    expect(rendered).toBe("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
  });

  test("vLLM: by chat, unless a profile has the template; then the field that was really kept to is used", async () => {
    const { url } = await start("vllm");
    const profile = { template: { replacement: template } };
    const { model, facts } = await openEntry({ urls: [url], profile });
    expect(facts.identity).toMatchObject({ engine: "vllm", version: "0.14.0", contextSize: 16384 });
    expect(facts.behaviour).toMatchObject({ api: "completions", grammarField: "guided_grammar" });
    expect(model.info).toMatchObject({ contextSize: 16384, enforcesGrammar: true });
  });

  test("SGLang: its own field", async () => {
    const { url } = await start("sglang");
    const { facts } = await openEntry({ urls: [url], profile: { template: { replacement: template } } });
    expect(facts).toMatchObject({ identity: { engine: "sglang" }, behaviour: { grammarField: "ebnf" } });
  });

  test("Ollama: chat; the window is as asked for, at most what the model was trained for", async () => {
    const { url } = await start("ollama");
    const { model, profile, facts } = await openEntry({ urls: [url] });
    expect(facts.identity).toMatchObject({ engine: "ollama", model: "qwen3:4b", trainedContextSize: 40960 });
    expect(facts.behaviour).toMatchObject({ api: "chat", enforcesSchema: true, enforcesToolChoice: false });
    expect(model.info).toMatchObject({ contextSize: 8192, continuesPrefix: false, enforcesGrammar: false });
    expect(profile).toMatchObject({
      format: "chat-api",
      reasoning: { marks: { start: "<think>\n" }, switch: { variable: "enable_thinking" } },
      context: { reserve: 4096 },
    });
    expect((await openEntry({ urls: [url] }, { contextSize: 99_999 })).model.info.contextSize).toBe(40960);
  });

  test("OpenAI's API: a model has to be named", async () => {
    const { url } = await start("openai");
    await expect(openEntry({ urls: [url] })).rejects.toThrow("lists 2 models (gpt-a, gpt-b): name one");
    await expect(openEntry({ urls: [url], model: "gpt-c" })).rejects.toMatchObject({ code: "model-unknown" });
    const { facts, profile } = await openEntry({ urls: [url], model: "gpt-b" });
    expect(profile.reasoning.switch).toMatchObject({ effort: { variable: "reasoning_effort" } });
    expect(profile.reasoning.switch).not.toHaveProperty("variable");
    expect(facts).toMatchObject({
      identity: { engine: "openai", model: "gpt-b" },
      behaviour: { api: "chat", enforcesSchema: false, enforcesToolChoice: true },
    });
  });
});

describe("what a server enforces", () => {
  const generations = (server: ModelServer) =>
    server.requests.filter(({ path }) => path === "/completion").length;

  test("is found out once and kept, until it is asked anew or is another server", async () => {
    const server = await start("llama-server");
    await openEntry({ id: "kept-once", urls: [server.url] });
    await openEntry({ id: "kept-once", urls: [server.url] });
    expect(generations(server)).toBe(1);
    const kept = (await readdir(join(home, "endpoints"))).filter((name) => name.startsWith("kept-once"));
    expect(kept).toHaveLength(1);
    await openEntry({ id: "kept-once", urls: [server.url] }, { fresh: true });
    expect(generations(server)).toBe(2);
    const other = await start("llama-server");
    await openEntry({ urls: [other.url] });
    expect(generations(other)).toBe(1);
  });

  test("is nothing where it takes a grammar and ignores it", async () => {
    const server = await startModelServer((seen) =>
      seen.path === "/completion" ? { events: llamaEvents(["Hello"]) } : engines["llama-server"]?.(seen),
    );
    open.push(server);
    const { model, facts } = await openEntry({ urls: [server.url] });
    expect(facts.behaviour.grammarField).toBeUndefined();
    expect(model.info.enforcesGrammar).toBe(false);
  });

  test("is asked once the server has loaded its model, which is waited for", async () => {
    let asked = 0;
    const server = await startModelServer((seen) => {
      asked += 1;
      const loading = { error: { message: "Loading model", code: 503 } };
      return asked < 4 ? { json: loading, status: 503 } : engines["llama-server"]?.(seen);
    });
    open.push(server);
    const notices: string[] = [];
    const more = { loading: { patience: 10_000, pause: 5 }, onNotice: (text: string) => notices.push(text) };
    const { facts } = await openEntry({ urls: [server.url] }, more);
    expect(facts.identity.engine).toBe("llama-server");
    expect(notices.filter((text) => text.includes("not ready"))).toHaveLength(1);
    asked = 0;
    const impatient = { loading: { patience: 0, pause: 5 } };
    await expect(openEntry({ urls: [server.url] }, impatient)).rejects.toThrow("Loading model");
  });

  test("is asked of the first replica that answers", async () => {
    const [gone, server] = [await start("llama-server"), await start("llama-server")];
    await gone.close();
    const { facts } = await openEntry({ urls: [gone.url, server.url] });
    expect(facts.identity.engine).toBe("llama-server");
    await expect(openEntry({ urls: [gone.url] })).rejects.toMatchObject({ code: "endpoint-unreachable" });
  });
});

describe("an entry", () => {
  test("whose key is not set is refused, with the variable's name", async () => {
    const { url } = await start("openai");
    const opened = openEntry({ urls: [url], model: "gpt-a", keyVariable: "MY_KEY" });
    await expect(opened).rejects.toThrow("MY_KEY");
  });

  test("sends its key and its headers with everything", async () => {
    const server = await start("openai");
    const entry = {
      urls: [server.url],
      model: "gpt-a",
      keyVariable: "MY_KEY",
      headers: { "x-team": "tools" },
    };
    await openEntry(entry, { environment: { MY_KEY: "sk-1" } });
    expect(server.requests.length).toBeGreaterThan(3);
    const sent = server.requests.map(({ headers }) => [headers.authorization, headers["x-team"]].join());
    expect(new Set(sent)).toEqual(new Set(["Bearer sk-1,tools"]));
    const files = await readdir(join(home, "endpoints"));
    const texts = await Promise.all(files.map((file) => readFile(join(home, "endpoints", file), "utf8")));
    expect(texts.filter((text) => text.includes("sk-1"))).toEqual([]);
  });

  test("that asks for completions needs a template", async () => {
    const { url } = await start("vllm");
    await expect(openEntry({ urls: [url], api: "completions" })).rejects.toThrow("template.replacement");
    const ollama = await start("ollama");
    await expect(openEntry({ urls: [ollama.url], api: "completions" })).rejects.toThrow("no raw completions");
  });
});

test("the address of a server is a model for the engine", async () => {
  const server = await startModelServer((seen) => {
    const isProbe = String(seen.body.grammar).includes("zq");
    if (seen.path !== "/completion" || isProbe) return engines["llama-server"]?.(seen);
    const pieces = '\n{"name": "add", "arguments": {"a": 2, "b": 3}}\n</tool_call>'.match(/.{1,5}/gs) ?? [];
    return { events: llamaEvents(pieces) };
  });
  open.push(server);
  const engine = createEngine({ model: server.url, home });
  const number = { type: "integer" } as const;
  const add = {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] } as const,
  };
  const { calls, finish } = await engine.call({ prompt: "2 + 3?", tools: [add], toolChoice: "required" });
  await engine.close();
  expect(finish).toBe("calls");
  expect(calls).toMatchObject([{ name: "add", input: { a: 2, b: 3 } }]);
  const last = server.requests.at(-1)?.body;
  expect(String(last?.prompt)).toMatch(/2 \+ 3\?.*<tool_call>$/s);
});
