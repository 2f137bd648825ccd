// Runs the http cases of real users' failures against the server over scripted models. Where a case means a real model, the script
// says what a good one would; what the case is about is the server's part.
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { TemplateEngine } from "../../src/formats/index.ts";
import type { PartialProfile } from "../../src/models/profile.ts";
import type { ScriptedModelOptions, ScriptedReply } from "../../src/models/scripted.ts";
import { loadLlamaEngine, realRenderer } from "../formats/llama-engine.ts";
import { templateOf } from "../formats/template-of-format.ts";
import { readTemplate } from "../llama-cpp-files.ts";
import { openTestServer, postRequest, readEvents, type TestServer, writeCall } from "./ask-server.ts";
import { checkPath, type PathCheck } from "./check-path.ts";
import { reasoningProfile, renderWithVariables } from "./fields/field-row.ts";

const folder = new URL("../cases/", import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: cases are read by path.
type Json = any;

const cases: readonly Json[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")))
  .filter(({ kind }) => kind === "http");

interface Setting {
  /** What the model says, where the case does not. */
  readonly replies?: ScriptedModelOptions["replies"];
  readonly profile?: PartialProfile;
}

const label = '{"label": "lake", "depth": 7}';
const thought = `<think>\nCold and clear.\n</think>\n\n${label}`;

const settings: Readonly<Record<string, Setting>> = {
  "u001-named-tool-choice": { replies: [writeCall("utc_offset", { city: "Lagos" })] },
  "u002-required-and-none": { replies: [writeCall("tide_level", { port: "Bergen" }), "About a metre."] },
  "u008-arguments-is-a-string": { replies: [writeCall("add", { a: 2, b: 3 })] },
  "u011-responses-unknown-tool-kinds": { replies: [writeCall("list_files", { dir: "." })] },
  "u015-tools-with-response-schema": {
    replies: [writeCall("my_playlists", {}), '{"playlists": ["atlas", "beacon"]}'],
  },
  "u035-dotted-and-slashed-names": { replies: [writeCall("calendar.create", { title: "lunch" })] },
  "u127-thinking-budget-leaves-answer": { profile: reasoningProfile },
  "u129-thinking-and-schema-matrix": { profile: reasoningProfile, replies: [thought, thought, label] },
  "u133-agent-shaped-history": { replies: [writeCall("read_file", { path: "b.txt" })] },
  "u134-malformed-call-in-history": { replies: [writeCall("read_file", { path: "a.txt" })] },
  "u135-null-ids-in-history": { replies: ["It says hello."] },
};

/** Names that cases leave free, as they are here. */
const free = {
  "warnings-or-header": "callwright.notices",
  "usage.reasoning_tokens-or-equivalent": "usage.completion_tokens_details.reasoning_tokens",
  "error.n_prompt_tokens-or-equivalent": "error.n_prompt_tokens",
  "error.n_ctx-or-equivalent": "error.n_ctx",
  "data[0].capabilities-or-equivalent": "data[0].capabilities",
};

/** Told by a test of their own below. */
const ownTests = ["u094-disconnect-stops-generation"];

describe("http cases", () => {
  test.each(cases.filter(({ id }) => !ownTests.includes(id)).map((entry) => [entry.id, entry]))(
    "%s",
    async (id, entry) => {
      const { input, expected } = entry;
      const window = input.server?.contextTokens ?? 8192;
      const server = openCase(settings[id] ?? {}, input, window);
      for (const [at, request] of input.requests.entries()) {
        const body = generated(request.body);
        const response = await send(server, request, body);
        const wanted = expected.responses[at];
        const text = await response.text();
        expect(response.status, text).toBe(wanted.status);
        if (wanted.noSseBytes === true) expect(text).not.toContain("data:");
        if (wanted.stream !== undefined) checkStream(text, wanted.stream);
        for (const check of (wanted.checks ?? []) as readonly PathCheck[]) {
          checkPath(JSON.parse(text), check, { request: body, free, window });
        }
      }
    },
  );

  test("u094: a client that goes away ends its decoding, and the slot is free", async () => {
    for (const stream of [true, false]) {
      const gate = createGate();
      const server = openTestServer(["word ".repeat(1000), "Next."], { pause: gate.pass });
      const gone = new AbortController();
      const body = { messages: [{ role: "user", content: "Count to ten thousand in words" }], stream };
      const asked = postRequest("/v1/chat/completions", body);
      const answered = server
        .fetch(new Request(asked, { signal: gone.signal }))
        .then((response) => response.text());
      await gate.passed(20);
      gone.abort();
      const atAbort = gate.count();
      await answered.catch(() => undefined);
      // It stopped within two tokens, and the next one is served.
      expect(gate.count() - atAbort).toBeLessThanOrEqual(2);
      const next = await server.post("/v1/chat/completions", {
        messages: [{ role: "user", content: "And you?" }],
      });
      expect((await next.json()) as Json).toMatchObject({ choices: [{ message: { content: "Next." } }] });
    }
  });
});

describe("u133 with the templates of model families", () => {
  const entry = cases.find(({ id }) => id === "u133-agent-shaped-history");
  let engine: TemplateEngine;

  beforeAll(async () => {
    engine = await loadLlamaEngine();
  });

  test.each(Object.entries(templateOf))("%s (%s)", async (_format, name) => {
    const template = readTemplate(name);
    const server = openTestServer(["It is open."], {
      profile: { format: "auto", openers: [] },
      script: { info: { template }, renderTemplate: realRenderer(template, engine) },
    });
    const response = await send(server, entry.input.requests[0], entry.input.requests[0].body);
    const body = (await response.json()) as Json;
    expect(response.status, JSON.stringify(body)).toBe(200);
    const prompt = (server.model.requests[0]?.prompt ?? []).map((part) => part.text).join("");
    for (const part of ["Now open b.txt", "Keep answers short."]) expect(prompt).toContain(part);
    expect(body.choices[0].message).toBeDefined();
  });
});

function openCase({ replies, profile }: Setting, input: Json, window: number): TestServer {
  const scripted = replies ?? (input.modelScript ?? []).map(budgeted);
  const pieceLength = input.scriptSplit === undefined ? 4 : 1;
  return openTestServer(scripted, {
    script: {
      pieceLength,
      info: { contextSize: window, template: "a template" },
      renderTemplate: renderWithVariables,
    },
    ...(profile === undefined ? {} : { profile }),
  });
}

/**
 * What a script thinks beyond its budget it does not think: the scripted model is given what it writes once its thinking was ended
 * after 96 tokens of four characters.
 */
function budgeted(script: string): ScriptedReply {
  const [, thinking = "", answer = ""] = /^<think>(.*)<\/think>(.*)$/s.exec(script) ?? [];
  if (thinking.length <= 96 * 4) return script;
  return { attempts: [script, `<think>${thinking.slice(0, 96 * 4)}</think>${answer}`] };
}

function send(server: TestServer, { method, path }: Json, body: unknown): Promise<Response> {
  if (method === "POST") return server.post(path, body);
  return server.fetch(new Request(`http://localhost${path}`, { method }));
}

/** A text that a case asks the runner to make. */
function generated(value: Json): Json {
  if (Array.isArray(value)) return value.map(generated);
  if (typeof value !== "object" || value === null) return value;
  // The scripted model counts four characters as a token.
  if (value.generate === "words") return "word".repeat(value.tokens);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, generated(inner)]));
}

function checkStream(text: string, wanted: Json): void {
  const events = readEvents(text);
  if (wanted.endsWith !== undefined) expect(events.at(-1)?.data).toBe(wanted.endsWith);
  if (wanted.noReplacementChar === true) expect(text).not.toContain("\ufffd");
  const chunks: Json[] = events.filter(({ data }) => data !== "[DONE]").map(({ data }) => JSON.parse(data));
  if (wanted.sameId === true) expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  const deltas = chunks.flatMap(({ choices }) =>
    choices.flatMap((choice: Json) => choice.delta.tool_calls ?? []),
  );
  const firsts = deltas.filter(({ id }) => id !== undefined);
  const laters = deltas.filter(({ id }) => id === undefined);
  if (wanted.firstCallDelta !== undefined) {
    expect(firsts[0]).toEqual({ ...wanted.firstCallDelta, id: expect.stringMatching(/./) });
  }
  if (wanted.laterCallDeltasOnlyHave !== undefined) {
    for (const delta of laters) {
      expect(Object.keys(delta).sort()).toEqual(["function", "index"]);
      expect(Object.keys(delta.function)).toEqual(["arguments"]);
    }
  }
  if (wanted.indices !== undefined) expect(firsts.map(({ index }) => index)).toEqual(wanted.indices);
  if (wanted.distinctCallIds === true) expect(new Set(firsts.map(({ id }) => id)).size).toBe(firsts.length);
  const joined = firsts.map(({ index }) =>
    JSON.parse(
      deltas
        .filter((delta) => delta.index === index)
        .map((delta) => delta.function.arguments)
        .join(""),
    ),
  );
  if (wanted.joinedArguments !== undefined) expect(joined[0]).toEqual(wanted.joinedArguments);
  if (wanted.joinedByIndex !== undefined) expect(joined).toEqual(wanted.joinedByIndex);
  const finishes = chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
  if (wanted.finishReason !== undefined) expect(finishes).toEqual([wanted.finishReason]);
}

/** Counts how often it is passed, each time after all else that waits was done. */
function createGate() {
  let count = 0;
  let waiting: { readonly least: number; readonly resolve: () => void } | undefined;
  return {
    count: () => count,
    pass: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      count += 1;
      if (waiting !== undefined && count >= waiting.least) waiting.resolve();
    },
    passed: (least: number) =>
      new Promise<void>((resolve) => {
        waiting = { least, resolve };
      }),
  };
}
