// Who waits for which model, and how long; models that come and go; clients that go away.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createEngine } from "../../src/engine.ts";
import { createScriptedModel, type ScriptedModel } from "../../src/models/scripted.ts";
import { createApp, type ServerApp } from "../../src/server/app.ts";
import type { ServedModel, ServerOptions } from "../../src/server/server-options.ts";
import { CallwrightError } from "../../src/vocabulary/index.ts";
import { hermesProfile, pausing, postRequest, readEvents, scriptedServedModel } from "./ask-server.ts";

const chat = "/v1/chat/completions";

/** A door that holds whoever comes until it is opened. */
function createDoor() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrive: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    open,
    arrived,
    pass: async () => {
      arrive();
      await opened;
    },
  };
}

function ask(app: ServerApp, content: string, more: object = {}, signal?: AbortSignal): Promise<Response> {
  const request = postRequest(chat, { messages: [{ role: "user", content }], ...more });
  return app.fetch(signal === undefined ? request : new Request(request, { signal }));
}

async function contentOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? "";
}

/** How many wait and run, as the metrics say. */
async function gauge(app: ServerApp, name: "waiting" | "running"): Promise<number> {
  const text = await (await app.fetch(new Request("http://localhost/metrics"))).text();
  return Number(new RegExp(`^callwright_requests_${name} (\\d+)$`, "m").exec(text)?.[1]);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 1));
}

function openApp(model: ScriptedModel, options: Partial<ServerOptions> = {}): ServerApp {
  return createApp({ models: [scriptedServedModel("scripted", model)], ...options });
}

describe("the queue", () => {
  test("serves one request after another, in the order they came, and mixes nothing", async () => {
    const door = createDoor();
    const model = pausing(createScriptedModel({ replies: ["One.", "Two.", "Three."] }), door.pass);
    const app = openApp(model);
    const answers = ["a", "b", "c"].map((content) => ask(app, content).then(contentOf));
    await door.arrived;
    await until(async () => (await gauge(app, "waiting")) === 2);
    expect(await gauge(app, "running")).toBe(1);
    door.open();
    expect(await Promise.all(answers)).toEqual(["One.", "Two.", "Three."]);
    expect(await gauge(app, "running")).toBe(0);
  });

  test.each([
    [chat, 503, { messages: [{ role: "user", content: "x" }] }],
    ["/v1/responses", 503, { input: "x" }],
    ["/v1/messages", 529, { messages: [{ role: "user", content: "x" }], max_tokens: 5 }],
    ["/api/chat", 503, { messages: [{ role: "user", content: "x" }] }],
  ])("that is full is said by %s with %i and Retry-After", async (path, status, body) => {
    const door = createDoor();
    const app = openApp(pausing(createScriptedModel({ replies: ["One.", "Two."] }), door.pass), {
      limits: { queue: 1 },
    });
    const first = ask(app, "a");
    await door.arrived;
    const second = ask(app, "b");
    await until(async () => (await gauge(app, "waiting")) === 1);
    const refused = await app.fetch(postRequest(path, body));
    expect(refused.status).toBe(status);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(await refused.json())).toContain("1 requests wait for scripted already");
    door.open();
    expect([await contentOf(await first), await contentOf(await second)]).toEqual(["One.", "Two."]);
  });

  test("lets as many be decoded at once as the model has sequences", async () => {
    const door = createDoor();
    const model = pausing(
      createScriptedModel({ replies: ["x", "x", "x"], info: { sequences: 2 } }),
      door.pass,
    );
    const { slots: _slots, ...served } = scriptedServedModel("scripted", model);
    const app = createApp({ models: [served] });
    await app.load();
    const answers = ["a", "b", "c"].map((content) => ask(app, content).then(contentOf));
    await until(async () => (await gauge(app, "running")) === 2 && (await gauge(app, "waiting")) === 1);
    door.open();
    expect(await Promise.all(answers)).toEqual(["x", "x", "x"]);
  });

  test("gives up a request that waited too long, and only that one", async () => {
    const door = createDoor();
    const app = openApp(pausing(createScriptedModel({ replies: ["One."] }), door.pass), {
      limits: { queueMilliseconds: 20 },
    });
    const first = ask(app, "a");
    await door.arrived;
    expect((await ask(app, "b")).status).toBe(503);
    door.open();
    expect(await contentOf(await first)).toBe("One.");
  });

  test("forgets a client that goes away while it waits", async () => {
    const door = createDoor();
    const model = createScriptedModel({ replies: ["One.", "Three."] });
    const app = openApp(pausing(model, door.pass));
    const first = ask(app, "a");
    await door.arrived;
    const gone = new AbortController();
    const second = ask(app, "b", {}, gone.signal);
    await until(async () => (await gauge(app, "waiting")) === 1);
    gone.abort();
    await second;
    expect(await gauge(app, "waiting")).toBe(0);
    const third = ask(app, "c");
    door.open();
    expect([await contentOf(await first), await contentOf(await third)]).toEqual(["One.", "Three."]);
    expect(model.requests).toHaveLength(2);
  });

  test("u076: sessions that fit are served in turn, and one that does not fit is refused with its counts", async () => {
    const { input, expected } = JSON.parse(
      readFileSync(new URL("../cases/u076-admission-control.json", import.meta.url), "utf8"),
    );
    const model = createScriptedModel({
      replies: ["One.", "Two.", "Three."],
      info: { contextSize: input.contextTokens },
    });
    const app = openApp(model);
    const answers = input.concurrentRequests.map(
      ({ promptTokens, maxTokens }: { promptTokens: number; maxTokens: number }, at: number) =>
        // The scripted model counts four characters as a token; each session says something else.
        ask(app, `${at}   `.padEnd(4 * promptTokens, "word"), { max_tokens: maxTokens }),
    );
    const responses: Response[] = await Promise.all(answers);
    expect(expected.outcome).toEqual(["served", "served", "queued then served", "400 with counts"]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
    for (const at of expected.neverAborted) {
      expect(await responses[at]?.json()).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    }
    // At least the session's own 9,000 tokens.
    const n_prompt_tokens = expect.toSatisfy((count: number) => count >= 9000);
    expect(await responses[3]?.json()).toMatchObject({ error: { n_ctx: 8192, n_prompt_tokens } });
  });
});

/** Served models that say when they are opened and closed. */
function watched(ids: readonly string[], said: string[], more: Partial<ServedModel> = {}): ServedModel[] {
  return ids.map((id) => ({
    id,
    ...more,
    createEngine: () => {
      const model = createScriptedModel({ replies: [`${id} one.`, `${id} two.`, `${id} three.`] });
      const engine = createEngine({ model, profile: hermesProfile });
      return {
        ...engine,
        open: () => {
          said.push(`open ${id}`);
          return engine.open();
        },
        close: () => {
          said.push(`close ${id}`);
          return engine.close();
        },
      };
    },
  }));
}

describe("several models", () => {
  test("are loaded when they are asked for, and the one that was idle longest makes room", async () => {
    const said: string[] = [];
    const app = createApp({ models: watched(["a", "b", "c"], said), limits: { models: 2 } });
    for (const model of ["a", "b", "a", "c", "a"])
      expect((await ask(app, model, { model })).status).toBe(200);
    expect(said).toEqual(["open a", "open b", "close b", "open c"]);
    await app.close();
    expect(said.slice(4).sort()).toEqual(["close a", "close c"]);
  });

  test("keep within their memory, but for one alone that is larger", async () => {
    const said: string[] = [];
    const app = createApp({
      models: watched(["a", "b"], said, { bytes: 60 }),
      limits: { models: 5, modelBytes: 100 },
    });
    for (const model of ["a", "b"]) await ask(app, "x", { model });
    expect(said).toEqual(["open a", "close a", "open b"]);
    const large = createApp({ models: watched(["a"], said, { bytes: 600 }), limits: { modelBytes: 100 } });
    expect((await ask(large, "x")).status).toBe(200);
  });

  test("do not starve each other: who waits for room is not overtaken", async () => {
    const door = createDoor();
    const order: string[] = [];
    const slow = pausing(createScriptedModel({ replies: ["1", "2", "3"] }), door.pass);
    const app = createApp({
      models: [scriptedServedModel("a", slow), ...watched(["b"], [])],
      limits: { models: 1 },
    });
    const asked = ["a", "b", "a"].map((model, at) =>
      ask(app, String(at), { model }).then(() => order.push(model + at)),
    );
    await door.arrived;
    door.open();
    await Promise.all(asked);
    expect(order).toEqual(["a0", "b1", "a2"]);
  });

  test("are unloaded when nobody asks for them, or when a request says so", async () => {
    const said: string[] = [];
    const app = createApp({ models: watched(["a"], said), idleMilliseconds: 5 });
    await ask(app, "x");
    await until(async () => said.includes("close a"));
    expect((await ask(app, "y")).status).toBe(200);
    const kept: string[] = [];
    const ollama = createApp({ models: watched(["a"], kept) });
    const body = { messages: [{ role: "user", content: "x" }], stream: false, keep_alive: 0 };
    await ollama.fetch(postRequest("/api/chat", body));
    expect(kept).toEqual(["open a", "close a"]);
    const loaded = await ollama.fetch(postRequest("/api/generate", { model: "a", keep_alive: "1h" }));
    expect(await loaded.json()).toMatchObject({ done_reason: "load" });
    const running = (await (await ollama.fetch(new Request("http://localhost/api/ps"))).json()) as {
      models: { name: string }[];
    };
    expect(running.models.map(({ name }) => name)).toEqual(["a"]);
  });

  test("are opened anew when their settings changed", async () => {
    const said: string[] = [];
    let version = "1";
    const source = { list: async () => watched(["a"], said, { version }) };
    const app = createApp({ models: source });
    await ask(app, "x");
    await ask(app, "y");
    expect(said).toEqual(["open a"]);
    version = "2";
    await ask(app, "z");
    expect(said).toEqual(["open a", "close a", "open a"]);
  });

  test("that cannot be loaded are said to be so, and are tried again", async () => {
    let tries = 0;
    const app = createApp({
      models: [
        {
          id: "a",
          createEngine: () => {
            tries += 1;
            const model = createScriptedModel({ replies: ["At last."] });
            const engine = createEngine({ model, profile: hermesProfile });
            const failure = new CallwrightError("model-file-invalid", "The file is damaged.");
            return tries > 1 ? engine : { ...engine, open: () => Promise.reject(failure) };
          },
        },
      ],
    });
    const failed = await ask(app, "x");
    expect(failed.status).toBe(500);
    expect(await failed.json()).toMatchObject({
      error: { message: "a cannot be loaded: The file is damaged.", code: "model_failed" },
    });
    expect(await contentOf(await ask(app, "x"))).toBe("At last.");
  });

  test("that there are not are answered by the default one, or refused", async () => {
    const options = { models: watched(["a", "b"], []), defaultModel: "b" };
    const lenient = await ask(createApp(options), "x", { model: "gpt-4o" });
    expect(await lenient.json()).toMatchObject({ callwright: { notices: [{ code: "model-substituted" }] } });
    const strict = await ask(createApp({ ...options, unknownModel: "refuse" }), "x", { model: "gpt-4o" });
    expect(strict.status).toBe(404);
    expect(await strict.json()).toMatchObject({ error: { code: "model_not_found" } });
    const none = await ask(createApp({ models: [] }), "x");
    expect([none.status, await none.text()]).toEqual([
      404,
      expect.stringContaining("callwright models pull"),
    ]);
  });
});

describe("a stream", () => {
  test("shows that it lives while the prompt is read", async () => {
    const door = createDoor();
    const model = createScriptedModel({ replies: ["Good."] });
    const app = openApp(pausing(model, door.pass), { keepAliveMilliseconds: 5 });
    const response = await ask(app, "x", { stream: true });
    // The headers are here while the model still reads.
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes(": still at work")) {
      const read = await reader?.read();
      text += new TextDecoder().decode(read?.value);
    }
    door.open();
    for (;;) {
      const read = await reader?.read();
      if (read === undefined || read.done) break;
      text += new TextDecoder().decode(read.value);
    }
    expect(readEvents(text).at(-1)?.data).toBe("[DONE]");
  });

  test("whose client goes away ends, however much of it was read", async () => {
    for (const reads of [0, 1, 5]) {
      const model = createScriptedModel({ replies: ["word ".repeat(5000), "Next."] });
      const app = openApp(pausing(model));
      const reader = (await ask(app, "x", { stream: true })).body?.getReader();
      for (let at = 0; at < reads; at++) await reader?.read();
      await reader?.cancel();
      expect(await gauge(app, "running")).toBe(0);
      expect((await ask(app, "y")).status).toBe(200);
    }
  });

  test("that nobody reads on does not hold the model beyond its time", async () => {
    const model = createScriptedModel({ replies: ["word ".repeat(5000), "Next."] });
    const app = openApp(pausing(model), { limits: { requestMilliseconds: 30 } });
    const reader = (await ask(app, "x", { stream: true })).body?.getReader();
    for (let at = 0; at < 5; at++) await reader?.read();
    expect(await contentOf(await ask(app, "y"))).toBe("Next.");
    await expect(reader?.read().then(() => reader.read())).rejects.toThrow();
  });

  test("that takes too long ends in an error, and a whole reply is one", async () => {
    const endless = () =>
      pausing(createScriptedModel({ replies: ["word ".repeat(50_000)], info: { contextSize: 1 << 20 } }));
    const limits = { requestMilliseconds: 30 };
    const streamed = await ask(openApp(endless(), { limits }), "x", { stream: true, max_tokens: 100_000 });
    const events = readEvents(await streamed.text());
    expect(JSON.parse(events.at(-2)?.data ?? "")).toMatchObject({ error: { code: "time_limit" } });
    const whole = await ask(openApp(endless(), { limits }), "x", { max_tokens: 100_000 });
    expect([whole.status, (await whole.json()) as object]).toMatchObject([
      504,
      { error: { code: "time_limit" } },
    ]);
  });
});
